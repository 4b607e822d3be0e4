"""Threads for what may take long: a service that does not answer, a large folder."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


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
