"""Requests that are answered before pygls is there: that takes a third of a second to load, for which nobody waits."""

from __future__ import annotations

import asyncio
from functools import partial

from rui_lsp import features
from rui_lsp.protocol.errors import REQUEST_CANCELLED, LspError
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Callable
    from typing import Any

    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace


class Early:
    """Answers requests with the features themselves. Any that fails is left to pygls, which says what is wrong.

    Args:
        workspace: the open documents.
        reply: sends the result of a request.
        refuse: sends an error: (request, code, words).
        leave: leaves a request to pygls.
    """

    def __init__(
        self,
        workspace: Workspace,
        reply: Callable[[Json, object], None],
        refuse: Callable[[Json, int, str], None],
        leave: Callable[[Json], None],
    ) -> None:
        self._workspace = workspace
        self._reply = reply
        self._refuse = refuse
        self._leave = leave
        self._handlers = features.handlers()
        self._tasks: dict[object, Task[object]] = {}

    def answer(self, message: Json) -> bool:
        """Answer a request, now or when it is done; whether that is possible."""
        answer: Callable[..., Any] | None = self._handlers.get(str(message.get("method")))
        if answer is None:
            return False
        if asyncio.iscoroutinefunction(answer):
            return self._begin(message, answer)
        try:
            result = answer(self._workspace, message.get("params"))
        except Exception as error:
            logger().debug("%s is left to pygls: %r", message["method"], error)
            return False
        self._reply(message, result)
        return True

    def notice(self, message: Json) -> bool:
        """Take note of a notification; whether a feature wants to know of it."""
        handle: Callable[..., Any] | None = self._handlers.get(str(message.get("method")))
        if handle is None or asyncio.iscoroutinefunction(handle):
            return False
        try:
            handle(self._workspace, message.get("params"))
        except Exception as error:
            logger().debug("%s is left to pygls: %r", message["method"], error)
            return False
        return True

    def cancel(self, number: object) -> bool:
        """Cancel a request that has begun; whether there is such a one."""
        task = self._tasks.get(number)
        return task is not None and task.cancel()

    def _begin(self, message: Json, answer: Callable[..., Any]) -> bool:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False  # A session without a transport has nobody who runs tasks.
        task = self._tasks[message["id"]] = loop.create_task(answer(self._workspace, message.get("params")))
        task.add_done_callback(partial(self._end, message))
        return True

    def _end(self, message: Json, task: Task[object]) -> None:
        self._tasks.pop(message["id"], None)
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            self._refuse(message, REQUEST_CANCELLED, "Cancelled.")
        elif isinstance(error, LspError):
            self._refuse(message, error.code, str(error))
        elif error is not None:
            logger().debug("%s is left to pygls: %r", message["method"], error)
            self._leave(message)
        else:
            self._reply(message, task.result())
