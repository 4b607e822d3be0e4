"""Where settings come from: flags win over environment variables, those over a file, and that over the defaults."""

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
    from collections.abc import Iterable, Mapping, Sequence

CONFIG_FLAG, CONFIG_VARIABLE = "--config", "RUI_CONFIG"
PREFIX = "RUI_"
OTHER_VARIABLES = (CONFIG_VARIABLE, "RUI_SERVER")
"""Variables that begin alike and are no settings of the service."""
_STRANGE = "unrecognized arguments: "
"""How argparse begins to speak of options that there are not."""


TRACING_PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")


class SettingsError(ValueError):
    """A setting that cannot be used; the message is one line for the operator."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Refuse in one line, without the usage that argparse would print."""
        strange = message.removeprefix(_STRANGE).partition(" ")[0].partition("=")[0]
        if message.startswith(_STRANGE) and (
            meant := nearest(strange, [CONFIG_FLAG, *(option.flag for option in OPTIONS)])
        ):
            message += f"; did you mean {meant}?"
        raise SettingsError(redact_all_userinfo(message))


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Settings from the command line, the environment and the file that one of them names.

    Args:
        arguments: what follows ``rui serve``. ``--help`` prints the options and raises SystemExit(0).
        environment: the environment variables; an empty or blank one counts as absent.

    Raises:
        SettingsError: a name is unknown or a value cannot be used; the message says where it stands.
    """
    given = vars(_parser().parse_args(arguments))
    _refuse_misspelt(environment)
    if given["config"] == "":  # such as an unset variable of a script
        raise SettingsError(f"{CONFIG_FLAG}: the path of a file is needed")
    path = given["config"] or environment.get(CONFIG_VARIABLE, "").strip()
    written = _read_file(Path(path)) if path else {}
    values: dict[str, object] = {}
    for option in OPTIONS:
        sources = (
            (given[option.name], option.flag),
            (environment.get(option.variable, "").strip() or None, option.variable),
            (written.get(option.key), f"{path}: {option.key}"),
        )
        text, source = next((found for found in sources if found[0] is not None), (None, ""))
        if text is not None:
            try:
                values[option.name] = option.read(text.strip())
            except ValueError as error:
                raise SettingsError(f"{source}: {error}") from None
    settings = Settings(**values)  # type: ignore[arg-type]
    _judge(settings)
    return settings


def _judge(settings: Settings) -> None:
    """Refuse what each setting allows and all together do not."""
    if settings.workers > 1 and not is_postgres(settings.store):
        raise SettingsError(f"{settings.workers} workers need a store that they can share: postgresql://…, not SQLite")
    if settings.workers > 1 and os.name != "posix":
        raise SettingsError("more than one worker needs a POSIX system")
    if settings.tracing and not can_trace():
        raise SettingsError("OpenTelemetry is not installed: tracing needs pip install 'rui-toolkit[api,otel]'")


def can_trace() -> bool:
    """Return whether the packages for tracing are installed."""
    with suppress(ModuleNotFoundError):
        return all(find_spec(name) is not None for name in TRACING_PACKAGES)
    return False


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rui serve",
        description="Run the service: validate, store and show RUIs over HTTP.",
        epilog="Every option can also be given as the environment variable that is named in brackets, or in a file: "
        'as port = 8000 or store = "sqlite:///rui.db", the names without their dashes. An option wins over a variable, '
        "a variable over the file.",
        allow_abbrev=False,
        add_help=False,
    )
    general = parser.add_argument_group("General")
    general.add_argument("-h", "--help", action="help", help="show this and exit")
    general.add_argument(CONFIG_FLAG, metavar="FILE", help=f"a file of settings, in TOML [{CONFIG_VARIABLE}]")
    groups = {name: parser.add_argument_group(name) for name in GROUPS}
    for option in OPTIONS:
        help_ = f"{option.help} (default: {option.shown_default}) [{option.variable}]"
        groups[option.group].add_argument(option.flag, dest=option.name, metavar=option.metavar, help=help_)
    return parser


def _refuse_misspelt(environment: Mapping[str, str]) -> None:
    """A variable that is nearly one of ours was meant to be; others that begin alike may belong to somebody else."""
    known = [*(option.variable for option in OPTIONS), *OTHER_VARIABLES]
    for name in environment:
        if name.startswith(PREFIX) and name not in known and (meant := nearest(name, known)):
            raise SettingsError(f"{name}: there is no such setting; did you mean {meant}?")


def _read_file(path: Path) -> dict[str, str]:
    """The text of every setting in a file."""
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))  # some editors begin a file with a mark
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError, which may be long
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "this is no text in UTF-8"
        reason = reason.replace("Cannot overwrite a value", "a setting stands there a second time")
        raise SettingsError(f"{path}: {reason}") from None
    keys = [option.key for option in OPTIONS]
    for key in table:
        if key not in keys:
            meant = nearest(key.replace("_", "-"), keys)
            hint = f"; did you mean {meant}?" if meant else ""
            raise SettingsError(f"{path}: {_one_line(key)}: there is no such setting{hint}")
    return {option.key: _text(path, option, table[option.key]) for option in OPTIONS if option.key in table}


def _text(path: Path, option: Option, value: object) -> str:
    """A value of TOML as it would be written in a flag."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float | str):
        return str(value)
    if isinstance(value, list) and isinstance(option.default, tuple) and _are_texts(value):
        return ",".join(value)
    what = "a list of texts, a text" if isinstance(option.default, tuple) else "a text"
    raise SettingsError(f"{path}: {option.key}: {what} or a number is needed")


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) and "," not in value for value in values)


def _one_line(text: str) -> str:
    return text if text.isprintable() else repr(text)
