"""Declaration → snippet: what an editor inserts, with tab stops, derived from the examples of the vocabulary.

The syntax is that of LSP snippets: ``${1:text}`` is a tab stop with a default, ``${2|a,b|}`` one with a choice.
"""

from __future__ import annotations

import json

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Kind, Prop, Shape

INDENT = "  "


def property_snippet(prop: Prop) -> str:
    r"""A property with its key, such as ``"direction": "${1|stack,row|}"``; lines are joined by ``\\n``."""
    return f"{json.dumps(prop.name)}: {_Writer().value(prop.kind, prop.example, '')}"


def shape_snippet(shape: Shape, example: object = None) -> str:
    """An object with the required properties of its shape, one a line.

    Args:
        shape: what to write.
        example: an object whose values are preferred to the examples of the single properties.
    """
    return _Writer().shape(shape, example, "")


class _Writer:
    """Counts the tab stops of one snippet."""

    def __init__(self) -> None:
        self._stops = 0

    def shape(self, shape: Shape, example: object, indent: str) -> str:
        """The required properties of `shape`, in braces."""
        given = example if isinstance(example, dict) else {}
        inner = indent + INDENT
        lines = [
            f"{inner}{json.dumps(name)}: {self.value(prop.kind, given.get(name, prop.example), inner)}"
            for name, prop in shape.props.items()
            if prop.required
        ]
        if not lines:
            return "{" + self._stop("") + "}"
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"

    def value(self, kind: Kind, example: object, indent: str) -> str:
        """A value of the kind, `example` being the default."""
        if kind.values:
            return self._choice(kind.values)
        if isinstance(kind, ObjectKind):
            return self.shape(kind.shape, example, indent)
        if isinstance(kind, NodeKind):
            return self._node(kind, example, indent)
        if isinstance(kind, ListKind):
            first = example[0] if isinstance(example, list) and example else None
            inner = indent + INDENT
            return f"[\n{inner}{self.value(kind.items, first, inner)}\n{indent}]"
        if isinstance(example, str):
            return f'"{self._stop(json.dumps(example, ensure_ascii=False)[1:-1])}"'
        return self._stop(json.dumps(example, ensure_ascii=False))

    def _node(self, kind: NodeKind, example: object, indent: str) -> str:
        given = example.get("type") if isinstance(example, dict) else None
        shape = next((shape for shape in kind.shapes if shape.name == given), kind.shapes[0])
        return self.shape(shape, example, indent)

    def _choice(self, values: tuple[str, ...]) -> str:
        if len(values) == 1:
            return json.dumps(values[0])
        self._stops += 1
        choices = ",".join(_escape(value, "$}\\,|") for value in values)
        return f'"${{{self._stops}|{choices}|}}"'

    def _stop(self, text: str) -> str:
        self._stops += 1
        return f"${{{self._stops}:{_escape(text, '$}' + chr(92))}}}" if text else f"${self._stops}"


def _escape(text: str, special: str) -> str:
    return "".join("\\" + letter if letter in special else letter for letter in text)
