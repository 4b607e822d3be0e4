"""Finding, reading and writing documents. Bytes go in and out; nothing is decoded here."""

from __future__ import annotations

import os
import stat
import sys

from rui_cli.errors import ProblemError, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUFFIX = ".rui.json"
STDIN = "-"
STDIN_NAME = "<stdin>"
SKIPPED = {"node_modules"}


def find(arguments: list[str], on_problem: Callable[[str], None]) -> Iterator[str]:
    """The documents that a command line names, each once.

    Args:
        arguments: files, folders, and ``-`` for standard input; no argument is the current folder. A folder stands
            for every ``*.rui.json`` below it, in an order that does not change; hidden folders and ``node_modules``
            are passed over, and so are pipes and devices. A file is taken whatever its name.
        on_problem: told of everything that is not there, cannot be entered, or has no documents in it.

    Yields:
        Names to read and to show; `STDIN` for standard input.
    """
    seen: set[str] = set()
    for argument in arguments or [os.curdir]:
        found = 0
        for name in _find(argument, on_problem):
            found += 1
            key = name if name == STDIN or "\0" in name else os.path.realpath(name)
            if key not in seen:
                seen.add(key)
                yield name
        if not found and argument != STDIN and os.path.isdir(argument):
            where = "this folder" if argument == os.curdir else argument
            on_problem(f"no *{SUFFIX} in {where}")


def _find(argument: str, on_problem: Callable[[str], None]) -> Iterator[str]:
    if argument == STDIN or not os.path.isdir(argument):
        # What is not there is told by whoever tries to read it.
        yield argument
        return
    prefix = "" if argument == os.curdir else argument
    names: list[str] = []
    for folder, folders, files in os.walk(argument, onerror=lambda error: on_problem(_unreadable(error))):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        inner = os.path.relpath(folder, argument)
        base = prefix if inner == os.curdir else os.path.join(prefix, inner)
        names += [
            os.path.join(base, name)
            for name in files
            if name.endswith(SUFFIX) and not _waits(os.path.join(folder, name))
        ]
    yield from sorted(names, key=lambda name: name.split(os.sep))


def _waits(path: str) -> bool:
    """Whether it is a pipe, a socket or a device, which may never end, and nobody has named it."""
    try:
        mode = os.stat(path).st_mode
    except OSError:  # told by whoever tries to read it
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _unreadable(error: OSError) -> str:
    return f"cannot read {error.filename}: {reason(error)}"


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input.

    Raises:
        ProblemError: it cannot be read.
    """
    try:
        if name == STDIN:
            return _read_stdin()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise ProblemError(f"cannot read {shown_name(name)}: {reason(error)}") from None
    except ValueError as error:  # a name with a zero byte, a closed standard input
        raise ProblemError(f"cannot read {shown_name(name)}: {error}") from None


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise ProblemError("there is no standard input to read")
    buffer = getattr(sys.stdin, "buffer", None)
    return bytes(buffer.read()) if buffer is not None else sys.stdin.read().encode("utf-8", "surrogatepass")


def shown_name(name: str) -> str:
    """How a name is shown."""
    return STDIN_NAME if name == STDIN else name


def write_bytes(name: str, data: bytes) -> None:
    """Replace a file by a new version of it, at once or not at all.

    Whoever reads it meanwhile, and a crash at any moment, finds the old file or the new one, whole. The permissions
    stay; a symbolic link stays one, and the file it leads to is replaced.

    Raises:
        ProblemError: it cannot be written; it is as it was then.
    """
    try:
        _replace(os.path.realpath(name), data)
    except OSError as error:
        raise ProblemError(f"cannot write {name}: {reason(error)}") from None


def _replace(path: str, data: bytes) -> None:
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is no regular file")
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "permission denied")
    temporary = _write_beside(path, data)
    try:
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        _keep_owner(temporary, status)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(os.path.dirname(path))


def _write_beside(path: str, data: bytes) -> str:
    """Write a new file in the folder of `path`, down to the disk; its name."""
    temporary = os.path.join(os.path.dirname(path), f".rui-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    with open(temporary, "xb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(temporary)
            raise
    return temporary


def _keep_owner(path: str, status: os.stat_result) -> None:
    """Only root may give a file to somebody else; anybody else's new version is their own."""
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.chown(path, status.st_uid, status.st_gid)
        except OSError:
            return
        os.chmod(path, stat.S_IMODE(status.st_mode))  # chown may have cleared some bits


def _sync_folder(folder: str) -> None:
    """So that the new name survives a loss of power, where folders can be synced."""
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
