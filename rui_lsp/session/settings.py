"""The settings of the language server, under the names that editors show to their users, and which count now."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, NamedTuple

from rui_common.problems.lints import WARNINGS
from rui_common.redact import redact_userinfo
from rui_common.suggest import did_you_mean
from rui_common.validation.diagnostics import Diagnostic
from rui_common.vocabulary.rules import MESSAGES, RULES
from rui_lsp.session.uris import innermost_folder

SECTION = "rui"  # the section of all settings
SERVER_URL = "http://127.0.0.1:8000"  # default URL of the service: that of `rui serve` without options
SERVICE_DOCS = "/docs"  # path of the documentation of a service
MAX_DELAY = 10_000  # greatest value of ``rui.diagnostics.delay``, in milliseconds


class Level(IntEnum):
    """A value of ``rui.diagnostics.severity``: not shown, or a `DiagnosticSeverity` of LSP."""

    OFF = 0
    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


LEVELS = {level.name.lower(): level for level in Level}


class ClientSetting(NamedTuple):
    """One setting."""

    name: str  # the full name, such as ``rui.server.url``
    default: object  # the default value
    schema: dict[str, object]  # the JSON Schema of a value, without default and description
    doc: str  # the description, for users
    # converts a value from the client; raises ValueError if it is invalid. If a part of it is, the reasons are added to
    # the list.
    parse: Callable[[object, list[str]], object]


@dataclass(frozen=True)
class ClientSettings:
    """The settings of one client, or of one of its folders; `SETTINGS` describes each field."""

    openapi: str
    server_url: str
    diagnostics_delay: int
    inlay_hints: bool
    severities: dict[str, Level]  # the levels by code or number of a rule, in capitals
    # the invalid values, one sentence each. They are replaced by the default.
    messages: list[str] = field(compare=False)

    @classmethod
    def parse(cls, *layers: object) -> ClientSettings:
        """Return the settings from some sources.

        Args:
            layers: the sources, the most important first, each as a client sends it: nested
                (``{"rui": {"server": {"url": …}}}``) or by full names (``{"rui.server.url": …}``).
        """
        messages: list[str] = []
        values: dict[str, Any] = {name: _parse(setting, layers, messages) for name, setting in SETTINGS.items()}
        return cls(**values, messages=messages)

    def severity_for(self, diagnostic: Diagnostic) -> Level | None:
        """Return the configured severity of a diagnostic, or None. The rule's number has precedence over the code."""
        by_rule = self.severities.get(diagnostic.rule.upper())
        if by_rule is not None:
            return by_rule
        return self.severities.get(diagnostic.code)

    def below(self, rules: Container[str]) -> ClientSettings:
        """Return the settings without the severities of some codes, which a `rui.toml` decides."""
        left = {name: level for name, level in self.severities.items() if name not in rules}
        return self if len(left) == len(self.severities) else replace(self, severities=left)

    @property
    def docs_url(self) -> str:
        """The documentation that diagnostics and hovers link to: that of a configured service, else ``""``."""
        if self.server_url == SERVER_URL:
            return ""
        scheme, _, rest = self.server_url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}{SERVICE_DOCS}"


def _parse(setting: ClientSetting, layers: tuple[object, ...], messages: list[str]) -> object:
    """Return the value of a setting; a message about an invalid one is added to `messages`."""
    given = (_lookup(layer, setting.name) for layer in layers)
    value = next((item for item in given if item is not None), None)
    if value is None:
        return setting.default
    reasons: list[str] = []
    try:
        parsed = setting.parse(value, reasons)
    except ValueError as error:
        reasons.append(str(error))
        parsed = setting.default
    messages += [f"{setting.name}: {reason}; the default is used." for reason in reasons]
    return parsed


def _lookup(options: object, name: str) -> object:
    if not isinstance(options, dict):
        return None
    if options.get(name) is not None:
        return options[name]
    first, _, rest = name.partition(".")
    if not rest:
        return None
    return _lookup(options.get(first), rest)


def _parse_file_name(value: object, _: list[str]) -> str:
    if isinstance(value, str) and value.isprintable():
        return value.strip()
    raise ValueError(f"expected the path of a file such as openapi.yaml, not {value!r:.100}")


def _parse_url(value: object, _: list[str]) -> str:
    if isinstance(value, str) and value.startswith(("http://", "https://")) and value.isprintable():
        return value.rstrip("/")
    shown = redact_userinfo(value) if isinstance(value, str) else value
    raise ValueError(f"expected a URL such as http://127.0.0.1:8000, not {shown!r:.100}")


def _parse_delay(value: object, _: list[str]) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_DELAY:
        return value
    raise ValueError(f"expected milliseconds from 0 to {MAX_DELAY}, not {value!r:.100}")


