"""Load the settings. Flags override environment variables, variables override the file, the file the defaults."""

from __future__ import annotations

import argparse
import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from rui_api.config.options import GROUPS, OPTIONS, Option, Settings
from rui_api.store.url import check_store, is_postgres
from rui_common.redact import redact_all_userinfo, redact_userinfo
from rui_common.suggest import nearest

CONFIG_FLAG = "--config"
CONFIG_VARIABLE = "RUI_CONFIG"
PREFIX = "RUI_"
OTHER_VARIABLES = (CONFIG_VARIABLE, "RUI_SERVER")
"""Variables with the prefix that are no settings of the service."""
TRACING_PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")
MAX_QUOTED = 80
"""Characters of an invalid value in a message."""

STORE = "store"
STORE_FILE = "store_file"


class _Given(NamedTuple):
    """A value, and its name in the source that has it."""

    value: object
    source: str


class SettingsError(ValueError):
    """An invalid setting. The message is one line for the operator."""


class Parser(argparse.ArgumentParser):
    """A parser of the command line that raises `SettingsError`, so that errors are printed in one line."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(redact_all_userinfo(message))


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from the command line, the environment and the settings file.

    Args:
        arguments: the arguments after ``rui serve``. ``--help`` prints the options and raises SystemExit(0).
        environment: the environment variables. Blank ones are ignored.

    Raises:
        SettingsError: a name is unknown or a value is invalid; the message names its source.
    """
    parsed, unknown = _parser().parse_known_args(arguments)
    if unknown:
        flag = unknown[0].partition("=")[0]
        raise SettingsError(_unknown(redact_all_userinfo(flag), [CONFIG_FLAG, *(option.flag for option in OPTIONS)]))
    flags = vars(parsed)
    path = flags["config"] or environment.get(CONFIG_VARIABLE, "").strip()
    table = _read_file(path) if path else {}
    given: dict[str, _Given] = {}
    for source in (
        {one.name: _Given(table[one.key], f"{path}: {one.key}") for one in OPTIONS if one.key in table},
        {
            one.name: _Given(environment[one.variable], one.variable)
            for one in OPTIONS
            if environment.get(one.variable, "").strip()
        },
        {one.name: _Given(flags[one.name], one.flag) for one in OPTIONS if flags[one.name] is not None},
    ):
        if STORE in source and STORE_FILE in source:
            names = f"{source[STORE].source} and {source[STORE_FILE].source}"
            raise SettingsError(f"{names}: only one of them can be given")
        if STORE in source or STORE_FILE in source:  # they are one setting
            given = {name: one for name, one in given.items() if name not in (STORE, STORE_FILE)}
        given |= source
    values = {option.name: _convert(option, *given[option.name]) for option in OPTIONS if option.name in given}
    if STORE_FILE in values:
        values[STORE] = _read_store_url(str(values[STORE_FILE]), given[STORE_FILE].source)
    settings = Settings(**values)  # type: ignore[arg-type]
    _check_combinations(settings)
    return settings


def environment_warnings(environment: Mapping[str, str]) -> list[str]:
    """Return a line for the log about variables with the prefix that are not used.

    They may belong to other programs, so that they are no errors.
    """
    known = [*(option.variable for option in OPTIONS), *OTHER_VARIABLES]
    return [
        f"not used: {_unknown(redact_all_userinfo(name), known)}"
        for name, value in sorted(environment.items())
        if name.startswith(PREFIX) and name not in known and value.strip()
    ]


def _unknown(name: str, known: Sequence[str]) -> str:
    match = nearest(name, known)
    return f"{name}: there is no such setting" + (f"; did you mean {match}?" if match else "")


def _convert(option: Option, value: object, source: str) -> object:
    parsed = value.strip() if isinstance(value, str) else value
    if isinstance(parsed, str) and isinstance(option.default, tuple):
        parsed = [part.strip() for part in parsed.split(",") if part.strip()]
    elif isinstance(option.default, bool):
        parsed = {"on": True, "off": False}.get(str(parsed), parsed)
    try:
        converted = msgspec.convert(parsed, option.type, strict=False)
        option.setting.check(converted)
    except ValueError as error:
        shown = redact_userinfo(str(value))
        if len(shown) > MAX_QUOTED:
            shown = f"{shown[:MAX_QUOTED]}…"
        reason = str(error) if option.name == STORE else f"{option.setting.form} is needed, not {shown!r}"
        raise SettingsError(f"{source}: {reason}") from None
    if option.name == "base_url":
        return converted.rstrip("/")
    return converted


def _read_store_url(path: str, source: str) -> str:
    shown = redact_all_userinfo(path)  # it may be the URL itself, by mistake
    try:
        url = Path(path).read_text("utf-8").strip()
        check_store(url)
    except OSError as error:
        raise SettingsError(f"{source}: {shown}: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{source}: {shown}: {error}") from None
    return url


def _check_combinations(settings: Settings) -> None:
    if settings.workers > 1 and not is_postgres(settings.store):
        raise SettingsError(f"{settings.workers} workers need a store that they can share: postgresql://…, not SQLite")
    if settings.workers > 1 and os.name != "posix":
        raise SettingsError("more than one worker needs a POSIX system")
    if settings.cache_max_age and not settings.base_url:
        raise SettingsError("--cache-max-age needs --base-url: else a forged Host would be cached for other clients")
    if settings.otel and not can_trace():
        raise SettingsError("OpenTelemetry is not installed: --otel needs pip install 'rui-toolkit[api,otel]'")


def can_trace() -> bool:
    with suppress(ModuleNotFoundError):
        return all(find_spec(name) is not None for name in TRACING_PACKAGES)
    return False


def _parser() -> Parser:
    parser = Parser(
        prog="rui serve",
        description="Run the service: validate, store and show RUIs over HTTP.",
        epilog="Each option is also an environment variable, given in brackets, and a key of the settings file: the "
        'name without its dashes, as in port = 8000 or store = "sqlite:///rui.db". An option overrides a variable, and '
        "a variable overrides the file.",
        allow_abbrev=False,
        add_help=False,
    )
    general = parser.add_argument_group("General")
    general.add_argument("-h", "--help", action="help", help="Show this help and exit.")
    general.add_argument(CONFIG_FLAG, metavar="FILE", help=f"Settings file in TOML. [{CONFIG_VARIABLE}]")
    groups = {name: parser.add_argument_group(name) for name in GROUPS}
    for option in OPTIONS:
        setting = option.setting
        help_ = f"{setting.help} (default: {option.shown_default}) [{option.variable}]"
        groups[setting.group].add_argument(option.flag, dest=option.name, metavar=setting.metavar, help=help_)
    return parser


def _read_file(path: str) -> dict[str, object]:
    try:
        table = tomllib.loads(Path(path).read_text("utf-8-sig"))  # some editors write a byte order mark
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: this is not TOML in UTF-8: {error}") from None
    keys = [option.key for option in OPTIONS]
    for key in table:
        if key not in keys:
            raise SettingsError(f"{path}: {_unknown(key, keys)}")
    return table
