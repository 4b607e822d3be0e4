"""Errors of a run, in contrast to errors in documents, and exit codes."""

DEBUG_VARIABLE = "RUI_DEBUG"  # the environment variable that, if it is ``1``, lets internal errors end with a traceback


class ExitCode:
    """Exit codes. Every error of a run is reported in one line on standard error, and ends in `FAILED`."""

    OK = 0
    FINDINGS = 1
    FAILED = 2
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def exit_code(problems: int, findings: int) -> int:
    """Return the exit code after a number of problems with files, and of findings in documents."""
    if problems:
        return ExitCode.FAILED
    if findings:
        return ExitCode.FINDINGS
    return ExitCode.OK


class UsageError(Exception):
    """The command line is invalid; the message is the reason."""


class OperationalError(Exception):
    """A file cannot be read or written; the message is the reason."""


def reason(error: OSError) -> str:
    """Return why a system call failed, in lower case."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


def internal_error(error: Exception) -> str:
    """Return an error of the program in one line, and what to do."""
    return f"internal error: {error!r:.300}; run again with {DEBUG_VARIABLE}=1 and report its output"
