"""The listening socket of the service: a port or a Unix socket."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rui_api.config.loading import SettingsError
from rui_api.config.options import Settings
from rui_common.redact import redact_userinfo


class AddressError(SettingsError):
    """The address is not available now: another program uses it, or the machine does not have it yet."""


_NOT_NOW = (errno.EADDRINUSE, errno.EADDRNOTAVAIL)

_REASONS = {
    errno.EADDRINUSE: "another program uses it; choose another port with --port or RUI_PORT, or make serve PORT=8001",
    errno.EACCES: "it is not permitted; choose a port from 1024 with --port, or RUI_PORT",
    errno.EADDRNOTAVAIL: "this machine has no such address; name one with --host, or RUI_HOST",
}
"""What is wrong with an address, and what to do, by the number of the error."""

_UNIX_REASONS = {
    errno.EADDRINUSE: "another process listens there, or another file is there; stop it first, or name another path"
}
CONNECT_SECONDS = 1.0  # how long a process that listens at a path may take until it is known to


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Open the listening socket, and close it at the end. uvicorn would log a stack trace if it cannot be used.

    Raises:
        AddressError: the address, its name or the path is not available now.
        SettingsError: the address or path cannot be used.
    """
    place = settings.unix_socket or f"{redact_userinfo(settings.host)} port {settings.port}"
    reasons = _UNIX_REASONS if settings.unix_socket else _REASONS
    try:
        if settings.unix_socket:
            listener = _listen_at(Path(settings.unix_socket))
        else:
            listener = _listen_on(settings.host, settings.port)
    except OSError as error:
        reason = reasons.get(error.errno or 0) or error.strerror or str(error)
        is_temporary = error.errno in _NOT_NOW or isinstance(error, socket.gaierror)
        error_type = AddressError if is_temporary else SettingsError
        raise error_type(f"cannot listen on {place}: {reason}") from None
    except ValueError as error:  # It contains NUL, or is no name of a host.
        raise SettingsError(f"cannot listen on {place}: {error}") from None
    with listener:
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


def _listen_at(path: Path) -> socket.socket:
    """Open a Unix socket. Its file stays at the end, and the next service replaces it."""
    with _locked(path.parent):
        _remove_dead_socket(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(str(path))
            path.chmod(0o666)  # as uvicorn does: the rights of its folder decide who may connect
            listener.listen()
        except BaseException:
            listener.close()
            raise
    return listener


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let other services wait that start with a socket in this folder.

    Else one that starts at the same time finds the socket of the other before that listens, and removes it.
    """
    import fcntl  # Windows has none

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_dead_socket(path: Path) -> None:
    """Remove a socket on which nobody listens any more."""
    if path.is_symlink() or not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client, suppress(TimeoutError, BlockingIOError):
        client.settimeout(CONNECT_SECONDS)
        try:
            client.connect(str(path))  # waits, or fails with BlockingIOError, if its queue is full
        except ConnectionRefusedError:
            path.unlink()
