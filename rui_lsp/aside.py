"""Work that takes longer than others should wait: done in a thread, on a copy of the document."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from rui_lsp.errors import CONTENT_MODIFIED, LspError
from rui_lsp.text import Text
from rui_lsp.workspace import OpenDocument

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")

_SMALL = 10_000
"""A text of so many characters is worked on at once."""


async def aside(opened: OpenDocument, compute: Callable[[OpenDocument], _T]) -> _T:
    """What is computed of a document, of a large one in a thread.

    The thread has a document of its own: an open one is changed in place, and looks things up as it is asked.

    Raises:
        LspError: the document has changed meanwhile.
    """
    if len(opened.text) <= _SMALL:
        return compute(opened)
    version, text = opened.version, str(opened.text)
    found = await asyncio.to_thread(
        lambda: compute(OpenDocument(opened.uri, version, Text(text, opened.text.encoding)))
    )  # fmt: skip
    if opened.version != version:
        raise LspError("The document has changed meanwhile.", CONTENT_MODIFIED)
    return found
