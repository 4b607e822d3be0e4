"""Load the settings. Flags override environment variables, variables override the file, the file the defaults."""

from __future__ import annotations

import argparse
import os
import tomllib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rui_api.config.options import GROUPS, OPTIONS, Option, Settings
from rui_api.store.url import is_postgres
from rui_common.redact import redact_all_userinfo
from rui_common.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONFIG_FLAG = "--config"
CONFIG_VARIABLE = "RUI_CONFIG"
PREFIX = "RUI_"
OTHER_VARIABLES = (CONFIG_VARIABLE, "RUI_SERVER")
"""Variables with the prefix that are no settings of the service."""
TRACING_PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")
_UNKNOWN_ARGUMENTS = "unrecognized arguments: "
"""Start of argparse's message about unknown options."""


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
    _check_variables(environment)
    if flags["config"] == "":  # such as an unset variable of a script
        raise SettingsError(f"{CONFIG_FLAG}: the path of a file is needed")
    path = flags["config"] or environment.get(CONFIG_VARIABLE, "").strip()
    file_values = _read_file(Path(path)) if path else {}
    values: dict[str, object] = {}
    for option in OPTIONS:
        for text, source in (
            (flags[option.name], option.flag),
            (environment.get(option.variable, "").strip() or None, option.variable),
            (file_values.get(option.key), f"{path}: {option.key}"),
        ):
            if text is not None:
                values[option.name] = _parse(option, text, source)
                break
    settings = Settings(**values)  # type: ignore[arg-type]
    _check_combinations(settings)
    return settings


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
    if settings.tracing and not can_trace():
        raise SettingsError("OpenTelemetry is not installed: tracing needs pip install 'rui-toolkit[api,otel]'")


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


def _check_variables(environment: Mapping[str, str]) -> None:
    """Refuse misspelled variables. Other variables with the prefix may belong to other programs."""
    known = [*(option.variable for option in OPTIONS), *OTHER_VARIABLES]
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            match = nearest(name, known)
            if match:
                raise SettingsError(f"{name}: there is no such setting{_did_you_mean(match)}")


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
