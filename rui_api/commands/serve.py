"""``rui serve``: read the settings, listen, and run until a signal."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from rui_api.config.loading import SettingsError, environment_warnings, read_settings
from rui_api.config.options import Settings
from rui_api.observability.telemetry import Telemetry
from rui_api.store.base import StorageUnavailable, StoreRefused
from rui_api.store.factory import prepare_store
from rui_api.store.url import redact_password
from rui_common.redact import escape_control, redact_userinfo

EXIT_USAGE = 2
ANY_ADDRESS = "::"
"""The address that means all addresses, those of IPv4 included."""

log = logging.getLogger("rui_api")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service until SIGINT or SIGTERM.

    Args:
        argv: the options, see ``--help``; by default those of the process.

    Returns:
        The exit code: 0 after a signal, 1 if a worker cannot be started, 2 if a setting is invalid or the port cannot
        be used, with one line on standard error.
    """
    _open_standard_streams()
    try:
        settings = read_settings(sys.argv[1:] if argv is None else argv, os.environ)
        listener = _listen(settings)
    except SettingsError as error:
        return _print_error(str(error))
    except SystemExit as exit_:  # --help
        return int(exit_.code or 0)
    with listener:
        try:
            return _serve(settings, listener)
        except (SettingsError, StoreRefused) as error:
            return _print_error(str(error))
        except ModuleNotFoundError as error:
            return _print_error(f"{error.name} is not installed: the service needs pip install 'rui-toolkit[api]'")


def _serve(settings: Settings, listener: socket.socket) -> int:
    # Imported here so that errors in the settings are reported quickly.
    from rui_api.observability.worker_metrics import WorkerMetrics  # noqa: PLC0415
    from rui_api.process import create_telemetry, run  # noqa: PLC0415

    store_error = prepare_store(settings.store)
    try:
        telemetry = create_telemetry(settings)
    except OSError as error:
        raise SettingsError(f"cannot log to {settings.log_file}: {error.strerror}") from None

    has_started = False

    def on_start() -> None:
        nonlocal has_started
        has_started = True
        _log_startup(settings, listener, store_error)

    try:
        if settings.workers == 1:
            _serve_metrics(settings, telemetry)
            run(settings, listener, telemetry, on_start)
            return 0
        from rui_api.supervisor import Supervisor  # noqa: PLC0415  not available on Windows

        with TemporaryDirectory(prefix="rui-") as folder:
            telemetry.workers = WorkerMetrics(folder)
            _serve_metrics(settings, telemetry)
            return Supervisor(settings, listener, folder).run(on_start)
    finally:
        if telemetry.log is not None:
            if has_started:
                log.info("stopped")
            telemetry.log.close()


def _log_startup(settings: Settings, listener: socket.socket, store_error: StorageUnavailable | None) -> None:
    banner = f"RUI service on {_url_of(listener)}, specs in {redact_password(settings.store)}"
    _print_banner(banner)
    max_bytes = settings.max_bytes
    limit = f"at most {max_bytes:,} bytes" if max_bytes else "without a limit of their size"
    log.info("%s, %s (--store-max-bytes)", banner, limit)
    for warning in environment_warnings(os.environ):
        log.warning(warning)
    if store_error is not None:
        log.error("store unavailable: %s; it is tried again with every request", store_error)


def _serve_metrics(settings: Settings, telemetry: Telemetry) -> None:
    """Serve metrics on a port of their own, if `settings` name one."""
    host, _, port = settings.metrics.rpartition(":")
    if not host:
        return
    from rui_api.observability.metrics_server import serve_metrics  # noqa: PLC0415
    from rui_api.observability.prometheus import service_registry  # noqa: PLC0415

    try:
        serve_metrics(host.strip("[]"), int(port), service_registry(telemetry), settings.headers_timeout)
    except OSError as error:
        raise SettingsError(f"cannot serve metrics on {settings.metrics}: {error.strerror}") from None


def _open_standard_streams() -> None:
    """Open closed standard streams on the null device: a socket would get their numbers, and their output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _print_banner(banner: str) -> None:
    """Print a line on standard output; an error, such as a closed pipe, does not stop the service."""
    try:
        print(banner, flush=True)  # noqa: T201
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again on exit


def _print_error(message: str) -> int:
    print(f"rui serve: {escape_control(message)}", file=sys.stderr)  # noqa: T201
    return EXIT_USAGE


def _listen(settings: Settings) -> socket.socket:
    """Open the listening socket. uvicorn would log a stack trace if the port cannot be used."""
    try:
        addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = addresses[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6 and address[0] == ANY_ADDRESS and socket.has_dualstack_ipv6():
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # the default differs between systems
            listener.bind(address)
            listener.listen()  # fails if another process listens on the port
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not an address"
        raise SettingsError(
            f"cannot listen on {redact_userinfo(settings.host)} port {settings.port}: {reason}"
        ) from None
    return listener


def _url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{port}"


if __name__ == "__main__":
    sys.exit(main())
