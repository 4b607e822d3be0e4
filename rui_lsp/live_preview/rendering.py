"""The page of a text, in another thread or in the worker process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rui_common.syntax.paths import Path
from rui_common.validation.diagnostics import is_error
from rui_lsp.documents.document import OpenDocument
from rui_lsp.documents.offload import SMALL, run_in_worker
from rui_lsp.protocol.errors import RequestFailedError

Found = tuple[bool, str, Path, str, str]


async def render(source: str | bytes, places: dict[str, str], differences: Sequence[Found] = ()) -> str:
    """The page of a text. The text is parsed again, as an open document must not be used in another thread.

    Args:
        source: the text, or the bytes of a file.
        places: the attributes of `rui_inspector.html.pages.Host`.
        differences: those of `differences_of`.

    Raises:
        RequestFailedError: a package that the page needs is missing.
    """
    if len(source) > SMALL:
        return await run_in_worker(_page, source, places, differences)
    return await asyncio.to_thread(_page, source, places, differences)


def differences_of(document: OpenDocument | None) -> list[Found]:
    """Where the bindings of an open document differ from its OpenAPI description, as plain data."""
    if document is None or document.api is None:
        return []
    found = document.api_diagnostics(document.document)
    return [(is_error(one), one.code, one.path, one.message, one.hint) for one in found]


def _page(source: str | bytes, places: dict[str, str], differences: Sequence[Found]) -> str:
    try:
        from rui_inspector.html.pages import Host, preview_page  # noqa: PLC0415  slow, and may be missing
        from rui_inspector.model.problems import Difference  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise RequestFailedError(
            f"The preview needs {missing.name}: pip install 'rui-toolkit[lsp]' installs it."
        ) from None
    return preview_page(source, Host(**places), [Difference(*one) for one in differences])