def _parse_flag(value: object, _: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, not {value!r:.100}")


def _parse_severities(value: object, reasons: list[str]) -> dict[str, Level]:
    if not isinstance(value, dict):
        raise ValueError(f'expected an object such as {{"ORPHAN_PAGE": "warning"}}, not {value!r:.100}')
    names = [name.upper() for name in (*MESSAGES, *WARNINGS, *RULES)]
    severities: dict[str, Level] = {}
    for key, level in value.items():
        name = str(key).upper()
        if name not in names:
            reasons.append(f"unknown rule or code {key!r:.100}{did_you_mean(name, names)}")
        elif isinstance(level, str) and level.lower() in LEVELS:
            severities[name] = LEVELS[level.lower()]
        elif level is not None:
            reasons.append(f"{key}: expected one of {', '.join(LEVELS)}, not {level!r:.100}")
    return severities


SETTINGS = {
    "server_url": ClientSetting(
        "rui.server.url",
        SERVER_URL,
        {"type": "string"},
        "The service that documents are published to. If it is not the default, diagnostics and hovers link to its "
        "pages of the rules.",
        _parse_url,
    ),
    "severities": ClientSetting(
        "rui.diagnostics.severity",
        {},
        {
            "type": "object",
            "propertyNames": {"enum": list(dict.fromkeys([*RULES, *MESSAGES, *WARNINGS]))},
            "additionalProperties": {"enum": list(LEVELS)},
        },
        'Changes the severity of rules, by code or number: `{"ORPHAN_PAGE": "warning", "R7": "off"}`. Possible values: '
        f"{', '.join(f'`{level}`' for level in LEVELS)}. The validity of a document does not change. An entry "
        "in `[rules]` of a `rui.toml` comes first.",
        _parse_severities,
    ),
    "diagnostics_delay": ClientSetting(
        "rui.diagnostics.delay",
        250,
        {"type": "integer", "minimum": 0, "maximum": MAX_DELAY},
        "How many milliseconds after the last edit diagnostics are updated; 0 for no pause. Opening and saving a "
        "document update them at once.",
        _parse_delay,
    ),
    "inlay_hints": ClientSetting(
        "rui.inlayHints",
        True,
        {"type": "boolean"},
        "Shows the title of a page behind each `pageId`, and the label of a column behind the `field` of a filter, in "
        "editors that show inlay hints.",
        _parse_flag,
    ),
    "openapi": ClientSetting(
        "rui.openapi",
        "",
        {"type": "string"},
        "The OpenAPI description (3.0 or 3.1, JSON or YAML) that bindings are compared with and completed from: a "
        "path, relative to the workspace folder. By default that of the nearest `rui.toml`.",
        _parse_file_name,
    ),
}
"""Every setting, by its attribute of `ClientSettings`."""


class Configuration:
    """The settings of one client."""

    def __init__(self, options: object) -> None:
        """Start with ``initializationOptions``, which count if the client sends no setting. They may omit ``rui``."""
        self._options = (options, {SECTION: options})
        # whether the client trusts the workspace, by ``isWorkspaceTrusted`` in ``initializationOptions``. It is no
        # setting, because the workspace could change it.
        self.is_trusted = not isinstance(options, dict) or options.get("isWorkspaceTrusted") is not False
        self._shown: list[str] = []
        # the settings of the workspace; `for_document` considers folders
        self.settings = ClientSettings.parse(*self._options)
        self.folder_settings: dict[str, ClientSettings] = {}  # the settings of single folders, by address

    def for_document(self, uri: str) -> ClientSettings:
        """Return the settings for a document: those of the innermost folder that contains it."""
        folder = innermost_folder(uri, self.folder_settings)
        if folder is None:
            return self.settings
        return self.folder_settings[folder]

    def replace(self, sent: object) -> bool:
        """Use what the client has sent for the workspace, nested or by full names; whether that changes anything."""
        return self._replace(ClientSettings.parse(sent, *self._options), {})

    def replace_sections(self, section: object, folder_sections: dict[str, object]) -> bool:
        """Use the section ``rui`` of the workspace and of each folder, by address; whether that changes anything."""
        general = {SECTION: section}
        folder_settings = {
            folder: ClientSettings.parse({SECTION: folder_section}, general, *self._options)
            for folder, folder_section in folder_sections.items()
        }
        return self._replace(ClientSettings.parse(general, *self._options), folder_settings)

    def _replace(self, settings: ClientSettings, folder_settings: dict[str, ClientSettings]) -> bool:
        previous = self._in_use()
        self.settings = settings
        self.folder_settings = folder_settings
        return self._in_use() != previous

    def _in_use(self) -> tuple[ClientSettings, dict[str, ClientSettings]]:
        different = {uri: settings for uri, settings in self.folder_settings.items() if settings != self.settings}
        return self.settings, different

    def new_messages(self) -> Iterable[str]:
        """Return the messages about invalid settings, without those that the last call returned."""
        all_settings = [self.settings, *self.folder_settings.values()]
        messages = list(dict.fromkeys(text for settings in all_settings for text in settings.messages))
        added = [text for text in messages if text not in self._shown]
        self._shown = messages
        return added
