"""The handlers that are running: coroutines that wait for the client, for a thread or for a pause."""

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Any

from pygls.exceptions import JsonRpcRequestCancelled


class RunningHandlers:
    """The running handlers of one session, which end with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any] | None] = set()
        self._is_over = False

    def watched(self, handler: Callable[..., Any], *, is_request: bool) -> Callable[..., Any]:
        """Return a handler that `cancel` ends. A request that it serves is answered with an error.

        pygls itself loses a request if it calls the handler by a function of its own, as that of a command.
        """
        if not asyncio.iscoroutinefunction(handler):
            return handler

        @wraps(handler)
        async def watched(*args: object) -> object:
            task = asyncio.current_task()
            self._tasks.add(task)
            try:
                if not self._is_over:  # It was not when the message was read.
                    return await handler(*args)
            except asyncio.CancelledError:
                pass
            finally:
                self._tasks.discard(task)
            if is_request:
                raise JsonRpcRequestCancelled
            return None

        return watched

    def cancel(self) -> None:
        """End all handlers, those included whose messages have been read just now."""
        self._is_over = True
        for task in self._tasks:
            if task is not None:
                task.cancel()
