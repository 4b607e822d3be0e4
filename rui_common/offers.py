"""What an author may want to write at a cursor: properties, values, nodes; derived from vocabulary and names."""

from __future__ import annotations

import json
import re
from collections import namedtuple

from rui_common.cursor import KEY, VALUE
from rui_common.declarations import ListOf, NodeOf, ObjectOf, OneOf, Prop, Text, inner_shapes
from rui_common.describe.facts import notation
from rui_common.fresh import DocumentNames, value_at
from rui_common.places import place_at, shape_of
from rui_common.snippets import property_snippet, shape_snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.cursor import Cursor
    from rui_common.declarations import Kind, Shape
    from rui_common.document import Document

_STOP = re.compile(r"\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\{\d+\|((?:[^,|\\]|\\.)*)(?:[^|\\]|\\.)*\|\}|\$\d+")
_ESCAPED = re.compile(r"\\([$}\\,|])")


class Offer(namedtuple("Offer", ("label", "snippet", "detail", "shape", "prop"))):
    """Something that may be written.

    Attributes:
        label: what it is called.
        snippet: what to insert, in the syntax of LSP snippets, without any comma.
        detail: its type in a short phrase.
        shape: the name of the shape that it is about, or ``""``.
        prop: the name of the property of that shape, or ``""``.
    """

    __slots__ = ()
    label: str
    snippet: str
    detail: str
    shape: str
    prop: str


def offers_at(document: Document, cursor: Cursor, others: Iterable[Document] = ()) -> list[Offer]:
    """What may stand at a cursor, the likeliest first.

    Args:
        document: the document.
        cursor: where, as `rui_common.cursor.cursor_at` gave it.
        others: documents whose values may be of use here, too.
    """
    place = place_at(document.value, cursor.path)
    if place is None:
        return []
    value = value_at(document.value, cursor.path)
    shape = shape_of(value, place.kind)
    if cursor.expects == KEY:
        return list(_properties(document, cursor, place.kind, shape, value))
    if cursor.expects == VALUE:
        for owner in [shape] if shape is not None else inner_shapes(place.kind):
            prop = owner.prop(cursor.key or "")
            if prop is not None:
                found = _values(document, cursor, prop.kind, prop, owner, others)
                if isinstance(prop.kind, OneOf) and shape is None:
                    found = [*found, *_other_types(place.kind, owner, prop)]
                return list(dict.fromkeys(found))
        return []
    return list(_values(document, cursor, place.kind.items, None, None, ())) if isinstance(place.kind, ListOf) else []


def plain(snippet: str) -> str:
    """What a snippet inserts when nobody changes its defaults."""
    return _STOP.sub(lambda stop: _ESCAPED.sub(r"\1", stop[1] or stop[2] or ""), snippet)


def _other_types(kind: Kind, owner: Shape, prop: Prop) -> Iterator[Offer]:
    for shape in inner_shapes(kind):
        other = shape.prop(prop.name)
        if shape is not owner and other is not None and isinstance(other.kind, OneOf):
            yield from (Offer(text, _written(text), shape.doc, shape.name, "") for text in other.kind.values)


def _properties(document: Document, cursor: Cursor, kind: Kind, shape: Shape | None, value: object) -> Iterator[Offer]:
    has = (value.keys() if isinstance(value, dict) else set()) - {cursor.key}
    props: dict[str, tuple[Shape, Prop]] = {}
    for owner in [shape] if shape is not None else inner_shapes(kind):
        for prop in (*owner.props.values(), *owner.suggested.values()):
            props.setdefault(prop.name, (owner, prop))
    maker = DocumentNames(document).maker_at(cursor.path)
    for name, (owner, prop) in sorted(props.items(), key=lambda item: not item[1][1].required):
        if name in has:
            continue
        detail = notation(prop.kind) + (" (required)" if prop.required else "")
        if cursor.colon:
            snippet = _written(name)
        elif shape is None and isinstance(prop.kind, OneOf):
            snippet = f"{json.dumps(name)}: $1"
        else:
            filled = Prop(name, prop.kind, prop.doc, example=maker.missing(prop, kind))
            snippet = property_snippet(filled)
        yield Offer(name, snippet, detail, owner.name, name)


def _values(
    document: Document, cursor: Cursor, kind: Kind, prop: Prop | None, owner: Shape | None, others: Iterable[Document]
) -> Iterable[Offer]:
    about = ("" if owner is None else owner.name, "" if prop is None else prop.name)
    if isinstance(kind, OneOf):
        return [Offer(text, _written(text), f"{about[1]} of {about[0]}", *about) for text in kind.values]
    if isinstance(kind, Text) and prop is not None:
        texts = _texts(document, cursor, prop, others)
        return [Offer(text, _written(text), notation(kind), *about) for text in texts]
    if isinstance(kind, NodeOf | ObjectOf):
        maker = DocumentNames(document)
        made = ((shape, maker.maker_at(cursor.path).make(shape)) for shape in inner_shapes(kind))
        return [Offer(shape.name, shape_snippet(shape, one), shape.doc, shape.name, "") for shape, one in made]
    if isinstance(kind, ListOf):
        return [Offer("[ ]", "[$0]", notation(kind), *about)]
    return []


def _texts(document: Document, cursor: Cursor, prop: Prop, others: Iterable[Document]) -> list[str]:
    """Names that fit here, or what other properties of this name have."""
    names = DocumentNames(document)
    if prop.uses is not None:
        return names.names(prop.uses, names.scope_of(prop.uses, cursor.path))
    if prop.defines is not None:
        fresh = names.maker_at(cursor.path).missing(prop, getattr(place_at(document.value, cursor.path), "kind", None))
        return [fresh] if isinstance(fresh, str) else []
    if not isinstance(prop.kind, Text) or prop.kind.pattern is None:
        return []
    here = value_at(document.value, (*cursor.path, prop.name))
    found = sorted({text for one in (document, *others) for text in _all_of(one.value, prop.name)})
    return [text for text in found if text != here and prop.kind.fits(text)]


def _all_of(value: object, name: str) -> Iterator[str]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            text = here.get(name)
            if isinstance(text, str):
                yield text
        waiting += [
            inner for inner in (here.values() if isinstance(here, dict) else here if isinstance(here, list) else ())
            if isinstance(inner, dict | list)
        ]  # fmt: skip


def _written(text: str) -> str:
    return re.sub(r"([$}\\])", r"\\\1", json.dumps(text, ensure_ascii=False))
