"""The listening socket of the service: a port or a Unix socket."""

import errno
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rui_api.config.loading import SettingsError
from rui_api.config.options import Settings
from rui_common.redact import redact_userinfo

_REASONS = {
    errno.EADDRINUSE: "another program uses it; choose another port with --port, or RUI_PORT",
    errno.EACCES: "it is not permitted; choose a port from 1024 with --port, or RUI_PORT",
    errno.EADDRNOTAVAIL: "this machine has no such address; name one with --host, or RUI_HOST",
}
"""What is wrong with an address, and what to do, by the number of the error."""


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Open the listening socket, and close it at the end. uvicorn would log a stack trace if it cannot be used.

    Raises:
        SettingsError: the address or path cannot be used.
    """
    place = settings.unix_socket or f"{redact_userinfo(settings.host)} port {settings.port}"
    try:
        if settings.unix_socket:
            listener = _listen_at(Path(settings.unix_socket))
        else:
            listener = _listen_on(settings.host, settings.port)
    except (OSError, ValueError) as error:  # ValueError: it contains NUL, or is no name of a host
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, OSError) and not settings.unix_socket:
            reason = _REASONS.get(error.errno or 0, reason)
        raise SettingsError(f"cannot listen on {place}: {reason}") from None
    try:
        with listener:
            yield listener
    finally:
        if settings.unix_socket:
            Path(settings.unix_socket).unlink(missing_ok=True)


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
    """Open a Unix socket. A file that another process has left is replaced, one that is in use is not."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode) and _is_left(path):
            path.unlink()
        listener.bind(str(path))
        path.chmod(0o666)  # as uvicorn does: the rights of its folder decide who may connect
        listener.listen()
    except (OSError, ValueError):
        listener.close()
        raise
    return listener


def _is_left(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False
