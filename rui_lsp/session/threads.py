"""What keeps long work from delaying other requests: threads, and turns in the thread of the server."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

MAX_TURN = 0.005
"""Seconds of work after which other requests have their turn."""


async def in_thread(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Return what a function returns, or raise what it raises, in a thread of its own.

    Unlike with `asyncio.to_thread`, the process ends without waiting for it.
    """
    outcome: Future[_T] = Future()
    outcome.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(outcome)


async def in_turns(items: Iterable[_T]) -> AsyncIterator[_T]:
    """Yield items. Between them, other requests have their turn, and the one that uses the items can be cancelled."""
    start = time.monotonic()
    for item in items:
        yield item
        if time.monotonic() - start > MAX_TURN:
            await asyncio.sleep(0)
            start = time.monotonic()
