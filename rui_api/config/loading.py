"""Load the settings. Flags override environment variables, variables override the file, the file the defaults."""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, NoReturn

from rui_api.config import parsers
from rui_api.config.options import GROUPS, OPTIONS, Option, Settings
from rui_api.store.url import is_postgres
from rui_common.redact import redact_all_userinfo
from rui_common.suggest import nearest

CONFIG_FLAG = "--config"
CONFIG_VARIABLE = "RUI_CONFIG"
PREFIX = "RUI_"
OTHER_VARIABLES = (CONFIG_VARIABLE, "RUI_SERVER")
"""Variables with the prefix that are no settings of the service."""
TRACING_PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")
_UNKNOWN_ARGUMENTS = "unrecognized arguments: "
"""Start of argparse's message about unknown options."""


STORE = "store"
STORE_FILE = "store_file"
_SERVICE_ADDRESS = re.compile(r"(?:tcp|udp|sctp)://")
"""Start of a value of RUI_PORT that Kubernetes sets for a Service named rui."""


class _Given(NamedTuple):
    """A value, and its name in the source that has it."""

    text: str
    source: str


class SettingsError(ValueError):
    """An invalid setting. The message is one line for the operator."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise, so that the error is printed in one line without the usage."""
        if message.startswith(_UNKNOWN_ARGUMENTS):
            flag = message.removeprefix(_UNKNOWN_ARGUMENTS).partition(" ")[0].partition("=")[0]
            message += _did_you_mean(nearest(flag, [CONFIG_FLAG, *(option.flag for option in OPTIONS)]))
        raise SettingsError(redact_all_userinfo(message))


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Read the settings from the command line, the environment and the settings file.

    Args:
        arguments: the arguments after ``rui serve``. ``--help`` prints the options and raises SystemExit(0).
        environment: the environment variables. Blank ones are ignored.

    Raises:
        SettingsError: a name is unknown or a value is invalid; the message names its source.
    """
    flags = vars(_parser().parse_args(arguments))
    if flags["config"] == "":  # such as an unset variable of a script
        raise SettingsError(f"{CONFIG_FLAG}: the path of a file is needed")
    path = flags["config"] or environment.get(CONFIG_VARIABLE, "").strip()
    file_values = _read_file(Path(path)) if path else {}
    sources = [
        {option.name: _Given(flags[option.name], option.flag) for option in OPTIONS if flags[option.name] is not None},
        {
            option.name: _Given(environment[option.variable], option.variable)
            for option in OPTIONS
            if environment.get(option.variable, "").strip() and not _SERVICE_ADDRESS.match(environment[option.variable])
        },
        {
            option.name: _Given(file_values[option.key], f"{path}: {option.key}")
            for option in OPTIONS
            if option.key in file_values
        },
    ]
    given = _merged(sources)
    values = {option.name: _parse(option, *given[option.name]) for option in OPTIONS if option.name in given}
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
        f"not used: {redact_all_userinfo(name)}: there is no such setting{_did_you_mean(nearest(name, known))}"
        for name, value in sorted(environment.items())
        if name.startswith(PREFIX) and name not in known and value.strip()
    ]


def _merged(sources: Sequence[Mapping[str, _Given]]) -> dict[str, _Given]:
    """Return the values by name; those of the first sources take precedence.

    The store and the file with its URL are one setting: the first source that has either decides.
    """
    merged: dict[str, _Given] = {}
    for source in sources:
        if STORE in source and STORE_FILE in source:
            raise SettingsError(
                f"{source[STORE].source} and {source[STORE_FILE].source}: only one of them can be given"
            )
        has_store = STORE in merged or STORE_FILE in merged
        for name, given in source.items():
            if name not in merged and not (has_store and name in (STORE, STORE_FILE)):
                merged[name] = given
    return merged


def _read_store_url(path: str, source: str) -> str:
    shown = redact_all_userinfo(path)  # it may be the URL itself, by mistake
    try:
        text = Path(path).read_text("utf-8").strip()
    except OSError as error:
        raise SettingsError(f"{source}: {shown}: {error.strerror}") from None
    except ValueError:
        raise SettingsError(f"{source}: {shown}: the file is not text in UTF-8") from None
    try:
        return parsers.store(text)
    except ValueError as error:
        raise SettingsError(f"{source}: {shown}: {error}") from None


def _parse(option: Option, text: str, source: str) -> object:
    try:
        return option.parse(text.strip())
    except ValueError as error:
        raise SettingsError(f"{source}: {error}") from None


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


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
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
        help_ = f"{option.help} (default: {option.shown_default}) [{option.variable}]"
        groups[option.group].add_argument(option.flag, dest=option.name, metavar=option.metavar, help=help_)
    return parser


def _did_you_mean(match: str | None) -> str:
    return f"; did you mean {match}?" if match else ""


def _read_file(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))  # some editors write a byte order mark
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        reason = str(error).replace("Cannot overwrite a value", "a setting is defined a second time")
        raise SettingsError(f"{path}: {reason}") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"{path}: the file is not TOML in UTF-8") from None
    keys = [option.key for option in OPTIONS]
    for key in table:
        if key not in keys:
            shown = key if key.isprintable() else repr(key)
            match = nearest(key.replace("_", "-"), keys)
            raise SettingsError(f"{path}: {shown}: there is no such setting{_did_you_mean(match)}")
    return {option.key: _to_text(path, option, table[option.key]) for option in OPTIONS if option.key in table}


def _to_text(path: Path, option: Option, value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float | str):
        return str(value)
    if not isinstance(option.default, tuple):
        raise SettingsError(f"{path}: {option.key}: a text or a number is needed")
    if isinstance(value, list) and all(isinstance(item, str) and "," not in item for item in value):
        return ",".join(value)
    raise SettingsError(f"{path}: {option.key}: a list of texts, a text or a number is needed")
