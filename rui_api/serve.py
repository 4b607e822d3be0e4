"""``rui serve``: read the settings, take the port, run until told to stop."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from math import ceil
from typing import TYPE_CHECKING

from rui_api.settings_sources import SettingsError, read_settings
from rui_api.store.address import shown
from rui_api.store.open import migrate_store
from rui_api.store.protocol import StoreRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_api.settings import Settings

EXIT_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service until SIGINT or SIGTERM.

    Args:
        argv: the options, see ``--help``; without it those of the process.

    Returns:
        The exit code: 0 after a signal to stop, 2 when a setting cannot be used or the port cannot be had, with
        one line on standard error that says why.
    """
    try:
        settings = read_settings(sys.argv[1:] if argv is None else argv, os.environ)
        listener = _listen(settings)
    except SettingsError as error:
        return _refuse(str(error))
    except SystemExit as exit_:  # --help
        return int(exit_.code or 0)
    with listener:
        try:
            migrate_store(settings.store)
            return _run(settings, listener)
        except StoreRefused as error:
            return _refuse(str(error))
        except ModuleNotFoundError as error:
            return _refuse(f"{error.name} is not installed: the service needs pip install 'rui-toolkit[api]'")


def _refuse(message: str) -> int:
    print(f"rui serve: {message}", file=sys.stderr)  # noqa: T201
    return EXIT_USAGE


def _listen(settings: Settings) -> socket.socket:
    """The listening socket, taken here so that whoever cannot have it is told in one line."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()  # only now another listener on the port is noticed
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not an address"
        raise SettingsError(f"cannot listen on {settings.host} port {settings.port}: {reason}") from None
    return listener


def _run(settings: Settings, listener: socket.socket) -> int:
    import uvicorn  # noqa: PLC0415  settings are judged without it

    from rui_api.app import create_app  # noqa: PLC0415
    from rui_api.closing import stop_accepting  # noqa: PLC0415
    from rui_api.protocol import protocol_for  # noqa: PLC0415

    _log_to_standard_error()
    config = uvicorn.Config(
        create_app(settings),
        http=protocol_for(settings),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=ceil(settings.stop_timeout),
    )
    address = _address_of(listener)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"RUI service on {address}, specs in {shown(settings.store)}", flush=True)  # noqa: T201

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await stop_accepting(sockets or [])
            await super().shutdown(sockets)

    # uvicorn stops at these signals, and then raises them again: by then it is done, and that is a success.
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
    try:
        Server(config).run(sockets=[listener])
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def _address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name, level in (("rui_api", logging.INFO), ("uvicorn.error", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level)


def _stop(*_: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main())
