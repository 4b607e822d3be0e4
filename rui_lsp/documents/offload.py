"""Work that takes longer than others should wait: done in a second process, on a copy of the document."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from rui_lsp.client.client import Client
from rui_lsp.documents.workspace import Workspace
from rui_lsp.protocol.errors import CONTENT_MODIFIED, LspError
from rui_lsp.protocol.framing import Encoded, encoded
from rui_lsp.scheduling.worker_process import HELPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.syntax.line_index import Encoding
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument

_T = TypeVar("_T")

SMALL = 10_000
"""A text of so many characters is no reason for the second process."""


async def aside(
    workspace: Workspace, opened: OpenDocument, answer: Callable[[Workspace, Json], _T], params: Json
) -> _T | Encoded:
    """The answer to a request about one document; if that is large, it is found aside, and encoded there, too.

    Args:
        workspace: whose request it is.
        opened: the document.
        answer: a function of a module; what is done aside gets a workspace with a copy of this document alone.
        params: the request's.

    Raises:
        LspError: the document has changed meanwhile, or `answer` refuses.
    """
    if len(opened.text) <= SMALL:
        return answer(workspace, params)
    version, text, client = opened.version, str(opened.text), workspace.client
    about = client.capabilities, client.settings, client.of_folders, client.folders
    found = await elsewhere(_answered, answer, params, about, (opened.uri, version, text), workspace.encoding)
    if opened.version != version:
        raise LspError("The document has changed meanwhile.", CONTENT_MODIFIED)
    return found


async def elsewhere(function: Callable[..., _T], *arguments: object) -> _T:
    """What a function of a module returns that others should not wait for; see `run`."""
    return await asyncio.to_thread(HELPER.run, function, *arguments)


def _answered(
    answer: Callable[[Workspace, Json], object],
    params: Json,
    about: tuple[object, ...],
    document: tuple[str, int, str],
    encoding: Encoding,
) -> Encoded:
    client = Client(lambda _: None)
    client.capabilities, client.settings, client.of_folders, client.folders = about  # type: ignore[assignment]
    alone = Workspace(encoding, client)
    alone.open(*document)
    return encoded(answer(alone, params))
