r"""Document → canonical text: the properties in canonical order, in one layout.

The layout (two spaces a level, one property a line, a line ending at the end):

- an empty object or array is ``{}`` or ``[]``;
- an array of nothing but strings, numbers, booleans and nulls stands on one line, where that keeps within `WIDTH`;
- so does an object of nothing but such values that is an element of an array and no node: a navigation item, a column,
  an option of a filter. Lists of these read like tables then, which is how people write them;
- everything else is spread: nodes, bindings, ``meta``.

It depends on the value and on the spelling of its strings and numbers alone, not on the layout it had: formatting
twice changes nothing. Strings and numbers stay as their author spelt them (``1.0`` is not ``1``, ``"\u00e9"`` is
not ``"é"``), a byte-order mark goes, and a text whose first line ends with CRLF keeps such line endings.
"""

from __future__ import annotations

from rui_common.editing.normal_form import normalize
from rui_common.vocabulary.kinds import AnyKind, ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.tree import Member
    from rui_common.vocabulary.schema import Kind, Vocabulary

INDENT = "  "
WIDTH = 100
"""Columns (code points) that a line made of several values may have."""


class CannotFormatError(ValueError):
    """The text cannot be written anew without losing something.

    Attributes:
        offset: where in the text, in code points.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def format_document(document: Document, vocabulary: Vocabulary = VOCABULARY, *, keep_order: bool = False) -> str:
    """The canonical text of a document (docs/decisions.md, section 5, for the order of properties).

    Its value is that of `document`; faults that the rules find in it stay as they are.

    Args:
        document: the document.
        vocabulary: what gives the order.
        keep_order: whether properties stay in the order that they have, so that only blanks change.

    Raises:
        CannotFormatError: the document is broken, its root is no object, or a key is repeated in an object.
    """
    if not document.valid:
        fault = document.syntax[0]
        raise CannotFormatError(fault.message, fault.span.start)
    value, root = document.value, document.find(())
    if not isinstance(value, dict) or root is None:
        raise CannotFormatError("The root is not an object", document.range_of(()).start)
    for repeated in document.duplicate_keys():
        name = document.text[repeated.span.start : repeated.span.end]
        raise CannotFormatError(
            f"The property {name} stands twice, and one of the two would be lost", repeated.span.start
        )
    writer = _Writer(document.text, vocabulary)
    ordered = value if keep_order else normalize(value, vocabulary)
    text = writer.value(ordered, root, ObjectKind(vocabulary.root), "") + "\n"
    first_line = document.text[: document.text.find("\n") + 1]
    return text.replace("\n", "\r\n") if first_line.endswith("\r\n") else text


class _Writer:
    """Writes values in canonical order; what they hold comes from the text, as it is spelt there."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary

    def value(self, value: object, member: Member, kind: Kind, indent: str, *, is_element: bool = False) -> str:
        """`value`, which is the normal form of what stands at `member`."""
        if not isinstance(value, dict | list):
            return self._spelt(member)
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        is_compact = isinstance(value, list) or (is_element and not isinstance(kind, NodeKind))
        below = value if isinstance(value, list) else value.values()
        if is_compact and not any(isinstance(inner, dict | list) for inner in below):
            line = self._on_one_line(value, member)
            if len(indent) + len(line) <= WIDTH:
                return line
        return self._spread(value, member, kind, indent)

    def _spread(self, value: dict[str, object] | list[object], member: Member, kind: Kind, indent: str) -> str:
        deeper = indent + INDENT
        if isinstance(value, list):
            items = kind.items if isinstance(kind, ListKind) else AnyKind()
            lines = [
                self.value(inner, there, items, deeper, is_element=True)
                for inner, there in zip(value, member.members() or (), strict=True)
            ]
            opening, closing = "[", "]"
        else:
            shape = shape_of(value, kind, self._vocabulary)
            lines = []
            for name, there in self._in_order(value, member):
                prop = None if shape is None else shape.prop(name)
                inner_kind = AnyKind() if prop is None else prop.kind
                lines.append(f"{self._key(there)}: {self.value(value[name], there, inner_kind, deeper)}")
            opening, closing = "{", "}"
        return f"{opening}\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}{closing}"

    def _on_one_line(self, value: dict[str, object] | list[object], member: Member) -> str:
        if isinstance(value, list):
            return f"[{', '.join(self._spelt(there) for there in member.members() or ())}]"
        pairs = (f"{self._key(there)}: {self._spelt(there)}" for _, there in self._in_order(value, member))
        return f"{{{', '.join(pairs)}}}"

    def _in_order(self, value: dict[str, object], member: Member) -> list[tuple[str, Member]]:
        by_name = {there.step: there for there in member.members() or ()}
        return [(name, by_name[name]) for name in value]

    def _key(self, member: Member) -> str:
        assert member.key_span is not None  # noqa: S101  it is a property
        return self._text[member.key_span.start : member.key_span.end]

    def _spelt(self, member: Member) -> str:
        return self._text[member.start : member.end]
