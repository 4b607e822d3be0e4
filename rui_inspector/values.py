"""Values → HTML: each laid out by what the vocabulary says of it, else as the JSON that it is.

This and `rui_inspector.tree` write most of a page, thousands of values; they put strings together rather than ask
templates, and pass every text through `rui_inspector.escaping`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.declarations import ListOf, ObjectOf, OneOf, Text
from rui_inspector.escaping import attribute, marked, shown
from rui_inspector.view import LABELS, REQUEST, members_of, request_of

if TYPE_CHECKING:
    from collections.abc import Callable, KeysView, Sequence

    from rui_common.declarations import Kind, Prop, Shape
    from rui_inspector.view import Named, Node, Request, View

MAX_NESTING = 4
"""Levels of open values that are laid out; what is deeper is shown as JSON text."""

MAX_ITEMS = 200
"""Elements of a list that are laid out; a longer list is shown as JSON text."""

LONG = 320
"""Characters of a text that are shown before it is folded."""

BEGINNING = 140
"""Characters that are shown of a folded one."""


class ValueWriter:
    """Writes values.

    Args:
        view: the document, for the names that lead somewhere.
        words: what is marked in names, labels and paths, because it was searched for.
        href: the address of a node.
    """

    def __init__(self, view: View, words: Sequence[str] = (), href: Callable[[Node], str] | None = None) -> None:
        self._anchors = view.anchors
        self._href = href or (lambda node: f"#{node.anchor}")
        self.name: Callable[[str], str] = (lambda text: marked(text, words)) if words else shown
        """Writes a text that can be searched for."""
        self._is_found: Callable[[str], bool] = (
            (lambda text: marked(text, words) != shown(text)) if words else (lambda _: False)
        )
        self._form_of: dict[Shape | None, list[tuple[str, Prop, str]]] = {}
        self._bindings: dict[tuple[tuple[str, object], ...], str] = {}
        self._known: dict[Shape | None, KeysView[str]] = {}
        self._plain_of: dict[tuple[Shape | None, tuple[str, ...]], str] = {}

    def rows(self, members: Sequence[Named], nesting: int = 0) -> str:
        """Properties below each other, as a description list; "" if there are none."""
        if not members:
            return ""
        rows = [f"<div><dt{self._title(name, prop)}</dt><dd>{self.value(value, prop, nesting)}</dd></div>"
                for name, value, prop in members]  # fmt: skip
        return f'<dl class="fields">{"".join(rows)}</dl>'

    def value(self, value: object, prop: Prop | None, nesting: int = 0) -> str:
        """A value, laid out by its kind where it is of that kind, else as what it is."""
        kind = prop.kind if prop is not None else None
        if isinstance(value, str):
            return self._text(value, kind, prop)
        if value and isinstance(value, dict | list) and nesting < MAX_NESTING:
            if isinstance(value, dict):
                return self._object(value, kind.shape if isinstance(kind, ObjectOf) else None, nesting)
            if len(value) <= MAX_ITEMS:
                return self._list(value, kind, nesting)
        return self._literal(value)

    def request(self, request: Request) -> str:
        """A request, such as ``GET /api/orders → data.items``."""
        select = f" <i>&rarr;</i> <bdi>{self.name(request.select)}</bdi>" if request.select else ""
        method, path = self.name(request.method), self.name(request.path)
        return f'<code class="request"><b>{method}</b> <bdi>{path}</bdi>{select}</code>'

    def link(self, node: Node, text: str) -> str:
        """A link to a node."""
        return f'<a href="{attribute(self._href(node))}"><bdi>{self.name(text)}</bdi></a>'

    def _text(self, text: str, kind: Kind | None, prop: Prop | None) -> str:
        if not text:
            return '<span class="empty">empty text</span>'
        if prop is not None:
            if isinstance(kind, OneOf):
                return f'<span class="word">{self.name(text)}</span>'
            if prop.uses is not None or prop.defines is not None:
                node = self._anchors.get((prop.uses, text)) if prop.uses is not None else None
                return f'<span class="key" dir="auto">{self.link(node, text) if node else self._folded(text)}</span>'
        return f'<span class="text" dir="auto">{self._folded(text)}</span>'

    def _object(self, value: dict[str, object], shape: Shape | None, nesting: int) -> str:
        request = request_of(value, shape)
        if request is not None:
            return self._binding(value, shape, request, nesting)
        if shape is not None and shape.open:
            return f'<div class="pieces">{self._pieces(value, shape, nesting)}</div>'
        return self.rows(members_of(value, shape), nesting + 1)

    def _binding(self, value: dict[str, object], shape: Shape | None, request: Request, nesting: int) -> str:
        """A request with what else is in its binding; many nodes share one, so it is written once."""
        key = tuple(value.items()) if all(type(inner) is str for inner in value.values()) else ()
        if key in self._bindings:
            return self._bindings[key]
        told = REQUEST if request.select else REQUEST[:2]
        written = f"{self.request(request)} {self._pieces(value, shape, nesting, told)}"
        if key:
            self._bindings[key] = written
        return written

    def _list(self, values: list[object], kind: Kind | None, nesting: int) -> str:
        items = kind.items if isinstance(kind, ListOf) else None
        shape = items.shape if isinstance(items, ObjectOf) else None
        if shape is not None or not any(isinstance(value, dict | list) and value for value in values):
            chips = [
                self._pieces(value, shape, nesting + 1)
                if isinstance(value, dict) and value
                else self.value(value, None, nesting + 1)
                for value in values
            ]
            return f'<ul class="chips"><li>{"</li><li>".join(chips)}</li></ul>'
        elements = [self.value(value, None, nesting + 1) for value in values]
        return f'<ol class="list"><li>{"</li><li>".join(elements)}</li></ol>'

    def _pieces(self, value: dict[str, object], shape: Shape | None, nesting: int, told: Sequence[str] = ()) -> str:
        """The properties of a small object behind each other."""
        if not told and (plain := self._plain(value, shape)):
            return plain
        parts = []
        for name, prop, form in self._forms(shape):
            inner = value.get(name)
            if name in told or name not in value:
                continue
            if form and isinstance(inner, str) and inner:
                parts.append(f"{form}{self._folded(inner)}</span>")
            else:
                parts.append(self._piece(name, inner, prop, nesting))
        known = self._known[shape]
        if not value.keys() <= known:
            parts += [self._piece(name, inner, None, nesting) for name, inner in value.items() if name not in known]
        return " ".join(parts)

    def _plain(self, value: dict[str, object], shape: Shape | None) -> str:
        """The same for what most small objects are: short strings that need no names, in canonical order; else ""."""
        key = shape, tuple(value)
        if key not in self._plain_of:
            forms = {name: form for name, _, form in self._forms(shape) if name in value}
            fits = [*forms] == [*value] and all(forms.values())
            self._plain_of[key] = " ".join(f"{form}%s</span>" for form in forms.values()) if fits else ""
        pattern = self._plain_of[key]
        if not pattern:
            return ""
        texts = []
        for text in value.values():
            if type(text) is not str or not 0 < len(text) <= LONG:
                return ""
            texts.append(self.name(text))
        return pattern % tuple(texts)

    def _forms(self, shape: Shape | None) -> list[tuple[str, Prop, str]]:
        """The properties of a shape, each with the beginning of its HTML if it says what it is without its name."""
        if shape not in self._form_of:
            declared = {**shape.props, **shape.suggested} if shape is not None else {}
            self._form_of[shape] = [(name, prop, _form(prop)) for name, prop in declared.items()]
            self._known[shape] = declared.keys()
        return self._form_of[shape]

    def _piece(self, name: str, value: object, prop: Prop | None, nesting: int) -> str:
        """A property of a small object, with its name."""
        if prop is not None and isinstance(value, list):
            name = f"{len(value)} {name.removesuffix('s') if len(value) == 1 else name}"
        return (
            f'<span class="piece"><span class="name{" free" if prop is None else ""}">'
            f"{self.name(name) if prop is None else shown(name)}</span> {self.value(value, prop, nesting + 1)}</span>"
        )

    def _title(self, name: str, prop: Prop | None) -> str:
        """The name of a property, and whether it is the author's own: then it can be searched for."""
        return f">{shown(name)}" if prop is not None else f' class="free">{self.name(name)}'

    def _literal(self, value: object) -> str:
        """Any value as JSON text."""
        return f'<code dir="auto">{self._folded(json.dumps(value, ensure_ascii=False))}</code>'

    def _folded(self, text: str) -> str:
        """A text in full, behind its beginning if it is long; open if something in it was searched for."""
        return self.name(text) if len(text) <= LONG else folded(text, self.name, is_open=self._is_found(text))


def _form(prop: Prop) -> str:
    """How the HTML of a string begins that is understood without the name of its property."""
    if isinstance(prop.kind, OneOf):
        return '<span class="word">'
    if isinstance(prop.kind, Text):
        return '<span class="text" dir="auto">' if prop.name in LABELS else '<span class="key" dir="auto">'
    return ""


def folded(text: str, write: Callable[[str], str] = shown, *, is_open: bool = False) -> str:
    """A long text in full, behind its beginning."""
    beginning = shown(text[:BEGINNING])
    return (
        f'<details class="fold"{" open" if is_open else ""}><summary><span>{beginning}&hellip;</span> '
        f'<span class="more">{len(text):,} characters</span></summary>{write(text)}</details>'
    )
