"""``rui serve``: read the settings, listen, and run uvicorn until a signal."""

import logging
import os
import signal
import sys
from collections.abc import Sequence

from rui_api.commands.listening import AddressError, listening
from rui_api.commands.signals import ignore_signals
from rui_api.config.loading import SettingsError, read_settings
from rui_api.observability.logs import JsonFormatter, record_of
from rui_api.store.base import StoreRefused
from rui_common.redact import escape_control
from rui_common.version import missing_package

FAILED = 2
NOT_AVAILABLE = 3
"""Exit codes. After the first one, deploy/rui.service does not start the service again."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service until SIGINT or SIGTERM, and return the exit code.

    It is 0 after a signal. With one line on standard error, it is 2 if a setting is invalid, and 3 if the address is
    not available now, so that a later start may succeed.
    """
    log_format = "text"
    _open_standard_streams()
    try:
        # uvicorn raises signals again after it has stopped.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        ignore_signals()
        settings = read_settings(sys.argv[1:] if argv is None else argv, os.environ)
        log_format = settings.log_format
        with listening(settings) as listener:
            from rui_api.commands.server import run  # errors in the settings are reported quickly

            run(settings, listener)
    except AddressError as error:
        _print_error(str(error), log_format)
        return NOT_AVAILABLE
    except (SettingsError, StoreRefused) as error:
        _print_error(str(error), log_format)
        return FAILED
    except ModuleNotFoundError as error:
        _print_error(missing_package(error.name, "api"), log_format)
        return FAILED
    except KeyboardInterrupt:
        pass
    except SystemExit as exit_:  # --help
        return int(exit_.code or 0)
    return 0


def _open_standard_streams() -> None:
    """Open those of the standard streams that are closed, on the null device.

    Else a connection has the number of one of them, and libuv ends the process when it closes that.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free


def _print_error(message: str, log_format: str) -> None:
    line = f"rui serve: {escape_control(message)}"
    if log_format == "json":
        line = JsonFormatter().format(record_of(logging.ERROR, message))
    print(line, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
