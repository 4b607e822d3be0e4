"""Work that takes longer than typing may wait: done in the worker process, on a copy of the text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from pygls.exceptions import JsonRpcContentModified

from rui_lsp.documents.document import OpenDocument
from rui_lsp.scheduling.worker_process import WORKER

_T = TypeVar("_T")

SMALL = 10_000
"""Characters of a text up to which the worker process is not worth its overhead."""


async def run_for_document(document: OpenDocument, function: Callable[..., _T], *arguments: object) -> _T:
    """The result of a function that is called with the text of a document.

    Args:
        document: the document; if it is large, the function runs in the worker process.
        function: a function of a module, called with the text and `arguments`.
        arguments: all of them can be pickled.

    Raises:
        JsonRpcContentModified: the document has changed meanwhile.
        JsonRpcException: the function raised it.
    """
    if len(document.text) <= SMALL:
        return function(str(document.text), *arguments)
    version = document.version
    result = await run_in_worker(function, str(document.text), *arguments)
    if document.version != version:
        raise JsonRpcContentModified("The document has changed meanwhile.")
    return result


async def run_in_worker(function: Callable[..., _T], *arguments: object) -> _T:
    """The result of a function of a module that is called in the worker process; see `WorkerProcess.run`."""
    return await asyncio.to_thread(WORKER.run, function, *arguments)
