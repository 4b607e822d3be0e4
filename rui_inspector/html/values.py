"""Write values as HTML: each laid out by the kind that the vocabulary declares, else as JSON.

A large page has thousands of values. This module and `rui_inspector.html.tree` therefore join strings instead of
rendering templates; every text passes through `rui_inspector.escape`.
"""

import json
from collections.abc import Callable, Collection, Sequence
from functools import cache, partial

from rui_common.nodes.requests import Request, request_of, request_props
from rui_common.texts import count_of
from rui_common.vocabulary.schema import Kind, Prop, Shape
from rui_inspector.escape import (
    EXCERPT,
    LONG,
    LONG_TEXT,
    escape,
    escape_attribute,
    excerpt,
    folded_html,
    highlight,
)
from rui_inspector.model.shapes import item_kind, kind_of, object_shape
from rui_inspector.model.view import View, ViewMember, ViewNode, members_of

MAX_DEPTH = 4  # maximum nesting of values that are laid out; a deeper value is shown as JSON
MAX_ITEMS = 200  # maximum length of a list that is laid out; a longer list is shown as JSON


class ValueWriter:
    """Writes values.

    Args:
        view: the document, for links to the nodes that a name refers to.
        words: those of a search, which are marked.
        href: returns the address of a node, as HTML for an attribute.
    """

    def __init__(self, view: View, words: Sequence[str] = (), href: Callable[[ViewNode], str] | None = None) -> None:
        self._anchors = view.anchors
        self.words = words
        self.href = cache(href or fragment)
        self.escape = cache(escape)
        """Writes a name of the vocabulary. Names and texts repeat, so their HTML is cached for the page."""
        self.text: Callable[[str], str] = self.escape
        """Writes a text of the document, with the words of the search marked."""
        if words:
            self.text = cache(partial(highlight, words=words))

    def rows(self, members: Sequence[ViewMember], depth: int = 0) -> str:
        """Return properties as a description list; ``""`` without properties."""
        if not members:
            return ""
        rows = []
        for name, value, prop in members:
            title = f"<dt>{self.escape(name)}</dt>"
            if prop is None:
                title = f'<dt class="undeclared">{self.text(name)}</dt>'
            rows.append(f"<div>{title}<dd>{self.value(value, prop, depth)}</dd></div>")
        return f'<dl class="fields">{"".join(rows)}</dl>'

    def value(self, value: object, prop: Prop | None, depth: int = 0) -> str:
        """Return a value by its declaration if it is of the declared kind, else as the JSON value that it is."""
        if isinstance(value, str):
            return self._string(value, prop)
        if value and depth < MAX_DEPTH:
            if isinstance(value, dict):
                return self._object(value, object_shape(kind_of(prop)), depth)
            if isinstance(value, list) and len(value) <= MAX_ITEMS:
                return self._list(value, item_kind(kind_of(prop)), depth)
        return f'<code dir="auto">{self.folded(json.dumps(value, ensure_ascii=False))}</code>'

    def request(self, request: Request) -> str:
        """Return a request, such as ``GET /api/orders → data.items``."""
        method, path, select = request
        target = ""
        if select:
            target = f" <i>&rarr;</i> <bdi>{self.text(select)}</bdi>"
        return f'<code class="request"><b>{self.text(method)}</b> <bdi>{self.text(path)}</bdi>{target}</code>'

    def link(self, node: ViewNode, text: str) -> str:
        return f'<a href="{self.href(node)}"><bdi>{self.text(excerpt(text))}</bdi></a>'

    def folded(self, text: str, longest: int = LONG, visible: int = EXCERPT) -> str:
        """Return a text, folded if it is long; unfolded again if it has a word of the search."""
        if len(text) <= longest:
            return self.text(text)
        content = self.text(text)
        is_match = bool(self.words) and content != escape(text)
        return folded_html(text, visible, content, is_open=is_match)

    def prose(self, text: str) -> str:
        """Return a text that the app shows: more of it than of a name."""
        return self.folded(text, LONG_TEXT, LONG_TEXT)

    def _string(self, text: str, prop: Prop | None) -> str:
        if not text:
            return '<span class="empty">empty text</span>'
        if prop is not None:
            if prop.kind.values:
                return f'<span class="word">{self.text(text)}</span>'
            if prop.uses is not None:
                node = self._anchors.get((prop.uses, text))
                target = self.link(node, text) if node else self.folded(text)
                return f'<span class="key" dir="auto">{target}</span>'
            if prop.defines is not None:
                return f'<span class="key" dir="auto">{self.folded(text)}</span>'
        return f'<span class="text" dir="auto">{self.prose(text)}</span>'

    def _object(self, value: dict[str, object], shape: Shape | None, depth: int) -> str:
        if shape is not None:
            names = request_props(shape)
            if names is not None:
                request = request_of(value, names)
                if request is not None:
                    written = {name for name in names if name and value.get(name)}
                    return f"{self.request(request)} {self._inline(value, shape, depth, written)}"
            elif shape.open:
                return f'<div class="inline-props">{self._inline(value, shape, depth)}</div>'
        return self.rows(members_of(value, shape), depth + 1)

    def _list(self, values: list[object], items: Kind | None, depth: int) -> str:
        elements = []
        for value in values:
            if isinstance(value, dict) and value:
                elements.append(self._inline(value, object_shape(items), depth + 1))
            else:
                elements.append(self.value(value, None, depth + 1))
        return f'<ul class="chips"><li>{"</li><li>".join(elements)}</li></ul>'

    def _inline(self, value: dict[str, object], shape: Shape | None, depth: int, written: Collection[str] = ()) -> str:
        """Return the properties of a small object on one line, without those that are `written` already."""
        parts = []
        for name, inner, prop in members_of(value, shape):
            start_tag = _start_tag(prop, shape)
            if start_tag and isinstance(inner, str) and inner and name not in written:
                parts.append(f"{start_tag}{self.folded(inner)}</span>")
            elif name not in written:
                parts.append(self._named(name, inner, prop, depth))
        return " ".join(parts)

    def _named(self, name: str, value: object, prop: Prop | None, depth: int) -> str:
        """Return a property of a small object after its name."""
        content = self.value(value, prop, depth + 1)
        if prop is None:
            return f'<span class="inline-prop"><span class="name undeclared">{self.text(name)}</span> {content}</span>'
        title = name
        place = ""
        if isinstance(value, list):
            title = count_of(len(value), name)
            place = f' data-at="{escape_attribute(name)}"'
        return f'<span class="inline-prop"{place}><span class="name">{self.escape(title)}</span> {content}</span>'


def _start_tag(prop: Prop | None, shape: Shape | None) -> str:
    """Return the start tag of a string in a small object that needs no name in front of it, else ``""``."""
    if prop is None or prop.kind.json_type != "string":
        return ""
    if prop.kind.values:
        return '<span class="word">'
    if shape is not None and prop in shape.labels:
        return '<span class="text" dir="auto">'
    return '<span class="key" dir="auto">'


def fragment(node: ViewNode) -> str:
    """Return the address of a node on the same page, as HTML for an attribute."""
    return f"#{escape_attribute(node.anchor)}"
