"""A process for tasks that may take long: no event loop waits for it, and it can be killed.

It replaces `ProcessPoolExecutor`. When the program is killed, that leaves semaphores of which Python warns on standard
error, and when the program ends, it waits until the process has started.
"""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import IO, Any, NoReturn, TypeVar

MAX_START_SECONDS = 30.0  # maximum duration of the start of the process, which may take seconds on a busy machine
IDLE_SECONDS = 60.0  # seconds without a task after which the process ends, which frees its memory

# The working directory, which may be a workspace that is not trusted, is not searched for modules.
_START = "import sys; sys.path[:] = sys.argv[1:]; from rui_common.task_process import run_tasks; run_tasks()"
_END = b""  # is sent in place of a task
_LENGTH_BYTES = 8  # the number of bytes of the length before each message

_T = TypeVar("_T")


class TaskProcessError(Exception):
    """The process cannot be started, or has ended in a task."""


class _EndedError(Exception):
    """The process has ended, for example because the system has killed it."""


class TaskProcess:
    """Runs tasks in another process, one at a time. It starts with a task, and ends after a minute without any.

    A task is a function and its arguments, as a `functools.partial`. Task and result are pickled.
    """

    def __init__(self) -> None:
        self._worker: _Worker | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int:
        """The id of the process; 0 if there is none."""
        return 0 if self._worker is None else self._worker.process.pid

    async def run(self, task: Callable[[], _T], max_seconds: float) -> _T:
        """Return the result of a task.

        Raises:
            TimeoutError: it takes longer than `max_seconds`. The process is killed.
            TaskProcessError: the process does not start, or has ended in the task twice.
        """
        async with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            try:
                return await self._run(task, max_seconds)
            except _EndedError:
                with suppress(_EndedError):
                    return await self._run(task, max_seconds)
                raise TaskProcessError("the process has ended in a task") from None
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.end)

    def kill(self) -> None:
        """End the process and cancel its task; the next task starts another."""
        if self._worker is not None:
            self._worker.kill()
        self._worker = None

    def end(self) -> None:
        """Let the process end when it has no task; the next task starts another."""
        if self._worker is not None:
            self._worker.end()
        self._worker = None

    async def _run(self, task: Callable[[], _T], max_seconds: float) -> _T:
        try:
            if self._worker is None or self._worker.has_ended:
                self._worker = _Worker()
            result = self._worker.send(task)
            # It is shielded, as further tasks wait for it if this one is cancelled.
            await asyncio.wait_for(asyncio.shield(self._worker.started), MAX_START_SECONDS)
        except OSError as error:  # also a TimeoutError
            self.kill()
            raise TaskProcessError(f"the process cannot be started: {error!r}") from None
        try:
            answer: _T = await asyncio.wait_for(result, max_seconds)
        except TimeoutError:
            self.kill()
            raise
        return answer


class _Worker:
    """The process, and the threads that write to it and read from it."""

    def __init__(self) -> None:
        self.has_ended = False
        self._is_killed = False  # on purpose, so that its tasks are not run again
        self._loop = asyncio.get_running_loop()
        self.started: asyncio.Future[None] = self._loop.create_future()  # when the modules of the first task are there
        self._waiting: deque[asyncio.Future[Any]] = deque([self.started])  # what waits for messages of the process
        self._messages: SimpleQueue[bytes] = SimpleQueue()  # to the process
        command = [sys.executable, "-c", _START, *sys.path]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        for target, stream in ((self._write, self.process.stdin), (self._read, self.process.stdout)):
            # Daemons, as a thread that waits for a process cannot be ended.
            threading.Thread(target=target, args=(stream,), daemon=True).start()

    def send(self, task: Callable[[], object]) -> asyncio.Future[Any]:
        """Return the future of the result of a task. If the process ends by itself, it raises an `_EndedError`."""
        future = self._loop.create_future()
        self._messages.put(pickle.dumps(task))
        self._waiting.append(future)
        return future

    def end(self) -> None:
        self._messages.put(_END)

    def kill(self) -> None:
        self._is_killed = True
        self.process.kill()
        self.end()

    def _write(self, stream: IO[bytes]) -> None:
        """Send messages, in a thread: the process may be busy, and not read a large one."""
        with suppress(OSError), stream:  # OSError: the process has ended.
            message: bytes | None = None
            while message != _END:
                message = self._messages.get()
                _send(stream, message)

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(EOFError, RuntimeError), stream:  # RuntimeError: the event loop is closed.
            while True:
                is_result, value = _load(_receive(stream))
                self._loop.call_soon_threadsafe(self._take, is_result, value)
        self.process.wait()
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._note_end)

    def _take(self, is_result: bool, value: Any) -> None:  # noqa: ANN401  the result of any task
        future = self._waiting.popleft()
        if future.done():  # cancelled: nobody waits any more
            return
        if is_result:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _note_end(self) -> None:
        self.has_ended = True
        self.end()
        for future in self._waiting:
            if self._is_killed:
                future.cancel()
            elif not future.done():
                future.set_exception(_EndedError())
                future.exception()  # There is no warning if nobody waits any more.


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(len(message).to_bytes(_LENGTH_BYTES, "big") + message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    """Return the next message.

    Raises:
        EOFError: the other side has ended.
    """
    header = stream.read(_LENGTH_BYTES)
    length = int.from_bytes(header, "big")
    message = stream.read(length)
    if len(header) < _LENGTH_BYTES or len(message) < length:
        raise EOFError
    return message


def _load(message: bytes) -> tuple[bool, Any]:
    """Return what `_run` has pickled; False and an error if it cannot be read."""
    try:
        is_result, value = pickle.loads(message)  # noqa: S301  It is from this program.
    except Exception as error:
        return False, error
    return is_result, value


# In the process


def run_tasks() -> None:
    """Run the tasks that the program sends, until it sends no more or has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the program, which ends this process.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Messages alone are written to the pipe.
    if hasattr(os, "nice"):
        os.nice(5)  # The program has priority.
    messages: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read_messages, args=(messages,), daemon=True).start()
    has_started = False
    with suppress(OSError):  # the program has ended
        while (message := messages.get()) != _END:
            try:
                task = pickle.loads(message)  # noqa: S301  It is from the program, and imports its modules.
            except Exception as error:
                task = partial(_fail, error)
            if not has_started:
                has_started = True
                _send(output, pickle.dumps((True, None)))
            _send(output, _run(task))
    os._exit(0)  # A usual end would wait for the thread that reads.


def _read_messages(messages: SimpleQueue[bytes]) -> None:
    """Read messages; end this process when the program has ended, also in a task."""
    try:
        while True:
            messages.put(_receive(sys.stdin.buffer))
    finally:
        os._exit(1)


def _run(task: Callable[[], object]) -> bytes:
    """Run a task; return True with its result, or False with an error, pickled."""
    try:
        return pickle.dumps((True, task()))
    except Exception as error:
        error.add_note(traceback.format_exc())  # The log of the program shows where it was raised.
        try:
            return pickle.dumps((False, error))
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error))))


def _fail(error: Exception) -> NoReturn:
    raise error
