"""The worker process for work that takes long: threads would share the interpreter with the event loop.

It starts with the first task, runs one task at a time, and ends after a minute without any. If it dies, it is started
again; if it cannot be started, tasks run in threads of the server.
"""

from __future__ import annotations

import atexit
import pickle
import traceback
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcRequestCancelled

from rui_common.child_process import ChildEndedError, ChildKilledError, ChildProcess, ChildStartError
from rui_lsp.protocol.log import logger

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    _T = TypeVar("_T")


class _Status(IntEnum):
    DONE = 0
    REFUSED = 1
    FAILED = 2


class _Reply(NamedTuple):
    status: _Status
    value: Any
    """The result, the message and code of the JsonRpcException, or the traceback."""


class WorkerProcess:
    """Runs functions in another process, one at a time."""

    def __init__(self) -> None:
        self._child = ChildProcess(__name__, "run_task")
        self._can_start = True

    def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """Return the result of a function that the other process calls; blocks until then.

        Args:
            function: a function of a module, which the other process imports.
            arguments: its arguments. They and the result are pickled.

        Raises:
            JsonRpcException: the function raised it, or another exception, which is logged.
        """
        if not self._can_start:
            return function(*arguments)
        try:
            answer = self._child.exchange(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL))
        except ChildStartError as error:
            logger.warning("no worker process, tasks run in threads: %s", error)
            self._can_start = False
            return function(*arguments)
        except ChildKilledError:
            raise JsonRpcRequestCancelled("The server ends.") from None
        except ChildEndedError:
            raise JsonRpcInternalError("The worker process has ended.") from None
        result: _T = _result(pickle.loads(answer))  # noqa: S301  from our own process
        return result

    def stop(self) -> None:
        """Kill the process without waiting for its task; the next task starts it again."""
        self._child.kill()


WORKER = WorkerProcess()
"""The worker process of this server."""

API_WORKER = WorkerProcess()
"""Another one, for what needs an OpenAPI description: formatting must not wait while a large one is read."""

for _worker in (WORKER, API_WORKER):
    atexit.register(_worker.stop)


def _result(reply: _Reply) -> Any:  # noqa: ANN401  what the function returned
    if reply.status is _Status.REFUSED:
        raise JsonRpcException(*reply.value)
    if reply.status is _Status.FAILED:
        logger.error("internal fault in the worker process\n%s", reply.value)
        raise JsonRpcInternalError(f"Internal fault: {reply.value.strip().splitlines()[-1]}")
    return reply.value


def run_task(task: bytes) -> bytes:
    """Run a task of `WorkerProcess.run` and return the pickled reply; called in the worker process."""
    return pickle.dumps(_reply(task), pickle.HIGHEST_PROTOCOL)


def _reply(task: bytes) -> _Reply:
    try:
        function, arguments = pickle.loads(task)  # noqa: S301  from the server
        return _Reply(_Status.DONE, function(*arguments))
    except JsonRpcException as error:
        return _Reply(_Status.REFUSED, (str(error), error.code))
    except Exception:
        return _Reply(_Status.FAILED, traceback.format_exc())
