"""The health check of the image: ``python -m rui_api.commands.health`` asks the service that has the same settings."""

import os
import socket
import sys
from http.client import HTTPConnection, HTTPException

from rui_api.config.loading import SettingsError, read_settings
from rui_api.config.options import Settings
from rui_common.redact import escape_control

TIMEOUT_SECONDS = 2.0
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  where a service on all addresses is asked


class _UnixConnection(HTTPConnection):
    """A connection to a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def main() -> int:
    """Return 0 if the service with the settings of the environment answers, else 1 with a line on standard error."""
    try:
        status = _status_of(read_settings([], os.environ))
    except (SettingsError, OSError, HTTPException) as error:
        return _fail(str(error) or repr(error))
    return 0 if status == 200 else _fail(f"the service answers with {status}")


def _status_of(settings: Settings) -> int:
    """Return the status of the answer. http.client ignores proxies in the environment."""
    if settings.unix_socket:
        connection: HTTPConnection = _UnixConnection(settings.unix_socket)
    else:
        host = _LOOPBACK.get(settings.host, settings.host)
        connection = HTTPConnection(host, settings.port, timeout=TIMEOUT_SECONDS)
    connection.request("GET", "/api/health")
    return connection.getresponse().status


def _fail(reason: str) -> int:
    print(f"health: {escape_control(reason)}", file=sys.stderr)  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main())
