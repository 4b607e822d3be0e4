"""``rui serve``: read the settings, take the port, run until told to stop."""

from __future__ import annotations

import logging
import os
import socket
import sys
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rui_api.config.loading import SettingsError, read_settings
from rui_api.store.base import StoreRefused
from rui_api.store.factory import migrate_store
from rui_common.redact import escape_control, redact_userinfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_api.config.options import Settings
    from rui_api.observability.telemetry import Telemetry

EXIT_USAGE = 2
EVERY_ONE = "::"
"""The address that means all there are: of IPv4, too."""

log = logging.getLogger("rui_api")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service until SIGINT or SIGTERM.

    Args:
        argv: the options, see ``--help``; without it those of the process.

    Returns:
        The exit code: 0 after a signal to stop, 1 when workers cannot be started, 2 when a setting cannot be
        used or the port cannot be had, with one line on standard error that says why.
    """
    _occupy_standard_streams()
    try:
        settings = read_settings(sys.argv[1:] if argv is None else argv, os.environ)
        listener = _listen(settings)
    except SettingsError as error:
        return _refuse(str(error))
    except SystemExit as exit_:  # --help
        return int(exit_.code or 0)
    with listener:
        try:
            return _serve(settings, listener)
        except (SettingsError, StoreRefused) as error:
            return _refuse(str(error))
        except ModuleNotFoundError as error:
            return _refuse(f"{error.name} is not installed: the service needs pip install 'rui-toolkit[api]'")


def _serve(settings: Settings, listener: socket.socket) -> int:
    # Settings are judged without these, which are slow to load.
    from rui_api.observability.worker_metrics import WorkerMetrics  # noqa: PLC0415
    from rui_api.process import create_telemetry, run, welcome  # noqa: PLC0415

    fault = migrate_store(settings.store)
    try:
        telemetry = create_telemetry(settings)
    except OSError as error:
        raise SettingsError(f"cannot log to {settings.log_file}: {error.strerror}") from None

    has_started = False

    def started() -> None:
        nonlocal has_started
        has_started = True
        said = welcome(_address_of(listener), settings)
        _greet(said)
        log.info(said)
        if fault is not None:
            log.error("store unavailable: %s; it is tried again with every request", fault)

    try:
        if settings.workers == 1:
            _serve_metrics(settings, telemetry)
            run(settings, listener, telemetry, started)
            return 0
        from rui_api.supervisor import Workers  # noqa: PLC0415

        with TemporaryDirectory(prefix="rui-") as folder:
            telemetry.workers = WorkerMetrics(folder)
            _serve_metrics(settings, telemetry)
            return Workers(settings, listener, folder).run(started)
    finally:
        if telemetry.log is not None:
            if has_started:
                log.info("stopped")
            telemetry.log.close()


def _serve_metrics(settings: Settings, telemetry: Telemetry) -> None:
    """Metrics on an address of their own, if that is wanted."""
    host, _, port = settings.metrics.rpartition(":")
    if not host:
        return
    from rui_api.observability.metrics_server import serve_metrics  # noqa: PLC0415
    from rui_api.observability.prometheus import service_registry  # noqa: PLC0415

    try:
        serve_metrics(host.strip("[]"), int(port), service_registry(telemetry), settings.headers_timeout)
    except OSError as error:
        raise SettingsError(f"cannot serve metrics on {settings.metrics}: {error.strerror}") from None


def _occupy_standard_streams() -> None:
    """One that is closed would be taken by the next socket that is opened, and written to as if it were still there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _greet(said: str) -> None:
    """Say it on standard output; when nobody can be reached there, serving goes on."""
    try:
        print(said, flush=True)  # noqa: T201
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else it is tried once more at the end


def _refuse(message: str) -> int:
    print(f"rui serve: {escape_control(message)}", file=sys.stderr)  # noqa: T201
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
            if family == socket.AF_INET6 and address[0] == EVERY_ONE and socket.has_dualstack_ipv6():
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # not everywhere the default
            listener.bind(address)
            listener.listen()  # only now another listener on the port is noticed
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not an address"
        raise SettingsError(
            f"cannot listen on {redact_userinfo(settings.host)} port {settings.port}: {reason}"
        ) from None
    return listener


def _address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


if __name__ == "__main__":
    sys.exit(main())
