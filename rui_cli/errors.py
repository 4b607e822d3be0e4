"""What can go wrong with a run, as opposed to with a document. Each ends as one line on standard error and exit 2."""

from __future__ import annotations


class UsageError(Exception):
    """The command line is wrong; the message says how."""


class ProblemError(Exception):
    """A file cannot be read or written, a package is not there: the message says which and why."""


def reason(error: OSError) -> str:
    """Why a call to the operating system failed, in a few words that begin with a small letter."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
