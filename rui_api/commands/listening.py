"""The listening socket of the service: a port or a Unix socket."""

import errno
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from rui_api.config.loading import SettingsError
from rui_api.config.options import Settings
from rui_common.redact import redact_userinfo

_REASONS = {
    errno.EADDRINUSE: "another program uses it; choose another port with --port or RUI_PORT, or make serve PORT=8001",
    errno.EACCES: "it is not permitted; choose a port from 1024 with --port, or RUI_PORT",
    errno.EADDRNOTAVAIL: "this machine has no such address; name one with --host, or RUI_HOST",
}
"""What is wrong with an address, and what to do, by the number of the error."""

PROBE_SECONDS = 1.0  # how long another process may take to accept a connection at its socket


class _FileId(NamedTuple):
    """Identifies a file at a path. The time tells files apart that have had the same inode one after the other."""

    device: int
    inode: int
    modified_at: int  # in nanoseconds


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Open the listening socket, and close it at the end. uvicorn would log a stack trace if it cannot be used.

    Raises:
        SettingsError: the address or path cannot be used.
    """
    place = settings.unix_socket or f"{redact_userinfo(settings.host)} port {settings.port}"
    with ExitStack() as stack:
        try:
            if settings.unix_socket:
                listener = stack.enter_context(_listening_at(Path(settings.unix_socket)))
            else:
                listener = stack.enter_context(_listen_on(settings.host, settings.port))
        except (OSError, ValueError) as error:  # ValueError: it contains NUL, or is no name of a host
            reason = getattr(error, "strerror", None) or str(error)
            if isinstance(error, OSError) and not settings.unix_socket:
                reason = _REASONS.get(error.errno or 0, reason)
            raise SettingsError(f"cannot listen on {place}: {reason}") from None
        yield listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of the service; for a Unix socket ``unix:`` and its path."""
    address = listener.getsockname()
    if isinstance(address, str):
        return f"unix:{address}"
    host, port = address[:2]
    if listener.family != socket.AF_INET6:
        return f"http://{host}:{port}"
    host, percent, zone = socket.getnameinfo(address, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0].partition("%")
    return f"http://[{host}{'%25' if percent else ''}{zone}]:{port}"  # RFC 6874


def _listen_on(host: str, port: int) -> socket.socket:
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = addresses[0]
    is_both = family == socket.AF_INET6 and address[0] == "::" and socket.has_dualstack_ipv6()
    # With its zone: a link-local address belongs to an interface.
    return socket.create_server(address, family=family, dualstack_ipv6=is_both)


@contextmanager
def _listening_at(path: Path) -> Iterator[socket.socket]:
    """Open a Unix socket, and remove its file at the end.

    A file that another process has left is replaced, one that is in use is not.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with _locked_folder(path):
            _remove_left(path)
            listener.bind(str(path))
            path.chmod(0o666)  # as uvicorn does: the rights of its folder decide who may connect
            listener.listen()
            bound = _file_id(path)
        try:
            yield listener
        finally:
            _remove(path, bound)


@contextmanager
def _locked_folder(path: Path) -> Iterator[None]:
    """Lock the folder of a socket: two services that start at the same time would both replace the same file."""
    import fcntl  # POSIX alone has it

    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _remove_left(path: Path) -> None:
    """Remove a socket on which nobody listens any more. Raises OSError if the path is in use otherwise."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(errno.EEXIST, "another file is there, which is no socket; name another path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_SECONDS)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except (TimeoutError, BlockingIOError):  # many connections wait for a process that does not accept them
            pass
    raise OSError(errno.EADDRINUSE, "another process listens there; stop it first, or name another path")


def _file_id(path: Path) -> _FileId:
    status = path.lstat()
    return _FileId(status.st_dev, status.st_ino, status.st_mtime_ns)


def _remove(path: Path, bound: _FileId) -> None:
    """Remove the socket of this process, unless another process has replaced it."""
    with suppress(OSError), _locked_folder(path):  # a socket that cannot be removed is replaced by the next process
        if _file_id(path) == bound:
            path.unlink()
