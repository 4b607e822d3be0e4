"""What errors of asyncpg and PostgreSQL mean for the store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from rui_api.store.base import StorageUnavailable, StoreFull


class NoSuitableHost(OSError):  # noqa: N818  a state of the servers
    """No server of the URL can be used. The message names the reason for each."""


ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors that mean: the store is unavailable. All SQL is constant, so a rejected statement is the server's fault."""

CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.StatementCompletionUnknownError)
"""SQLSTATE 40001, 40P01 and 40003: the transaction has to be repeated."""

_STAYS_USABLE = ("40", "53", "54", "55", "57014")
"""SQLSTATEs after which a connection is still good: conflicts, lack of resources, locks, and timeouts of statements."""

_POOLER = (asyncpg.InvalidSQLStatementNameError, asyncpg.DuplicatePreparedStatementError)
POOLER_HINT = "a pooler in transaction mode needs --postgres-prepared off"

_CONNECT_FAILED = re.compile(r"\[Errno (\d+)\] Connect call failed \('([^']*)'(?:, (\d+)[^)]*)?\)")
_ERRNO = re.compile(r"\[Errno -?\d+\] ")


def needs_reconnection(error: BaseException) -> bool:
    """Return whether a connection is lost or useless after `error`, for example because its server is a standby now."""
    if isinstance(error, StoreFull):
        return False
    state = getattr(error, "sqlstate", None) or ""
    return not state.startswith(_STAYS_USABLE)


@contextmanager
def map_errors() -> Iterator[None]:
    """Turn `ERRORS` into `StorageUnavailable`."""
    try:
        yield
    except ERRORS as error:
        raise StorageUnavailable(f"PostgreSQL: {describe(error)}") from error


def describe(error: BaseException, host: str = "") -> str:
    """Return the message of `error` in one line, with the words of the operating system in place of errno.

    Args:
        error: any of `ERRORS`.
        host: the server, for messages that do not name it.
    """
    message = str(error).partition("\n")[0].removeprefix("Multiple exceptions: ")
    if isinstance(error, _POOLER):
        message = f"{message}: {POOLER_HINT}"
    elif isinstance(error, asyncpg.TargetServerAttributeNotMatched):
        message = "not the sort of server that is wanted (target_session_attrs)"
    words = _ERRNO.sub("", _CONNECT_FAILED.sub(_connect_failure, message)) or "no answer in time"
    if not host or host in words:
        return words
    return f"{words} ({host})"


def _connect_failure(match: re.Match[str]) -> str:
    number, host, port = match.groups()
    address = f"{host} port {port}" if port else host
    return f"{os.strerror(int(number)).lower()} ({address})"
