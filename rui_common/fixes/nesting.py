"""Elements of a list, as they are written → a node around them."""

from __future__ import annotations

from rui_common.editing.edits import Edit, indent_at, lay_out, reindent
from rui_common.editing.generate import value_at
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import ListKind, NodeKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.editing.generate import NamesInUse
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Shape

_SHORT = 60
"""Elements of so many characters are put into a node on one line."""


def wrap(
    document: Document, path: Path, first: int, last: int, shape: Shape, names: NamesInUse,
    given: dict[str, object] | None = None,
) -> tuple[Edit, ...]:  # fmt: skip
    """Put elements of a list into one new node that takes their place.

    Args:
        document: the document.
        path: the list.
        first, last: the indices of the elements.
        shape: what the new node is.
        names: the names of the document.
        given: properties that the new node is to have.

    Returns:
        The changes; none if such a node cannot hold the elements.
    """
    made = wrapped(document, path, first, last, shape, names, given)
    return () if made is None else (made[0],)


def wrapped(
    document: Document, path: Path, first: int, last: int, shape: Shape, names: NamesInUse,
    given: dict[str, object] | None = None,
) -> tuple[Edit, dict[str, object]] | None:  # fmt: skip
    """The same, with the new node, its list empty; None if no such node can hold the elements, however deep."""
    text, members = document.text, document.members(path)
    siblings = value_at(document.value, path)
    if not isinstance(siblings, list) or last >= len(members):
        return None
    chain = _chain(shape, siblings[first : last + 1], ())
    maker = names.maker_at(path)
    start, end = members[first].start, members[last].end
    written, made, indent = text[start:end], {}, indent_at(text, start)
    for holding, holder in reversed(chain):
        made = maker.make(holding, None, {**((given or {}) if holding is shape else {}), holder: []})
        written = nest(text, written, indent, made, holder)
    return (Edit(Span(start, end), written), made) if chain else None


def _chain(shape: Shape, elements: Sequence[object], around: tuple[Shape, ...]) -> list[tuple[Shape, str]]:
    """Shapes, each in the list of the one before, down to one that may hold some nodes; none if there is no way."""
    holder = holder_of(shape, elements)
    if holder is not None:
        return [(shape, holder)]
    for name, prop in shape.props.items():
        is_list = isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind)
        for inner in prop.kind.inner_shapes if is_list and shape not in around else ():
            below = _chain(inner, elements, (*around, shape))
            if below:
                return [(shape, name), *below]
    return []


def holder_of(shape: Shape, elements: Sequence[object]) -> str | None:
    """The property of a shape in whose list all of some nodes may stand, by their types."""
    types = {one.get("type") if isinstance(one, dict) else None for one in elements}
    for name, prop in shape.props.items():
        allowed = {inner.name for inner in prop.kind.inner_shapes} if isinstance(prop.kind, ListKind) else set()
        if types <= allowed:
            return name
    return None


def nest(text: str, elements: str, indent: str, node: dict[str, object], holder: str) -> str:
    """The text of a node that holds elements as they are written.

    Args:
        text: the document's text, for its line ending.
        elements: the elements with what stands between them.
        indent: the indentation of the line where they begin and the node will.
        node: the node, its list empty.
        holder: the name of that list.
    """
    line_end = "\r\n" if "\r\n" in text else "\n" if "\n" in text else "\r" if "\r" in text else ""
    if not line_end or (line_end not in elements and len(elements) + len(indent) <= _SHORT):
        space = " " if line_end or ": " in text else ""
        pairs = ((name, lay_out(value, space=space)) for name, value in node.items())
        inner = f",{space}".join(
            f'"{name}":{space}{f"[{elements}]" if name == holder else written}' for name, written in pairs
        )
        return f"{{{inner}}}"
    unit = "\t" if indent.startswith("\t") else "  "
    deeper = indent + unit
    block = f"[{line_end}{deeper}{unit}{reindent(elements, indent, deeper + unit)}{line_end}{deeper}]"
    pairs = (
        (name, block if name == holder else lay_out(value, deeper, unit=unit, line_end=line_end))
        for name, value in node.items()
    )
    return "{" + line_end + f",{line_end}".join(f'{deeper}"{n}": {w}' for n, w in pairs) + line_end + indent + "}"
