"""Find, read and write documents, as bytes."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator

from rui_cli import output
from rui_cli.errors import OperationalError, reason
from rui_common.document_files import SUFFIX, find_documents, read_file, read_limited

STDIN = "-"
STDIN_NAME = "<stdin>"


def find(
    arguments: list[str], command: str, on_problem: Callable[[str], None], *, follow_links: bool = False
) -> Iterator[str]:
    """Yield the names of the documents in a command line, each once; `STDIN` for standard input.

    Args:
        arguments: files, folders, and ``-`` for standard input; no argument is the current folder. A folder includes
            the documents that `find_documents` returns. A file may have any name.
        command: the command that writes a note for each file that is skipped.
        on_problem: called for a folder that cannot be read or has no documents.
        follow_links: whether links that lead out of a folder are followed.
    """

    def on_error(error: OSError) -> None:
        on_problem(f"cannot read {error.filename}: {reason(error)}")

    def on_skipped(path: str, why: str) -> None:
        output.print_error(f"note: {_short(path)} is skipped: {why}", command)

    yielded: set[str] = set()
    for argument in arguments or [os.curdir]:
        if argument == STDIN or not os.path.isdir(argument):
            names = [argument]  # reading it reports a missing file
        else:
            found = find_documents(argument, on_skipped, on_error, follow_links=follow_links)
            names = [_short(path) for path in found]
            if not names:
                folder = "this folder" if argument == os.curdir else argument
                on_problem(f"no *{SUFFIX} in {folder}")
        for name in names:
            key = name if name == STDIN or "\0" in name else os.path.realpath(name)
            if key not in yielded:
                yielded.add(key)
                yield name


class Documents:
    """The documents in a command line, read while they are iterated: the name of each and its bytes.

    What cannot be read is one line on standard error, and the others go on.

    Attributes:
        problems: the number of files and folders that could not be read or written.
    """

    def __init__(self, arguments: list[str], command: str) -> None:
        self._arguments = arguments
        self._command = command
        self.problems = 0

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name in find(self._arguments, self._command, self.report):
            try:
                data = read_bytes(name)
            except OperationalError as error:
                self.report(str(error))
            else:
                yield name, data

    def report(self, problem: str) -> None:
        """Write a problem to standard error and count it."""
        self.problems += 1
        output.print_error(problem, self._command)


def _short(path: str) -> str:
    return path.removeprefix(os.path.join(os.curdir, ""))


def read_bytes(name: str) -> bytes:
    """Read a file, or standard input.

    Raises:
        OperationalError: it cannot be read.
    """
    if "\0" in name:
        raise OperationalError(f"cannot read {display_name(name)}: the name contains a zero byte")
    try:
        if name == STDIN:
            return _read_stdin()
        return read_file(name)
    except OSError as error:
        raise OperationalError(f"cannot read {display_name(name)}: {reason(error)}") from None
    except ValueError as error:  # standard input is closed
        raise OperationalError(f"cannot read {display_name(name)}: {error}") from None


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise OperationalError("there is no standard input to read")
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        return sys.stdin.read().encode("utf-8", "surrogatepass")
    return read_limited(buffer)


def display_name(name: str) -> str:
    """Return the name of a document for messages."""
    if name == STDIN:
        return STDIN_NAME
    return name


def write_bytes(name: str, data: bytes) -> None:
    """Replace the content of a file atomically: readers, and a crash, find the old or the new content.

    The permissions are kept. A symbolic link is kept, and its target is replaced.

    Raises:
        OperationalError: it cannot be written, and is unchanged.
    """
    try:
        _replace(os.path.realpath(name), data)
    except OSError as error:
        raise OperationalError(f"cannot write {name}: {reason(error)}") from None


def write_or_create(name: str, data: bytes) -> None:
    """Write a file, or replace its content.

    Raises:
        OperationalError: it cannot be written.
    """
    if os.path.isfile(name):
        write_bytes(name, data)
        return
    try:
        with open(name, "wb") as file:
            file.write(data)
    except OSError as error:
        raise OperationalError(f"cannot write {name}: {reason(error)}") from None


def _replace(path: str, data: bytes) -> None:
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no regular file")
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "permission denied")
    temporary = _write_temporary(os.path.dirname(path), data)
    try:
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        _copy_owner(temporary, status)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(os.path.dirname(path))


def _write_temporary(folder: str, data: bytes) -> str:
    """Write a new file and sync it to the disk; return its path."""
    path = os.path.join(folder, f".rui-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    with open(path, "xb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(path)
            raise
    return path


def _copy_owner(path: str, status: os.stat_result) -> None:
    """Set the owner, as far as permitted: only root may give a file to another user."""
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.chown(path, status.st_uid, status.st_gid)
        except OSError:
            return
        os.chmod(path, stat.S_IMODE(status.st_mode))  # chown may have cleared bits


def _sync_folder(folder: str) -> None:
    """Sync the new directory entry to the disk, where the platform can."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
