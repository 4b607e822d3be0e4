"""The content of a `rui.toml`: what is checked, which warnings count, and which API bindings are compared with."""

import os
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeGuard

from rui_common.document_files import check_regular, read_file
from rui_common.problems.lints import WARNINGS
from rui_common.project.discovery import ApiChoice, ConfigurationError
from rui_common.project.globs import Globs
from rui_common.suggest import did_you_mean
from rui_common.vocabulary.rules import MESSAGES, RULES

Table = dict[str, Any]

MAX_BYTES = 1_000_000  # Maximum size of a `rui.toml`: parsing it takes half a second. Twenty thousand entries fit.
MAX_SHOWN = 100  # maximum length of a word of the file in a message
IGNORES = "per-file-ignores"  # the table of what is ignored
AT = " at "  # what is between code and place in an entry of it


class Level(StrEnum):
    """A value of ``[rules]``: what a warning counts as."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Ignore(NamedTuple):
    """One entry of ``[per-file-ignores]``."""

    glob: str
    code: str
    place: str  # the id of a node, or the path of a part that is in no node; ``""`` for all of the document

    @property
    def text(self) -> str:
        return entry_text(self.code, self.place)


class FileIgnores(NamedTuple):
    """A glob, and what is ignored in the documents that it fits, by code and place."""

    glob: str
    entries: Mapping[tuple[str, str], Ignore]


class ProjectConfiguration:
    """The content of one `rui.toml`, whose path is `path`; that of `text` if it is open in an editor.

    Raises:
        ConfigurationError: it cannot be read, or says something that cannot be used.
    """

    def __init__(self, path: str, text: str | None = None) -> None:
        self.path = path
        self.folder = os.path.dirname(path)
        content = self._table(
            "", parse(read_text(path) if text is None else text, path), "exclude", "rules", IGNORES, "api"
        )
        exclude = content.get("exclude", [])
        if not _is_list_of_texts(exclude):
            raise self._error('`exclude` is no list of globs; write exclude = ["fixtures", "dist/**"]')
        self._exclude = Globs((glob, glob) for glob in exclude)
        self.rules = self._read_rules(content.get("rules", {}))  # what warnings count as, by code
        ignores = content.get(IGNORES, {})
        if not isinstance(ignores, dict):
            raise self._error(f'`{IGNORES}` is no table; write [{IGNORES}], then "app.rui.json" = ["{_EXAMPLE}"]')
        self.ignores = [self._read_ignores(glob, entries) for glob, entries in ignores.items()]
        self._ignores = Globs((ignored.glob, ignored) for ignored in self.ignores)
        self._fitting: dict[str, list[FileIgnores]] = {}  # by path of a document; editors ask again and again
        self._api = self._api_table("api", content.get("api", {}), "openapi", "strict", "overrides")
        overrides = self._api.get("overrides", [])
        if not isinstance(overrides, list):
            raise self._error("`api.overrides` is no array of tables; write [[api.overrides]]")
        self._overrides = Globs(item for override in overrides for item in self._read_override(override))

    def api_choice(self, document: str) -> ApiChoice:
        """Return the description for a document: that of the last override whose globs match, else the default."""
        chosen = self._api
        for override in self._overrides.fitting(self._relative(document)):
            chosen = {**self._api, **override}
        openapi = chosen.get("openapi")
        return ApiChoice(os.path.join(self.folder, openapi) if openapi else "", chosen.get("strict", False))

    @property
    def names_api(self) -> bool:
        """Whether there is a description for any document."""
        return bool(self._api)

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a document is excluded: by a glob that fits its path, or that of a folder around it.

        A folder is excluded if all is that could be in it. That of the `rui.toml` is not.
        """
        relative = self._relative(path)
        if not self._exclude or relative == os.curdir:
            return False
        parts = relative.split("/")
        names = ("/".join(parts[: count + 1]) for count in range(len(parts)))
        return any(map(self._exclude.fits, names)) or (is_folder and self._exclude.fits_all_in(relative))

    def ignores_for(self, document: str) -> list[FileIgnores]:
        """Return what is ignored in a document."""
        if not self.ignores:
            return []
        if document not in self._fitting:
            self._fitting[document] = self._ignores.fitting(self._relative(document))
        return self._fitting[document]

    def _relative(self, document: str) -> str:
        return os.path.relpath(document, self.folder or os.curdir).replace(os.sep, "/")

    def _read_rules(self, rules: object) -> dict[str, Level]:
        if not isinstance(rules, dict):
            raise self._error(f'`rules` is no table; write [rules], then {_EXAMPLE} = "off"')
        levels: dict[str, Level] = {}
        for code, level in rules.items():
            self._check_code("rules", code)
            if not isinstance(level, str) or level not in {*Level}:
                meant = did_you_mean(level, Level) if isinstance(level, str) else ""
                raise self._error(f"rules.{code} is none of {', '.join(Level)}: {_shown(level)}{meant}")
            levels[code] = Level(level)
        return levels

    def _read_ignores(self, glob: str, entries: object) -> FileIgnores:
        if not _is_list_of_texts(entries):
            where = f'{IGNORES}."{glob[:MAX_SHOWN]}"'
            raise self._error(f'{where} is no list of codes; write "{_EXAMPLE}", or "{_EXAMPLE} at open-bills"')
        found: dict[tuple[str, str], Ignore] = {}
        for entry in entries:
            code, separator, place = entry.partition(AT)
            self._check_code(IGNORES, code if place or not separator else entry)
            found[code, place] = Ignore(glob, code, place)
        return FileIgnores(glob, found)

    def _check_code(self, table: str, code: str) -> None:
        """Raise ConfigurationError if a code is not that of a warning."""
        if code in WARNINGS:
            return
        if code in MESSAGES or code in RULES:
            raise self._error(f"[{table}] {code} is an error of the contract: these stay errors; name a warning")
        advice = did_you_mean(code, [*WARNINGS, *MESSAGES, *RULES]) or "; docs/rules.md lists the warnings"
        raise self._error(f"[{table}] {_shown(code)} is unknown{advice}")

    def _read_override(self, override: object) -> list[tuple[str, Table]]:
        table = self._api_table("api.overrides", override, "files", "openapi", "strict")
        files = table.get("files")
        patterns = files if isinstance(files, list) else [files]
        if not patterns or not _is_list_of_texts(patterns):
            raise self._error('an override needs `files`, such as files = ["admin/*.rui.json"]')
        return [(pattern, table) for pattern in patterns]

    def _api_table(self, name: str, value: object, *keys: str) -> Table:
        table = self._table(name, value, *keys)
        openapi = table.get("openapi", False)
        if openapi is not False and not isinstance(openapi, str):
            raise self._error("`openapi` is no file name; write the path of a file, or false")
        if not isinstance(table.get("strict", False), bool):
            raise self._error("`strict` is neither true nor false")
        return table

    def _table(self, name: str, value: object, *keys: str) -> Table:
        """Return a value if it is a table without unknown keys."""
        if not isinstance(value, dict):
            raise self._error(f"`{name}` is no table")
        for key in value:
            if key not in keys:
                advice = did_you_mean(key, keys) or f"; it may have {', '.join(keys)}"
                if not name and advice.startswith(";"):
                    advice += ". The settings of `rui serve` have a file of their own, such as service.toml"
                full_name = f"{name}.{key}".removeprefix(".")
                raise self._error(f"`{full_name[:MAX_SHOWN]}` is unknown{advice}")
        return value

    def _error(self, reason: str) -> ConfigurationError:
        if not reason.isprintable():  # A key may contain anything; an editor shows the message as it is.
            reason = reason.encode("unicode_escape").decode()
        return ConfigurationError(f"cannot use {self.path}: {reason}")


_EXAMPLE = next(iter(WARNINGS))


def entry_text(code: str, place: str) -> str:
    """Return an entry of ``[per-file-ignores]``, such as ``NOT_SHOWN at open-bills``."""
    return f"{code}{AT}{place}" if place else code


def read_text(path: str) -> str:
    """Return the text of a `rui.toml`, without its byte-order mark.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is not UTF-8.
    """
    try:
        check_regular(os.stat(path))
        data = read_file(path)
        if len(data) > MAX_BYTES:
            raise OSError(f"it has more than {MAX_BYTES:,} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    except (OSError, ValueError) as error:  # a ValueError for a name with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        reason = f"{reason[:1].lower()}{reason[1:]}"
    raise ConfigurationError(f"cannot read {path}: {reason}")


def parse(text: str, path: str) -> Table:
    """Return the content of a text.

    Raises:
        ConfigurationError: it is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a ValueError also for a number with too many digits
        raise ConfigurationError(f"cannot read {path}: it is not TOML: {error}") from None


def _is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _shown(value: object) -> str:
    return repr(value) if not isinstance(value, str) else f"`{value[:MAX_SHOWN]}`"
