"""Errors of a run, in contrast to errors in documents. Each becomes one line on standard error and exit code 2."""

from __future__ import annotations


class UsageError(Exception):
    """The command line is invalid; the message is the reason."""


class OperationalError(Exception):
    """A file cannot be read or written, or a package is missing; the message is the reason."""


def reason(error: OSError) -> str:
    """Return why a system call failed, in lower case."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
