"""Load the settings. Flags override environment variables, variables override the file, the file the defaults."""

import argparse
import os
import socket
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from rui_api.config.options import OPTIONS, Option, Settings
from rui_api.store.url import POSTGRES, SQLITE, is_postgres
from rui_common.redact import redact_all_userinfo, redact_userinfo
from rui_common.suggest import did_you_mean
from rui_common.texts import EMPTY_ARGUMENT, has_empty_argument, shorten

PREFIX = "RUI_"
CONFIG_VARIABLE = "RUI_CONFIG"
OTHER_VARIABLES = {CONFIG_VARIABLE, "RUI_SERVER", "RUI_HEADER", "RUI_DEBUG"}
"""Variables with the prefix that are no settings. The last ones belong to the command line and its client."""


class SettingsError(ValueError):
    """An invalid setting. The message is one line for the operator."""


class Parser(argparse.ArgumentParser):
    """A parser of the command line that raises `SettingsError`, so that errors are printed in one line."""

    def parse(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Return the values of the arguments, by default those of this process."""
        if has_empty_argument(sys.argv[1:] if arguments is None else arguments):
            self.error(EMPTY_ARGUMENT)
        values, unknown = self.parse_known_args(arguments)
        for word in unknown:
            if word.startswith("-"):
                name = word.partition("=")[0]
                self.error(f"unknown option {name}{did_you_mean(name, self._option_names())}")
            self.error(f"unexpected argument {word}{self._option_for(word)}")
        return values

    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{redact_all_userinfo(message)}; see {self.prog} --help")

    def _option_for(self, word: str) -> str:
        """Return `` (did you mean …?)`` with the option whose value a word looks like, or ``""``."""
        host, _, port = word.rpartition(":")
        options: dict[str, str] = {}
        if word.startswith((SQLITE, *POSTGRES)):
            options = {"--store": "URL"}  # It may contain a password.
        elif port.isdecimal():
            options = {"--host": host, "--port": port} if host else {"--port": port}
        if not options or not options.keys() <= {*self._option_names()}:
            return ""
        return f" (did you mean {' '.join(f'{name} {value}' for name, value in options.items())}?)"

    def _option_names(self) -> list[str]:
        """Return the names of the options, of those of subcommands, too."""
        names = [name for action in self._actions for name in action.option_strings]
        for action in self._actions:
            if isinstance(action.choices, dict):
                names += [name for parser in action.choices.values() for name in parser._option_names()]
        return names


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from the command line, the environment and the settings file.

    Args:
        arguments: the arguments after ``rui serve``. ``--help`` prints the options and raises SystemExit(0).
        environment: the environment variables. Blank ones are ignored.

    Raises:
        SettingsError: a name is unknown or a value is invalid; the message names its source.
    """
    flags = vars(_parser().parse(arguments))
    path = flags["config"] or environment.get(CONFIG_VARIABLE, "").strip()
    table = _read_file(path) if path else {}
    given: dict[str, tuple[object, str]] = {}
    for option in OPTIONS:
        # The last source that has the setting decides.
        for value, source in (
            (table.get(option.key), f"{path}: {option.key}"),
            (environment.get(option.variable, "").strip() or None, option.variable),
            (flags[option.name], option.flag),
        ):
            if value is not None:
                given[option.name] = (value, source)
    unknown = {name for name in environment if name.startswith(PREFIX)} - {option.variable for option in OPTIONS}
    for name in sorted(unknown - OTHER_VARIABLES):
        raise _unknown_setting(name, name, [option.variable for option in OPTIONS])
    values = {option.name: _convert(option, *given[option.name]) for option in OPTIONS if option.name in given}
    if "unix_socket" in values and "port" in values:
        raise SettingsError(f"{given['unix_socket'][1]} and {given['port'][1]}: only one of them can be given")
    settings = Settings(**values)  # type: ignore[arg-type]
    _check_combinations(settings)
    return settings


def _convert(option: Option, value: object, source: str) -> object:
    parsed = value
    if isinstance(value, str):
        parsed = value.strip()
    if isinstance(parsed, str) and isinstance(option.default, tuple):
        parsed = [part.strip() for part in parsed.split(",") if part.strip()]
    try:
        converted = msgspec.convert(parsed, option.type, strict=False)
        option.setting.check(converted)
    except ValueError as error:
        shown = shorten(redact_userinfo(str(value)))
        reason = str(error) if option.name == "store" else f"{option.setting.form} is needed, not {shown!r}"
        raise SettingsError(f"{source}: {reason}") from None
    if option.name == "base_url":
        return converted.rstrip("/")
    return converted


def _check_combinations(settings: Settings) -> None:
    if settings.workers > 1 and not is_postgres(settings.store):
        raise SettingsError(f"{settings.workers} workers need a store that they can share: postgresql://…, not SQLite")
    if settings.unix_socket and not hasattr(socket, "AF_UNIX"):
        raise SettingsError("--unix-socket needs a POSIX system")
    if settings.metrics_port and "%" in settings.host:
        raise SettingsError("--metrics-port: prometheus_client cannot use an address with a zone, which --host has")
    if settings.metrics_port == settings.port and settings.metrics_port and not settings.unix_socket:
        raise SettingsError(f"--metrics-port and --port are both {settings.port}: the metrics need another port")
    if settings.unix_socket and settings.trust_proxies and "*" not in settings.trust_proxies:
        raise SettingsError("--trust-proxies has to be * with --unix-socket, whose clients have no address")
    if settings.workers > 1 and os.name != "posix":
        raise SettingsError("more than one worker needs a POSIX system")
    if settings.cache_max_age and not settings.base_url:
        raise SettingsError("--cache-max-age needs --base-url: else a forged Host would be cached for other clients")


def _parser() -> Parser:
    parser = Parser(
        prog="rui serve",
        description="Run the service: validate, store and show RUIs over HTTP.",
        epilog="Each option is also an environment variable, given in brackets, and a key of the settings file: the "
        'name without its dashes, as in port = 8000 or store = "sqlite:///rui.db". An option overrides a variable, and '
        "a variable overrides the file.",
        allow_abbrev=False,
    )
    parser.add_argument("--config", metavar="FILE", help=f"Settings file in TOML. [{CONFIG_VARIABLE}]")
    for option in OPTIONS:
        help_ = f"{option.setting.help} (default: {option.shown_default}) [{option.variable}]"
        parser.add_argument(option.flag, dest=option.name, metavar=option.setting.metavar, help=help_)
    return parser


def _read_file(path: str) -> dict[str, object]:
    try:
        table = tomllib.loads(Path(path).read_text("utf-8-sig"))  # some editors write a byte order mark
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: this is not TOML in UTF-8: {error}") from None
    for key in table.keys() - {option.key for option in OPTIONS}:
        raise _unknown_setting(f"{path}: {key}", key, [option.key for option in OPTIONS])
    return table


def _unknown_setting(place: str, name: str, known: Iterable[str]) -> SettingsError:
    return SettingsError(f"{place}: there is no such setting{did_you_mean(name, known)}")
