"""The signals of the service (docs/operations.md). uvicorn handles SIGINT and SIGTERM."""

import signal

IGNORED_SIGNALS = ("SIGHUP", "SIGUSR1", "SIGUSR2")
"""Signals that end a process by default, and that operators and log rotation send to services."""


def ignore_signals() -> None:
    for name in IGNORED_SIGNALS:
        if hasattr(signal, name):  # Windows has none of them
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def stop_on_sigquit() -> None:
    """Treat SIGQUIT as SIGTERM. By default it writes a core file, and uvicorn's supervisor ignores it."""
    if hasattr(signal, "SIGQUIT"):
        signal.signal(signal.SIGQUIT, lambda *_: signal.raise_signal(signal.SIGTERM))
