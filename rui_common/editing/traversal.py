"""Members of a text with what the vocabulary says of each: for whatever goes over a text from top to bottom."""

from __future__ import annotations

from collections import namedtuple

from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.tree import Member
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary


class TypedMember(namedtuple("TypedMember", ("member", "shift", "step", "value", "kind", "owner", "prop"))):
    """A member of a text, its value, and what the vocabulary says of it.

    Attributes:
        member: where it stands, in the part of the text that it was read with.
        shift: what the offsets of `member` are short of.
        step: its key or index.
        value: its value, as the document has it.
        kind: what its value may be.
        owner: the shape of the object that it is a property of; None for the root and for elements.
        prop: the declaration of that property; None likewise.
    """

    __slots__ = ()
    member: Member
    shift: int
    step: str | int
    value: object
    kind: Kind
    owner: Shape | None
    prop: Prop | None

    @property
    def start(self) -> int:
        """The offset of the value in the text."""
        return self.member.start + self.shift

    @property
    def end(self) -> int:
        """The offset behind the value."""
        return self.member.end + self.shift


class DocumentTraversal:
    """A way over a document from top to bottom.

    Args:
        document: the document, broken or not.
        vocabulary: what says what stands where.

    Attributes:
        root: the root; None if there is nothing in the text.
    """

    __slots__ = ("_pieces", "_vocabulary", "root")

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._vocabulary = vocabulary
        self._pieces: dict[int, tuple[Member, int, Document]] = {}
        for _, piece, shift in document.pieces():
            member = piece.find(())
            if member is not None:
                self._pieces[member.start + shift] = (member, shift, piece)
        root = document.find(())
        self.root: TypedMember | None = None
        if root is not None and root.start != UNKNOWN:
            self.root = TypedMember(root, 0, "", document.value, ObjectKind(vocabulary.root), None, None)

    def inside(self, placed: TypedMember, shape: Shape | None) -> Iterator[TypedMember]:
        """What stands in an object or array and the vocabulary knows, in text order.

        Left out are members without a value, and those that a later one of the same name overrides.

        Args:
            placed: the object or array; anything else has nothing inside.
            shape: the shape of the object, as `shape_of` gave it.
        """
        member, shift, _, value, kind, _, _ = placed
        members = member.members()
        if members is None:
            return
        if isinstance(value, list):
            if isinstance(kind, ListKind):
                for below in members:
                    step = below.step
                    if below.start == UNKNOWN or not isinstance(step, int) or step >= len(value):
                        continue
                    there, by, _ = self._pieces.get(below.start + shift) or (below, shift, None)
                    yield TypedMember(there, by, step, value[step], kind.items, None, None)
        elif isinstance(value, dict) and shape is not None:
            found = tuple(members)
            last = {below.step: below for below in found if below.start != UNKNOWN}
            for below in found if len(last) == len(found) else last.values():
                name = str(below.step)
                prop = shape.prop(name)
                if prop is not None and name in value:
                    yield TypedMember(below, shift, name, value[name], prop.kind, shape, prop)

    def piece_of(self, placed: TypedMember) -> Document | None:
        """The part of the text that is read by itself and is exactly this; None for anything else."""
        member, _, piece = self._pieces.get(placed.start) or (None, 0, None)
        return piece if member is placed.member else None

    def shape_of(self, placed: TypedMember) -> Shape | None:
        """The shape by which an object is read (see `rui_common.vocabulary.lookup.shape_of`)."""
        value = placed.value
        return shape_of(value, placed.kind, self._vocabulary) if isinstance(value, dict) else None


def label_of(value: object, shape: Shape | None) -> str:
    """What an object is called on the screen, on one line: what is its label, else any free text of it, or ``""``."""
    if not isinstance(value, dict) or shape is None:
        return ""
    for prop in shape.words:
        label = value.get(prop.name)
        if isinstance(label, str) and label.strip():
            return " ".join(label.split())
    return ""
