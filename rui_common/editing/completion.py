"""What an author may want to write at a cursor: properties, values, nodes; derived from vocabulary and names."""

from __future__ import annotations

import json
import re
from collections import Counter, namedtuple
from weakref import WeakKeyDictionary

from rui_common.editing.completion_context import KEY, VALUE
from rui_common.editing.generate import NamesInUse, value_at
from rui_common.editing.snippets import INDENT, property_snippet, shape_snippet
from rui_common.syntax.fragments import parts
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rui_common.editing.completion_context import CompletionContext
    from rui_common.syntax.document import Document
    from rui_common.vocabulary.schema import Kind, Shape

    Others = Callable[[str], Iterable[str]]

_STOP = re.compile(r"\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\{\d+\|((?:[^,|\\]|\\.)*)(?:[^|\\]|\\.)*\|\}|\$\d+")
_ESCAPED = re.compile(r"\\([$}\\,|])")


def _nothing(name: str) -> Iterable[str]:  # noqa: ARG001
    return ()


class Completion(namedtuple("Completion", ("label", "snippet", "detail", "shape", "prop"))):
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


def completions_at(document: Document, cursor: CompletionContext, others: Others = _nothing) -> list[Completion]:
    """What may stand at a cursor, the likeliest first.

    Args:
        document: the document.
        cursor: where, as `rui_common.editing.completion_context.completion_context_at` gave it.
        others: gives what a property of a name is set to elsewhere; it is asked only where that may be of use.
    """
    place = schema_location(document.value, cursor.path)
    if place is None:
        return []
    value = value_at(document.value, cursor.path)
    shape = shape_of(value, place.kind)
    if cursor.expects == KEY:
        return list(_properties(document, cursor, place.kind, shape, value))
    if cursor.expects == VALUE and cursor.key is None:
        return list(_objects(document, cursor, place.kind))
    if cursor.expects == VALUE:
        for owner in [shape] if shape is not None else place.kind.inner_shapes:
            prop = owner.prop(cursor.key or "")
            if prop is not None:
                found = _values(document, cursor, prop.kind, prop, owner, others)
                if prop.kind.values and (shape is None or len(prop.kind.values) == 1):
                    found = [*found, *_other_types(place.kind, owner, prop)]
                return list(dict.fromkeys(found))
        return []
    return (
        list(_values(document, cursor, place.kind.items, None, None, _nothing))
        if isinstance(place.kind, ListKind)
        else []
    )


def known_texts(document: Document) -> dict[str, set[str]]:
    """What those properties are set to that `completions_at` may ask for: the ones whose values have a form."""
    names = {
        prop.name
        for shape in VOCABULARY.shapes.values()
        for prop in shape.props.values()
        if isinstance(prop.kind, TextKind) and prop.kind.pattern is not None and prop.defines is prop.uses is None
    }
    return {name: set(texts_in(document, name)) for name in names}


def plain(snippet: str) -> str:
    """What a snippet inserts when nobody changes its defaults."""
    return _STOP.sub(lambda stop: _ESCAPED.sub(r"\1", stop[1] or stop[2] or ""), snippet)


def _other_types(kind: Kind, owner: Shape, prop: Prop) -> Iterator[Completion]:
    for shape in kind.inner_shapes:
        other = shape.prop(prop.name)
        if shape is not owner and other is not None:
            yield from (Completion(text, _written(text), shape.doc, shape.name, "") for text in other.kind.values)


def _properties(
    document: Document, cursor: CompletionContext, kind: Kind, shape: Shape | None, value: object
) -> Iterator[Completion]:
    has = (value.keys() if isinstance(value, dict) else set()) - {cursor.key}
    props: dict[str, tuple[Shape, Prop]] = {}
    owners = [shape] if shape is not None else kind.inner_shapes
    for owner in owners:
        for prop in (*owner.props.values(), *owner.suggested.values()):
            props.setdefault(prop.name, (owner, prop))
    maker = NamesInUse(document).maker_at(cursor.path)
    for name, (owner, prop) in sorted(props.items(), key=lambda item: not item[1][1].required):
        if name in has:
            continue
        detail = prop.kind.notation() + (" (required)" if prop.required else "")
        if cursor.colon:
            snippet = _written(name)
        elif prop.kind.values:
            snippet = property_snippet(Prop(name, EnumKind(_values_of(owners, name), "", {}), prop.doc))
        else:
            filled = Prop(name, prop.kind, prop.doc, example=maker.missing(prop, kind))
            snippet = property_snippet(filled)
        yield Completion(name, snippet, detail, owner.name, name)


