"""The supervisor of ``--workers``: uvicorn's, with a log line for a worker that ended."""

from __future__ import annotations

import logging
import signal

from uvicorn.supervisors import Multiprocess

log = logging.getLogger("rui_api")


class Workers(Multiprocess):
    """Runs workers, and replaces those that ended. uvicorn logs them as information, without their exit code."""

    def keep_subprocess_alive(self) -> None:
        """Replace workers that ended or do not answer, and log how they ended."""
        before = list(self.processes)
        super().keep_subprocess_alive()
        for process in before:
            if process not in self.processes:
                log.error("worker %s ended with %s and is replaced", process.pid, shown_exit(process.exitcode))


def shown_exit(code: int | None) -> str:
    """Return the name of the signal that ended a process, such as ``SIGKILL (-9)``, or its exit code."""
    if code is not None and code < 0:
        names = {one.value: one.name for one in signal.Signals}
        return f"{names.get(-code, 'a signal')} ({code})"
    return f"exit code {code}"
