"""Read YAML as JSON values, by the core schema of YAML 1.2.

The values are built from the events of libyaml. `yaml.compose` and `yaml.load` take ten times as long, and end the
process at 200,000 levels of nesting, as they recurse. An alias is the same object as its anchor, so aliases that
explode when they are expanded take no memory.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MAX_DEPTH = 500
"""Levels of nesting; libyaml itself accepts 1,000."""

MAX_MERGED = 500_000
"""Properties that are added by the merge key, in total."""

IS_COMPILED = hasattr(yaml, "CSafeLoader")

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONSTANTS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_NUMBER_START = frozenset("0123456789+-.")
_MERGE = "<<"
_MAX_DIGITS = 300
_NO_KEY = object()


class YamlError(ValueError):
    """The text is not YAML, or not JSON-like; the message is the reason."""


def parse_yaml(text: str) -> object:
    """Return the value of the first document in a text. Keys are always strings, such as ``"200"``.

    Raises:
        YamlError: the text is not YAML, is nested too deeply, or has keys that are objects.
    """
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=LOADER):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.add(event)
    except yaml.MarkedYAMLError as error:
        raise YamlError(_reason(error)) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).partition("\n")[0]) from None
    builder.merge()
    return builder.root


def _reason(error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "invalid YAML"
    if mark is None:
        return problem
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"


class _Builder:
    """Builds a value from events."""

    def __init__(self) -> None:
        self.root: object = None
        self._anchors: dict[str, object] = {}
        self._open: list[Any] = []  # containers around the next value
        self._merges: list[tuple[dict[str, object], Any]] = []  # container, and the value of its key `<<`
        self._keys: list[object] = []  # the key of the next value in each of them

    def add(self, event: yaml.Event) -> None:
        """Add one event."""
        if isinstance(event, yaml.ScalarEvent):
            self._add_scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._keys.pop()
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise YamlError(f"line {event.start_mark.line + 1}: the alias *{event.anchor} has no anchor")
            self._add(self._anchors[event.anchor], event)

    def merge(self) -> None:
        """Add the properties of merged objects (`<<`) that their containers do not have.

        Raises:
            YamlError: they are too many.
        """
        merged = 0
        for container, value in self._merges:
            for other in value if isinstance(value, list) else [value]:
                if not isinstance(other, dict):
                    continue
                merged += len(other)
                if merged > MAX_MERGED:
                    raise YamlError(f"the merge keys (<<) add more than {MAX_MERGED:,} properties")
                for name, inner in [*other.items()]:
                    container.setdefault(name, inner)

    def _add_scalar(self, event: yaml.ScalarEvent) -> None:
        text: str = event.value
        if self._expects_key():
            value: object = text
        elif event.tag is not None and event.tag.endswith(":str"):
            value = text
        else:
            value = _scalar(text) if event.implicit[0] else text
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._add(value, event)

    def _begin(self, container: dict[str, object] | list[object], event: yaml.NodeEvent) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise YamlError(f"line {event.start_mark.line + 1}: more than {MAX_DEPTH} levels of nesting")
        if event.anchor is not None:
            self._anchors[event.anchor] = container
        self._add(container, event)
        self._open.append(container)
        self._keys.append(_NO_KEY)

    def _expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) and self._keys[-1] is _NO_KEY

    def _add(self, value: object, event: yaml.NodeEvent) -> None:
        if not self._open:
            self.root = value
            return
        container = self._open[-1]
        if isinstance(container, list):
            container.append(value)
            return
        key = self._keys[-1]
        if key is _NO_KEY:
            if isinstance(value, dict | list):
                raise YamlError(f"line {event.start_mark.line + 1}: a key is an object or a list")
            self._keys[-1] = value if isinstance(value, str) else str(value)
            return
        self._keys[-1] = _NO_KEY
        if key == _MERGE and isinstance(value, dict | list):
            self._merges.append((container, value))
        else:
            container[key] = value


def _scalar(text: str) -> object:
    """Return the value of a plain scalar by the core schema."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_START or len(text) > _MAX_DIGITS:
        return text
    if _INTEGER.fullmatch(text) or _OTHER_BASE.fullmatch(text):
        return int(text, 10 if _INTEGER.fullmatch(text) else 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text
