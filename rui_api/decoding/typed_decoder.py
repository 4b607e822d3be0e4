"""The typed fast path: a body → its normal form, if the RUI in it is plainly valid.

msgspec reads JSON straight into Structs that are made from the vocabulary: one pass in C does what reader, validator
and normalizer do one after the other. What a type cannot say, the generated function `judge` asks of the names and
texts that it gathers. All this may only ever say "plainly valid": whatever it does not take goes to the shared
validator, which alone decides and words errors. A differential test holds the two together, byte for byte.

There are two decoders. The tight one knows of objects that are open to other properties only the registered and the
suggested ones, as strings. The roomy one reads them as dicts, for documents that use their freedom.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rui_api.decoding.check_codegen import CannotJudgeError, judge_of
from rui_common.hashing import hash_of
from rui_common.syntax.reader import is_too_deep
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

    # What msgspec takes as the type of a value.
    Annotation = Any

REFUSALS = (msgspec.MsgspecError, ValueError, RecursionError)
"""What msgspec raises of what it does not take; bytes that are no UTF-8 are a ValueError."""

_normal = msgspec.json.Encoder()
_sorted = msgspec.json.Encoder(order="sorted")


def _shallow() -> Annotation:
    """The type of JSON objects with fewer levels in them than `_LEVELS`, in which no list is right in a list."""
    plain = str | int | float | bool | None
    objects, lists = dict[str, plain], list[plain]
    for _ in range(_LEVELS):
        objects, lists = dict[str, plain | lists | objects], list[plain | objects]  # type: ignore[valid-type]
    return objects


_LEVELS = 11
"""As many as a RUI has, to the options of a column; what has more is read all the same, a little slower."""

_decode_shallow = msgspec.json.Decoder(_shallow()).decode
_decode = msgspec.json.Decoder().decode
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_LONG = b"0" * 309
_SAMPLED = 30
_LONG_SAMPLED = _LONG[_SAMPLED - 1 :: _SAMPLED]
"""What is seen of an integer that overflows a double, at least, where only every 30th byte is looked at."""


def value_of(body: bytes) -> object:
    """The value of a body that is plainly JSON by docs/decisions.md, section 4, in a third of the shared reader's time.

    What msgspec takes and the shared reader does not, is looked for beside it: values nested too deep, and integers
    that overflow a double.

    Returns:
        The value that `rui_common.syntax.document.read` gives, or `UNSET`, which says nothing.
    """
    try:
        value: object = _decode_shallow(body)
    except msgspec.ValidationError:
        value = _deep_value_of(body)
    except REFUSALS:
        return UNSET
    if _LONG_SAMPLED in body[::_SAMPLED].translate(_DIGITS) and _LONG in body.translate(_DIGITS):
        return UNSET
    return value


def _deep_value_of(body: bytes) -> object:
    """The same of bodies that look like no RUI: how deep they are has to be asked of the text."""
    try:
        value: object = _decode(body)
    except REFUSALS:
        return UNSET
    return UNSET if is_too_deep(body) else value


class Plain:
    """A RUI that is plainly valid.

    Attributes:
        root: what msgspec writes as its normal form.
    """

    __slots__ = ("root",)

    def __init__(self, root: object) -> None:
        self.root = root

    @property
    def rui(self) -> bytes:
        """Its normal form as JSON in UTF-8, byte for byte what `to_json(normalize(value))` gives; written when asked
        for."""  # noqa: D205, D209  one sentence
        return _normal.encode(self.root)

    def content_hash(self) -> str:
        """Its hash: there are no numbers in it that RFC 8785 writes otherwise, and no names beyond ASCII."""
        return hash_of(_sorted.encode(self.root))


class FastPath:
    """Reads bodies against one vocabulary.

    Args:
        vocabulary: what they are read against. Where it holds something that cannot be judged here, nothing is ever
            plainly valid.

    Attributes:
        readers: the tight one and the roomy one, as far as the vocabulary allows.
    """

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        self.readers: tuple[Reader, ...] = ()
        try:
            self.readers = (Reader(vocabulary, roomy=False),)
            self.readers = (*self.readers, Reader(vocabulary, roomy=True))
        except CannotJudgeError:
            pass

    def read(self, body: bytes | bytearray) -> Plain | None:
        """The RUI in `body` if it is plainly valid; None says nothing at all."""
        for reader in self.readers:
            plain = reader.read(body)
            if plain is not None or not reader.is_too_tight:
                return plain
        return None


class Reader:
    """One decoder, and the judge of what it decodes.

    Args:
        vocabulary: what bodies are read against.
        roomy: whether objects that are open to other properties are read as dicts.

    Attributes:
        is_too_tight: whether the body that was read last was refused for what stands in such an object.

    Raises:
        CannotJudgeError: the vocabulary holds something that cannot be judged here.
    """

    def __init__(self, vocabulary: Vocabulary, *, roomy: bool) -> None:
        structs = _Structs(roomy=roomy)
        root = structs.of(vocabulary.root)
        self._judge = judge_of(vocabulary, structs.merged, structs.tagged, roomy=roomy)
        self._decode = msgspec.json.Decoder(root, float_hook=_refuse).decode
        self._is_tight = not roomy
        self._open: set[str] = structs.open
        self.is_too_tight = False

    def read(self, body: bytes | bytearray) -> Plain | None:
        """The RUI in `body` if it is plainly valid; None says nothing."""
        try:
            root = self._decode(body)
            if not self._judge(root):
                self.is_too_tight = False
                return None
            plain = Plain(root)
            return plain if self._is_tight or _is_whole(plain.rui, body) else None
        except msgspec.ValidationError as error:
            self.is_too_tight = self._is_tight and self._is_in_open_object(str(error))
        except REFUSALS:
            self.is_too_tight = False
        return None

    def _is_in_open_object(self, refusal: str) -> bool:
        """Whether what was refused stands in an object that is read as a dict by the roomy reader.

        A guess by the words of msgspec, which end with the place: it saves time when it is right.
        """
        place = refusal.rpartition(" - at `$")[2]
        return not self._open.isdisjoint(re.split(r"[^\w-]+", place))


def _is_whole(rui: bytes, body: bytes | bytearray) -> bool:
    """Whether no property was overridden by a later one of the same name, so that nobody looked at it.

    A number too large, or too many levels, make the whole body invalid also where they do not count. Every property
    has a colon; those within strings are the same in both, if none is escaped.
    """
    return body.count(b":") == rui.count(b":") and b"\\u003" not in body


def _refuse(_: str) -> float:
    """Numbers with a fraction or an exponent are written in several ways; those who know how are asked."""
    raise ValueError


class _Structs:
    """Shape → Struct. Fields are called ``f0``, ``f1`` …, in the order of the properties, whatever these are called.

    A shape that tightens another one is read as that; what more it requires, the judge asks for.

    Attributes:
        open: the properties under which an object that is open to others stands.
        merged: of places where nodes of several shapes stand that are read as one Struct: its properties, in order.
            The judge asks whether those that are there belong to the type, and those that it requires are there.
        tagged: of the other shapes that stand beside others in one place: the Struct that is read, told apart by a
            tag, and the one that is written, which has the type where the vocabulary has it: msgspec writes tags first.
    """

    def __init__(self, *, roomy: bool) -> None:
        self._roomy = roomy
        self._made: dict[object, Any] = {}
        self.open: set[str] = set()
        self.merged: dict[NodeKind, tuple[str, ...]] = {}
        self.tagged: dict[Shape, tuple[Annotation, Annotation]] = {}

    def of(self, shape: Shape, tag: str | None = None) -> Annotation:
        """The type that objects of `shape` are read as."""
        if shape.open and self._roomy:
            return dict[str, Any]
        shape = shape.base or shape
        if shape not in self._made:
            self._made[shape] = None  # for a shape that holds itself
            fields = [(prop, self._type(prop, prop.kind), prop.required) for prop in shape.props.values()]
            fields += [(prop, self._free(prop.kind), False) for prop in shape.suggested.values()]
            self._made[shape] = _struct(shape.name, fields, tag)
        if self._made[shape] is None:
            raise CannotJudgeError
        return self._made[shape]

    def _type(self, prop: Prop, kind: Kind) -> Annotation:
        if isinstance(kind, EnumKind):
            return Literal[kind.values]
        if isinstance(kind, TextKind):
            return str if kind.max_length is None else Annotated[str, msgspec.Meta(max_length=kind.max_length)]
        if isinstance(kind, ObjectKind):
            if kind.shape.open:
                self.open.add(prop.name)
            return self.of(kind.shape)
        if isinstance(kind, ListKind):
            return Annotated[list[self._type(prop, kind.items)], msgspec.Meta(min_length=1)]  # type: ignore[misc]
        if isinstance(kind, NodeKind):
            return self._node(kind)
        raise CannotJudgeError

    def _node(self, kind: NodeKind) -> Annotation:
        if len(kind.shapes) == 1:
            return self.of(kind.shapes[0])
        fields = self._merged(kind.shapes)
        if fields is not None:
            self.merged[kind] = tuple(prop.name for prop, _, _ in fields)
            return _struct("".join(shape.name for shape in kind.shapes), fields)
        return self._tagged(kind)

    def _merged(self, shapes: Sequence[Shape]) -> list[tuple[Prop, Annotation, bool]] | None:
        """The properties of all shapes in an order that is that of each; None if one Struct cannot hold them."""
        order = merged_order([tuple(shape.props) for shape in shapes])
        if order is None or any(shape.open or "type" not in shape.props for shape in shapes):
            return None
        fields = []
        for name in order:
            props = [shape.props[name] for shape in shapes if name in shape.props]
            types = [self._type(prop, prop.kind) for prop in props if name != "type"]
            if name == "type":
                types = [Literal[tuple(shape.name for shape in shapes)]]
            if any(other != types[0] for other in types):
                return None
            fields.append((props[0], types[0], len(props) == len(shapes) and all(prop.required for prop in props)))
        return fields

    def _tagged(self, kind: NodeKind) -> Annotation:
        for shape in kind.shapes:
            if self._made.get(shape.base or shape) is not None and shape not in self.tagged:
                raise CannotJudgeError  # it stands alone elsewhere, and is read without a tag there
            names = {f"f{index}": name for index, name in enumerate(shape.props)}
            written = msgspec.defstruct(shape.name, [(name, Any) for name in names], rename=names, gc=False)
            self.tagged[shape] = (self.of(shape, tag=shape.name), written)
        return reduce(or_, (self.tagged[shape][0] for shape in kind.shapes))

    def _free(self, kind: Kind) -> Annotation:
        """A value that nothing is asked of: what people put there mostly, its properties sorted by code point."""
        if isinstance(kind, TextKind | EnumKind):
            return str
        if isinstance(kind, ListKind):
            return list[self._free(kind.items)]  # type: ignore[misc]
        if isinstance(kind, ObjectKind):
            if ("free", kind.shape) not in self._made:
                props = [*kind.shape.props.values(), *kind.shape.suggested.values()]
                fields = [(prop, self._free(prop.kind), False) for prop in sorted(props, key=lambda prop: prop.name)]
                self._made["free", kind.shape] = _struct(kind.shape.name, fields)
            return self._made["free", kind.shape]
        raise CannotJudgeError


def merged_order(orders: Iterable[Sequence[str]]) -> tuple[str, ...] | None:
    """All names in one order that agrees with each of `orders`; None if there is none."""
    waiting = [list(order) for order in orders]
    merged: list[str] = []
    while any(waiting):
        behind = {name for names in waiting for name in names[1:]}
        first = next((names[0] for names in waiting if names and names[0] not in behind), None)
        if first is None:
            return None
        merged.append(first)
        waiting = [names[1:] if names[:1] == [first] else names for names in waiting]
    return tuple(merged)


def _struct(called: str, fields: list[tuple[Prop, Annotation, bool]], tag: str | None = None) -> Annotation:
    """A Struct with these properties, of these types, required or not."""
    names = {f"f{index}": prop.name for index, (prop, _, _) in enumerate(fields)}
    typed: list[Any] = []
    for name, (prop, type_, required) in zip(names, fields, strict=True):
        if tag is None or prop.name != "type":
            typed.append((name, type_) if required else (name, type_ | UnsetType, UNSET))
    tagging: dict[str, Any] = {} if tag is None else {"tag_field": "type", "tag": tag}
    return msgspec.defstruct(called, typed, rename=names, gc=False, kw_only=True, forbid_unknown_fields=True, **tagging)
