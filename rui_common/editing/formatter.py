r"""The formatter: canonical order of properties, and one layout.

The layout has two spaces a level, one property a line, and a line end at the end of the text:

- an empty object or array is ``{}`` or ``[]``;
- an array that contains only strings, numbers, booleans and nulls is on one line if it fits in `WIDTH`;
- so is an object with only such values if it is an element of an array and not a node: a navigation item, a column,
  an option of a filter. Lists of these read like tables;
- all other objects and arrays have several lines: nodes, bindings, ``meta``.

The result depends on the value and on the spelling of its strings and numbers, not on the previous layout, so
formatting is idempotent. Strings and numbers are copied (``1.0`` does not become ``1``, nor ``"\u00e9"`` ``"é"``).
A byte-order mark is removed. If the first line ends with CRLF, all lines do.
"""

from __future__ import annotations

from collections.abc import Iterable

from rui_common.editing.normal_form import normalize
from rui_common.syntax.document import Document
from rui_common.syntax.tree import Member
from rui_common.vocabulary.kinds import AnyKind, ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Shape, Vocabulary

INDENT = "  "
WIDTH = 100
"""Maximum length, in code points, of a line with several values."""


class CannotFormatError(ValueError):
    """Formatting the text would lose a part of it.

    Attributes:
        offset: the position of the cause in the text, in code points.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def format_document(document: Document, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The canonical text of a document (docs/decisions.md, section 5, for the order of properties).

    It has the value of `document`, including values that break rules.

    Raises:
        CannotFormatError: the document has syntax errors or duplicate keys, or its root is not an object.
    """
    if not document.valid:
        error = document.syntax[0]
        raise CannotFormatError(error.message, error.span.start)
    value = document.value
    root = document.find(())
    if not isinstance(value, dict) or root is None:
        raise CannotFormatError("The root is not an object", document.range_of(()).start)
    for duplicate in document.duplicate_keys():
        name = document.text[duplicate.span.start : duplicate.span.end]
        message = f"The property {name} occurs twice, and one of the two would be lost"
        raise CannotFormatError(message, duplicate.span.start)
    printer = _Printer(document.text, vocabulary)
    text = printer.to_text(normalize(value, vocabulary), root, ObjectKind(vocabulary.root), "") + "\n"
    first_line = document.text[: document.text.find("\n") + 1]
    if not first_line.endswith("\r\n"):
        return text
    return text.replace("\n", "\r\n")


class _Printer:
    """Prints values in canonical order; keys, strings and numbers are copied from the text."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary

    def to_text(self, value: object, member: Member, kind: Kind, indent: str, *, is_element: bool = False) -> str:
        """The text of `value`, which is the normal form of the value of `member`."""
        if isinstance(value, dict):
            return self._object(value, member, kind, indent, is_compact=is_element and not isinstance(kind, NodeKind))
        if isinstance(value, list):
            return self._array(value, member, kind, indent)
        return self._source(member)

    def _object(self, value: dict[str, object], member: Member, kind: Kind, indent: str, *, is_compact: bool) -> str:
        if not value:
            return "{}"
        by_name = {inner.step: inner for inner in member.members() or ()}
        if is_compact and _has_only_scalars(value.values()):
            pairs = (f"{self._key(by_name[name])}: {self._source(by_name[name])}" for name in value)
            line = f"{{{', '.join(pairs)}}}"
            if len(indent) + len(line) <= WIDTH:
                return line
        shape = shape_of(value, kind, self._vocabulary)
        deeper = indent + INDENT
        lines = []
        for name, inner in value.items():
            text = self.to_text(inner, by_name[name], _kind_of(shape, name), deeper)
            lines.append(f"{deeper}{self._key(by_name[name])}: {text}")
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"

    def _array(self, value: list[object], member: Member, kind: Kind, indent: str) -> str:
        if not value:
            return "[]"
        members = tuple(member.members() or ())
        if _has_only_scalars(value):
            line = f"[{', '.join(self._source(inner) for inner in members)}]"
            if len(indent) + len(line) <= WIDTH:
                return line
        items = kind.items if isinstance(kind, ListKind) else AnyKind()
        deeper = indent + INDENT
        lines = [
            deeper + self.to_text(element, inner, items, deeper, is_element=True)
            for element, inner in zip(value, members, strict=True)
        ]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"

    def _key(self, member: Member) -> str:
        assert member.key_span is not None  # noqa: S101  it is a property
        return self._text[member.key_span.start : member.key_span.end]

    def _source(self, member: Member) -> str:
        return self._text[member.start : member.end]


def _kind_of(shape: Shape | None, name: str) -> Kind:
    prop = shape and shape.prop(name)
    if prop:
        return prop.kind
    return AnyKind()


def _has_only_scalars(values: Iterable[object]) -> bool:
    return not any(isinstance(value, dict | list) for value in values)
