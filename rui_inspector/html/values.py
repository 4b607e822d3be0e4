"""Values → HTML: each laid out by what the vocabulary says of it, else as the JSON that it is.

This and `rui_inspector.html.tree` write most of a page, thousands of values; they put strings together rather than ask
templates, and pass every text through `rui_inspector.escape`.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_inspector.escape import BEGINNING, LONG, Written, attribute, clipped, marked, shown
from rui_inspector.html.compiled import Code, PerShape, compiled, is_string, pattern
from rui_inspector.model.shape_layouts import request_names
from rui_inspector.model.view import members_of, request_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rui_common.vocabulary.schema import Kind, Prop, Shape
    from rui_inspector.model.shape_layouts import RequestNames
    from rui_inspector.model.view import Named, Node, Request, View

MAX_NESTING = 4
"""Levels of open values that are laid out; what is deeper is shown as JSON text."""

MAX_ITEMS = 200
"""Elements of a list that are laid out; a longer list is shown as JSON text."""


class ValueWriter:
    """Writes values.

    Args:
        view: the document, for the names that lead somewhere.
        words: what is marked in names, labels and paths, because it was searched for.
        href: the address of a node, as HTML for an attribute.
    """

    def __init__(self, view: View, words: Sequence[str] = (), href: Callable[[Node], str] | None = None) -> None:
        self._anchors = view.anchors
        self.words = words
        self.href = href or (lambda node: f"#{attribute(node.anchor)}")
        self.name: Callable[[str], str] = (lambda text: marked(text, words)) if words else shown
        """Writes a text that can be searched for."""
        self._is_found: Callable[[str], bool] = (
            (lambda text: marked(text, words) != shown(text)) if words else (lambda _: False)
        )
        self.written = Written(self.name)
        """The same for texts that are neither empty nor long, each of them once."""
        if not words:
            self.written.prepare(_texts(view))

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
            return self._text(value, prop)
        if value and isinstance(value, dict | list) and nesting < MAX_NESTING:
            if isinstance(value, dict):
                return self._object(value, kind.shape if isinstance(kind, ObjectKind) else None, nesting)
            if len(value) <= MAX_ITEMS:
                return self._list(value, kind, nesting)
        return self._literal(value)

    @property
    def path(self) -> Callable[[str], str]:
        """Writes a path in a document. Names that are anything but letters, digits, `-` and `_` are in quotes there."""
        return self.name if self.words else lambda path: path if '"' not in path else shown(path)

    def request(self, request: Request) -> str:
        """A request, such as ``GET /api/orders → data.items``."""
        method, endpoint, select = map(self.name, request)
        return "".join(_request(method, endpoint, select))

    def link(self, node: Node, text: str) -> str:
        """A link to a node."""
        return f'<a href="{self.href(node)}"><bdi>{self.name(clipped(text))}</bdi></a>'

    def _text(self, text: str, prop: Prop | None) -> str:
        if not text:
            return '<span class="empty">empty text</span>'
        if prop is not None:
            if prop.kind.values:
                return f'<span class="word">{self.name(text)}</span>'
            if prop.uses is not None or prop.defines is not None:
                node = self._anchors.get((prop.uses, text)) if prop.uses is not None else None
                return f'<span class="key" dir="auto">{self.link(node, text) if node else self.folded(text)}</span>'
        return f'<span class="text" dir="auto">{self.folded(text)}</span>'

    def _object(self, value: dict[str, object], shape: Shape | None, nesting: int) -> str:
        names = request_names(shape) if shape is not None else None
        if shape is not None and names is not None:
            usual = self._usual(value, _usual_requests, shape, nesting)
            return usual or self._request_or_rows(value, shape, names, nesting)
        if shape is not None and shape.open:
            pieces = self._usual(value, _usual_pieces, shape, nesting) or self._pieces(value, shape, nesting)
            return f'<div class="pieces">{pieces}</div>'
        return self.rows(members_of(value, shape), nesting + 1)

    def _request_or_rows(self, value: dict[str, object], shape: Shape, names: RequestNames, nesting: int) -> str:
        """A request with what else is in its object, if it is one."""
        request = request_of(value, names)
        if request is None:
            return self.rows(members_of(value, shape), nesting + 1)
        told = names if request.select else names[:2]
        return f"{self.request(request)} {self._pieces(value, shape, nesting, told)}"

    def _usual(self, value: object, functions: PerShape, shape: Shape | None, nesting: int) -> str:
        """An object as the vocabulary declares it, by the function for such objects; "" if it is not so."""
        write = functions.of(shape)[tuple(value)] if type(value) is dict and shape is not None else None
        if write is None:
            return ""
        try:
            return write(self, self.written, value, nesting)
        except TypeError:  # something else stands where a short string should
            return ""

    def _list(self, values: list[object], kind: Kind | None, nesting: int) -> str:
        items = kind.items if isinstance(kind, ListKind) else None
        shape = items.shape if isinstance(items, ObjectKind) else None
        if shape is not None or not any(isinstance(value, dict | list) and value for value in values):
            return f'<ul class="chips"><li>{"</li><li>".join(self._chips(values, shape, nesting + 1))}</li></ul>'
        elements = [self.value(value, None, nesting + 1) for value in values]
        return f'<ol class="list"><li>{"</li><li>".join(elements)}</li></ol>'

    def _chips(self, values: list[object], shape: Shape | None, nesting: int) -> list[str]:
        if shape is not None:
            functions, written = _usual_pieces.of(shape), self.written
            try:
                return [functions[tuple(value)](self, written, value, nesting) for value in values]  # type: ignore[misc,arg-type]
            except TypeError:  # something is not as it should be, an element or something in it
                pass
        return [
            self._pieces(value, shape, nesting)
            if isinstance(value, dict) and value
            else self.value(value, None, nesting)
            for value in values
        ]

    def _pieces(self, value: dict[str, object], shape: Shape | None, nesting: int, told: Sequence[str] = ()) -> str:
        """The properties of a small object behind each other."""
        parts = []
        for name, inner, prop in members_of(value, shape):
            if name in told:
                continue
            beginning = _form(prop, shape) if prop is not None else ""
            if beginning and isinstance(inner, str) and inner:
                parts.append(f"{beginning}{self.folded(inner)}</span>")
            else:
                parts.append(self.piece(name, inner, prop, nesting))
        return " ".join(parts)

    def piece(self, name: str, value: object, prop: Prop | None, nesting: int) -> str:
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

    def folded(self, text: str) -> str:
        """A text in full, behind its beginning if it is long; open if something in it was searched for."""
        return self.name(text) if len(text) <= LONG else folded(text, self.name, is_open=self._is_found(text))

    def _literal(self, value: object) -> str:
        """Any value as JSON text."""
        return f'<code dir="auto">{self.folded(json.dumps(value, ensure_ascii=False))}</code>'


def _form(prop: Prop, shape: Shape | None) -> str:
    """How the HTML of a string begins that is understood without the name of its property."""
    if prop.kind.values:
        return '<span class="word">'
    if is_string(prop):
        is_label = shape is not None and prop in shape.labels
        return '<span class="text" dir="auto">' if is_label else '<span class="key" dir="auto">'
    return ""


def _request(method: str, endpoint: str, select: str) -> list[str]:
    """The pieces of a request as HTML."""
    target = [" <i>&rarr;</i> <bdi>", select, "</bdi>"] if select else []
    return ['<code class="request"><b>', method, "</b> <bdi>", endpoint, "</bdi>", *target, "</code>"]


def _pieces_writer(shape: Shape, props: list[Prop]) -> Callable[..., str]:
    """A function that writes the pieces of objects with these properties."""
    return _from_pieces(_pieces_of(shape, props), props) if props else _never


def row_writer(props: Sequence[Prop]) -> Callable[..., str]:
    """A function that writes properties below each other, in a description list, as `ValueWriter.rows` does."""
    constants: dict[str, object] = {}
    pieces = ['<dl class="fields">'] if props else []
    for at, prop in enumerate(props):
        pieces.append(f"<div><dt>{shown(prop.name)}</dt><dd>")
        if prop.kind.values:
            pieces += ['<span class="word">', Code(f"w[a{at}]"), "</span>"]
        elif is_string(prop) and prop.uses is None and prop.defines is None:
            pieces += ['<span class="text" dir="auto">', Code(f"w[a{at}]"), "</span>"]
        elif isinstance(prop.kind, ObjectKind) and request_names(prop.kind.shape) is not None:
            constants[f"requests{at}"] = _usual_requests.of(prop.kind.shape)
            pieces.append(Code(f"requests{at}[tuple(a{at})](writer, w, a{at})"))
        else:
            pieces.append(Code(f"writer.value(a{at}, prop{at})"))
        pieces.append("</dd></div>")
    return _from_pieces([*pieces, "</dl>" if props else ""], props, constants)


def _request_writer(shape: Shape, props: list[Prop]) -> Callable[..., str]:
    """A function that writes objects with these properties as a request and the pieces that are not in it."""
    names = request_names(shape)
    at = {prop.name: Code(f"w[a{index}]") for index, prop in enumerate(props)}
    if names is None or names.method not in at or names.endpoint not in at:
        return _never
    pieces = _request(at[names.method], at[names.endpoint], at.get(names.select, ""))
    return _from_pieces([*pieces, " ", *_pieces_of(shape, props, told=names)], props)


def _never(*_: object) -> str:
    raise TypeError


def _pieces_of(shape: Shape, props: list[Prop], told: Sequence[str] = ()) -> list[str]:
    pieces: list[str] = []
    for at, prop in enumerate(props):
        if prop.name not in told:
            beginning = _form(prop, shape)
            space = " " if pieces else ""
            pieces += (
                [space + beginning, Code(f"w[a{at}]"), "</span>"]
                if beginning
                else [space, Code(f"writer.piece(name{at}, a{at}, prop{at}, nesting)")]
            )
    return pieces


def _from_pieces(
    pieces: list[str], props: Sequence[Prop], more: Mapping[str, object] = MappingProxyType({})
) -> Callable[..., str]:
    constants: dict[str, object] = {**more}
    for at, prop in enumerate(props):
        constants |= {f"name{at}": prop.name, f"prop{at}": prop}
    body = [f"a{at} = value[{prop.name!r}]" for at, prop in enumerate(props)]
    function: Callable[..., str] = compiled(
        "write", "writer, w, value, nesting=0", [*body, f"return {pattern(pieces)}"], constants
    )
    return function


_usual_pieces = PerShape(_pieces_writer)
_usual_requests = PerShape(_request_writer)


def _texts(view: View) -> list[str]:
    """The texts of nodes, which are mostly of their own."""
    values = [node.value for node in view.nodes if isinstance(node.value, dict)]
    return [text for value in values for text in value.values() if type(text) is str]


def folded(text: str, write: Callable[[str], str] = shown, *, is_open: bool = False) -> str:
    """A long text in full, behind its beginning."""
    beginning = shown(text[:BEGINNING])
    return (
        f'<details class="fold"{" open" if is_open else ""}><summary><span>{beginning}&hellip;</span> '
        f'<span class="more">{len(text):,} characters</span></summary>{write(text)}</details>'
    )
