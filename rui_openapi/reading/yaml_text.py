"""Read YAML as JSON values by the core schema of YAML 1.2, and find the place of a value in the text.

An alias is the same object as its anchor, so aliases that explode when they are expanded take no memory.
"""

import re
from typing import Any

import yaml
from yaml.composer import Composer

from rui_common.json_values import as_object
from rui_common.syntax.spans import Span

MAX_DEPTH = 200  # Levels of nesting. PyYAML recurses; its compiled composer would end the process.
MAX_MERGED = 500_000  # properties that are added by the merge key, in total

_IS_COMPILED = hasattr(yaml, "CSafeLoader")

MAX_SIZE = (4 if _IS_COMPILED else 2) * 1024 * 1024
"""Characters of a text. PyYAML's compiled parser takes ten times as long as that of JSON, the other ten times more."""

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BASES: Any = (Composer, _PARSER) if _IS_COMPILED else (_PARSER,)
_CONSTANTS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


class _Loader(*_BASES):  # type: ignore[misc]
    """PyYAML's composer over its compiled parser, with a limit of nesting."""

    def __init__(self, text: str) -> None:
        _PARSER.__init__(self, text)
        self.anchors: dict[str, yaml.Node] = {}
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: object) -> yaml.Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            line = self.peek_event().start_mark.line + 1
            raise ValueError(f"line {line}: more than {MAX_DEPTH} levels of nesting")
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _compose(text: str) -> yaml.Node | None:
    """Return the root of the first document in a text, or None.

    Raises:
        ValueError: the text is not YAML, or is nested too deeply.
    """
    try:
        loader = _Loader(text)
        if loader.check_node():
            return loader.get_node()
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
        raise ValueError(f"{place}{error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise ValueError(str(error).partition("\n")[0]) from None


def parse_yaml(text: str) -> object:
    """Return the value of the first document in a text. Keys are always strings, such as ``"200"``.

    Raises:
        ValueError: the text is too large, not YAML, nested too deeply, or has keys that are objects; with the reason.
    """
    if len(text) > MAX_SIZE:
        raise ValueError(f"it has more than {MAX_SIZE:,} characters, the limit for YAML; convert it to JSON")
    root = _compose(text)
    if root is None:
        return None
    return _Constructor().value(root)


class _Constructor:
    def __init__(self) -> None:
        self._made: dict[int, Any] = {}
        self._merged = 0

    def value(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else _scalar(node.value)  # quoted and block scalars are text
        if id(node) in self._made:
            return self._made[id(node)]
        if isinstance(node, yaml.SequenceNode):
            elements: list[object] = []
            self._made[id(node)] = elements
            elements.extend(self.value(inner) for inner in node.value)
            return elements
        return self._object(node)

    def _object(self, node: yaml.Node) -> dict[str, object]:
        properties: dict[str, object] = {}
        self._made[id(node)] = properties
        merged: list[object] = []
        for key, inner in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ValueError(f"line {key.start_mark.line + 1}: a key is an object or a list")
            value = self.value(inner)
            if key.value == "<<" and isinstance(value, dict | list):
                merged += value if isinstance(value, list) else [value]
            else:
                properties[key.value] = value
        for other in filter(None, map(as_object, merged)):
            self._merged += len(other)
            if self._merged > MAX_MERGED:
                raise ValueError(f"the merge keys (<<) add more than {MAX_MERGED:,} properties")
            properties.update({**other, **properties})
        return properties


def _scalar(text: str) -> object:
    """Return the value of a plain scalar by the core schema."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _children_of(node: yaml.Node) -> dict[object, tuple[yaml.Node, yaml.Node]]:
    """Return key → nodes of the key and the value, or index → the element twice; empty for a scalar."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: (key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    if isinstance(node, yaml.SequenceNode):
        return {index: (element, element) for index, element in enumerate(node.value)}
    return {}


def find_place(text: str, pointer: tuple[str | int, ...]) -> Span | None:
    """Return the range of the key of a value, or of an element; None without it, or if the text is no YAML."""
    try:
        node = _compose(text)
    except ValueError:
        return None
    place = None
    for step in pointer:
        children = _children_of(node)
        if step not in children:
            return None
        place, node = children[step]
    if place is None:
        return None
    return Span(place.start_mark.index, place.end_mark.index)
