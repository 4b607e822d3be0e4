"""Find, read and write documents, as bytes."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator

from rui_cli import output
from rui_cli.errors import OperationalError, reason
from rui_common.document_files import SUFFIX, check_regular, find_documents, read_file, read_limited

STDIN = "-"

STDIN_PATHS = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}
"""Names of standard input that mean the same as ``-``. Opening them fails if it is a socket, as below Node.js."""


class Documents:
    """The documents in a command line, read while they are iterated: the name of each and its bytes.

    What cannot be read is one line on standard error, and the others go on.

    Args:
        arguments: files, folders, and ``-`` for standard input; no argument is the current folder. A folder includes
            the documents that `find_documents` returns. A file that is named may have any name, and may be a pipe.
        command: the name of the command.

    Attributes:
        problems: the number of files and folders that could not be read or written.
    """

    def __init__(self, arguments: list[str], command: str) -> None:
        self._arguments = arguments
        self._command = command
        self.problems = 0

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        read = set()
        for name, is_named in self._names():
            path = name if name == STDIN else os.path.realpath(name)
            if path in read:
                continue
            read.add(path)
            try:
                data = read_bytes(name, may_be_pipe=is_named)
            except OperationalError as error:
                self.report(str(error))
            else:
                yield name, data

    def report(self, problem: str) -> None:
        """Write a problem to standard error and count it."""
        self.problems += 1
        output.print_error(problem, self._command)

    def replace(self, name: str, data: bytes, verb: str) -> bool:
        """Replace the content of a document; say so on standard error, or why not. Return whether it is replaced.

        Args:
            name: the name of its file. A pipe cannot be replaced.
            data: the new content.
            verb: what was done, such as "formatted".
        """
        try:
            check_regular(os.stat(name))
            _replace(os.path.realpath(name), data)
        except OSError as error:
            self.report(f"cannot write {name}: {reason(error)}")
            return False
        output.print_error(f"{verb} {name}", self._command)
        return True

    def _names(self) -> Iterator[tuple[str, bool]]:
        """Yield the name of each document, and whether it is an argument."""
        for argument in self._arguments or [os.curdir]:
            if argument == STDIN or not os.path.isdir(argument):
                yield argument, True  # reading it reports a missing file
                continue
            names = [_short(path) for path in find_documents(argument, self._on_skipped, self._on_error)]
            for name in names:
                yield name, False
            if not names:
                folder = "this folder" if argument == os.curdir else argument
                self.report(f"no *{SUFFIX} in {folder}")

    def _on_skipped(self, path: str, why: str) -> None:
        output.print_error(f"note: {_short(path)} is skipped: {why}", self._command)

    def _on_error(self, error: OSError) -> None:
        self.report(f"cannot read {error.filename}: {reason(error)}")


def _short(path: str) -> str:
    return path.removeprefix(os.path.join(os.curdir, ""))


def read_bytes(name: str, *, may_be_pipe: bool = True) -> bytes:
    """Read a file, or standard input.

    Args:
        name: the name of the file, or ``-``.
        may_be_pipe: whether the file may be a pipe, because the user has named it.

    Raises:
        OperationalError: it cannot be read.
    """
    try:
        if name != STDIN:
            return read_file(name, may_be_pipe=may_be_pipe)
        if sys.stdin is None or sys.stdin.closed:
            raise OSError("it is closed")
        return read_limited(sys.stdin.buffer)
    except OSError as error:
        raise OperationalError(f"cannot read {display_name(name)}: {reason(error)}") from None


def display_name(name: str) -> str:
    """Return the name of a document for messages."""
    if name == STDIN:
        return "<stdin>"
    return name


def write_bytes(name: str, data: bytes) -> None:
    """Write a new file, or replace the content of a file. A device or pipe gets the data.

    Raises:
        OperationalError: it cannot be written. The content of a file is unchanged.
    """
    try:
        if os.path.isfile(name):
            _replace(os.path.realpath(name), data)
        else:
            with open(name, "wb") as file:
                file.write(data)
    except OSError as error:
        raise OperationalError(f"cannot write {name}: {reason(error)}") from None


def _replace(path: str, data: bytes) -> None:
    """Replace the content of a file atomically: readers, and a crash, find the old or the new content.

    Permissions and, as far as permitted, the owner are kept.
    """
    status = os.stat(path)
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "permission denied")
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # only root may give a file to another user
            os.chown(temporary, status.st_uid, status.st_gid)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