def _values_of(owners: Iterable[Shape], name: str) -> tuple[str, ...]:
    """What a property may be in any of several shapes."""
    kinds = [prop.kind for owner in owners if (prop := owner.prop(name)) is not None]
    return tuple(dict.fromkeys(value for kind in kinds for value in kind.values))


def _values(
    document: Document, cursor: CompletionContext, kind: Kind, prop: Prop | None, owner: Shape | None, others: Others
) -> Iterable[Completion]:
    about = ("" if owner is None else owner.name, "" if prop is None else prop.name)
    if isinstance(kind, TextKind) and prop is not None:
        texts = _texts(document, cursor, prop, others)
        empty = [] if texts or cursor.in_string else [Completion('""', '"$1"', kind.notation(), *about)]
        return [*(Completion(text, _written(text), kind.notation(), *about) for text in texts), *empty]
    if isinstance(kind, NodeKind | ObjectKind):
        return list(_objects(document, cursor, kind))
    if isinstance(kind, ListKind):
        filled = [one._replace(label=f"[{one.label}]", snippet=_listed(one.snippet))
                  for one in _objects(document, cursor, kind.items)]  # fmt: skip
        return [*filled, Completion("[ ]", "[$0]", kind.notation(), *about)]
    values = kind.completions(None if prop is None else prop.example)
    return [Completion(_label(value), _written(value), f"{about[1]} of {about[0]}", *about) for value in values]


def _objects(document: Document, cursor: CompletionContext, kind: Kind) -> Iterator[Completion]:
    names = NamesInUse(document)
    for shape in kind.inner_shapes:
        made = names.maker_at(cursor.path).make(shape)
        yield Completion(shape.name, shape_snippet(shape, made), shape.doc, shape.name, "")


def _listed(snippet: str) -> str:
    """A snippet as the only element of a list."""
    line_end = f"\n{INDENT}"
    return f"[{line_end}{snippet.replace(chr(10), line_end)}\n]"


def _texts(document: Document, cursor: CompletionContext, prop: Prop, others: Others) -> list[str]:
    """Names that fit here, or what other properties of this name have."""
    names = NamesInUse(document)
    if prop.uses is not None:
        return names.names(prop.uses, names.scope_of(prop.uses, cursor.path))
    if prop.defines is not None:
        fresh = names.maker_at(cursor.path).missing(
            prop, getattr(schema_location(document.value, cursor.path), "kind", None)
        )
        return [fresh] if isinstance(fresh, str) else []
    if not isinstance(prop.kind, TextKind) or prop.kind.pattern is None:
        return []
    found = Counter((*texts_in(document, prop.name), *others(prop.name)))
    here = value_at(document.value, (*cursor.path, prop.name))
    if isinstance(here, str):
        found[here] -= 1  # What is being written is not known yet, unless it stands elsewhere, too.
    return sorted(text for text, count in found.items() if count > 0 and prop.kind.fits(text))


_in_piece: WeakKeyDictionary[Document, dict[str, list[str]]] = WeakKeyDictionary()
"""What properties of a name have in a part of a text that is read by itself."""


def texts_in(document: Document, name: str) -> Iterator[str]:
    """The texts that properties of a name have anywhere in a document."""
    for _, piece, value in parts(document):
        if piece is None:
            yield from _all_of(value, name)
            continue
        known = _in_piece.setdefault(piece, {})
        if name not in known:
            known[name] = list(_all_of(value, name))
        yield from known[name]


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


def _label(value: object) -> str:
    return value if isinstance(value, str) else _written(value)


def _written(text: object) -> str:
    return re.sub(r"([$}\\])", r"\\\1", json.dumps(text, ensure_ascii=False))
