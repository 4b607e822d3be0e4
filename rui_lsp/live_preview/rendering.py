"""The page of a text, in another thread or in the worker process."""

from __future__ import annotations

import asyncio

from rui_lsp.documents.offload import SMALL, run_in_worker
from rui_lsp.protocol.errors import RequestFailedError


async def render(source: str | bytes, places: dict[str, str]) -> str:
    """The page of a text. The text is parsed again, as an open document must not be used in another thread.

    Args:
        source: the text, or the bytes of a file.
        places: the attributes of `rui_inspector.html.pages.Host`.

    Raises:
        RequestFailedError: a package that the page needs is missing.
    """
    if len(source) > SMALL:
        return await run_in_worker(_page, source, places)
    return await asyncio.to_thread(_page, source, places)


def _page(source: str | bytes, places: dict[str, str]) -> str:
    try:
        from rui_inspector.html.pages import Host, preview_page  # noqa: PLC0415  slow, and may be missing
    except ModuleNotFoundError as missing:
        raise RequestFailedError(
            f"The preview needs {missing.name}: pip install 'rui-toolkit[lsp]' installs it."
        ) from None
    return preview_page(source, Host(**places))
