"""What a client can set, under the names that an editor shows to its user."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.validation.diagnostics import Diagnostic

SECTION = "rui"
"""What the name of every setting begins with."""

DOCS_URL = "https://rui-toolkit.readthedocs.io/rules"
"""Where the pages of the rules are published, unless the client says otherwise."""

SERVER_URL = "http://127.0.0.1:8000"
"""Where `rui serve` listens, unless it is told otherwise."""

TRACES = TRACE_OFF, TRACE_MESSAGES, TRACE_VERBOSE = "off", "messages", "verbose"
"""How much the server tells a client about what it does."""

LEVELS = {"off": 0, "error": 1, "warning": 2, "information": 3, "hint": 4}
"""What a diagnostic can be shown as, with the protocol's numbers; 0 is not at all."""


class PartialSettingError(ValueError):
    """Part of a setting makes no sense.

    Args:
        value: what is left of it.
        reasons: what is wrong, a sentence each.
    """

    def __init__(self, value: object, reasons: list[str]) -> None:
        super().__init__(*reasons)
        self.value = value


class Setting:
    """One setting.

    Attributes:
        name: the whole name: ``rui.docs.url``.
        default: its value unless it is set.
        doc: what it is, in a sentence.
        read: takes a value that was set and gives the one to use.
    """

    __slots__ = ("default", "doc", "name", "read")

    def __init__(self, name: str, default: object, doc: str, read: Callable[[object], object]) -> None:
        self.name = name
        self.default = default
        self.doc = doc
        self.read = read


class Settings:
    """The settings of one client, or of one of its folders.

    Attributes:
        docs_url: ``rui.docs.url``.
        server_url: ``rui.server.url``.
        severities: ``rui.diagnostics.severity``: code or number of a rule, in capitals → a number of `LEVELS`.
        trace: ``rui.trace``; None if it is not set.
        complaints: what is wrong with what was set, a sentence each; of all that is wrong the default holds.
    """

    __slots__ = ("docs_url", "messages", "server_url", "severities", "trace")
    docs_url: str
    server_url: str
    severities: dict[str, int]
    trace: str | None

    def __init__(self, *layers: object) -> None:
        """Read settings.

        Args:
            layers: where they are set, the most important first, each as a client sends it: nested
                (``{"rui": {"docs": {"url": …}}}``) or by full names (``{"rui.docs.url": …}``).
        """
        self.messages: list[str] = []
        for attribute, setting in SETTINGS.items():
            setattr(self, attribute, self._value(setting, layers))

    def _value(self, setting: Setting, layers: tuple[object, ...]) -> object:
        for layer in layers:
            given = _lookup(layer, setting.name)
            if given is not None:
                return self._read(setting, given)
        return setting.default

    def _read(self, setting: Setting, given: object) -> object:
        try:
            return setting.read(given)
        except PartialSettingError as error:
            self.messages += [f"{setting.name}: {reason}; the default holds." for reason in error.args]
            return error.value
        except ValueError as error:
            self.messages.append(f"{setting.name}: {error}; the default holds.")
            return setting.default

    def severity_for(self, diagnostic: Diagnostic) -> int | None:
        """What a diagnostic is to be shown as; None for what it is anyway. A rule's number says more than a code."""
        found = self.severities.get(diagnostic.rule.upper())
        return self.severities.get(diagnostic.code) if found is None else found

    def with_default_severities(self) -> Settings:
        """The same, but everything is shown as what it is."""
        same = Settings()
        same.docs_url, same.server_url, same.trace = self.docs_url, self.server_url, self.trace
        return same

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal settings."""
        return self.docs_url, self.server_url, *sorted(self.severities.items()), self.trace


def _lookup(options: object, name: str) -> object:
    """The value of a setting, or None."""
    if not isinstance(options, dict):
        return None
    if options.get(name) is not None:
        return options[name]
    first, _, rest = name.partition(".")
    return _lookup(options.get(first), rest) if rest else None


def _url(given: object) -> str:
    if isinstance(given, str) and given.startswith(("http://", "https://")) and given.isprintable():
        return given.rstrip("/")
    raise ValueError(f"an address such as http://127.0.0.1:8000 is needed, not {_shown(given):.100}")


def _shown(given: object) -> str:
    if isinstance(given, str) and "@" in given:
        from rui_common.redact import redact_userinfo  # noqa: PLC0415  hardly ever

        given = redact_userinfo(given)
    return repr(given)


def _severities(given: object) -> dict[str, int]:
    if not isinstance(given, dict):
        raise ValueError(f'an object such as {{"ORPHAN_PAGE": "warning"}} is needed, not {given!r:.100}')
    from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS  # noqa: PLC0415

    known = {name.upper(): name for name in (*MESSAGES, *WARNINGS, *RULES)}
    found: dict[str, int] = {}
    wrong: list[str] = []
    for name, level in given.items():
        if str(name).upper() not in known:
            wrong.append(f"no rule or code is called {name!r:.100}{_meant(str(name).upper(), list(known))}")
        elif isinstance(level, str) and level.lower() in LEVELS:
            found[str(name).upper()] = LEVELS[level.lower()]
        elif level is not None:
            wrong.append(f"{name} can be shown as {', '.join(LEVELS)}, not as {level!r:.100}")
    if wrong:
        raise PartialSettingError(found, wrong)
    return found


def _meant(word: str, names: list[str]) -> str:
    from rui_common.suggest import nearest  # noqa: PLC0415  only for what is wrong

    name = nearest(word, names)
    return "" if name is None else f" (did you mean {name}?)"


def _trace(given: object) -> str | None:
    level = given.get("server") if isinstance(given, dict) else given
    if level is None:
        return None
    if level in TRACES:
        return str(level)
    raise ValueError(f"one of {', '.join(TRACES)} is needed, not {given!r:.100}")


SETTINGS = {
    "docs_url": Setting(
        "rui.docs.url", DOCS_URL, "The page of rules that diagnostics link to; each rule is an anchor in it.", _url
    ),
    "server_url": Setting(
        "rui.server.url", SERVER_URL, "The service that documents are published to.", _url
    ),
    "severities": Setting(
        "rui.diagnostics.severity", {},
        'Shows rules as something else, by code or number: `{"ORPHAN_PAGE": "warning", "R7": "off"}`. Possible are '
        f"{', '.join(f'`{level}`' for level in LEVELS)}. It changes what is shown, not what is valid.",
        _severities,
    ),
    "trace": Setting(
        "rui.trace", None,
        f"How much the server tells of what it does, by `$/logTrace`: {', '.join(f'`{level}`' for level in TRACES)}.",
        _trace,
    ),
}  # fmt: skip
"""Every setting, by the attribute of `Settings` that has it."""
