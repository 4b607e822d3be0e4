"""Lists whose elements define or use names, and new elements that use a name."""

from collections.abc import Iterator, Sequence

from rui_common.editing.edits import append_elements
from rui_common.json_values import as_object
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

NamedList = tuple[Path, Shape, Prop]
"""The path of a list below an object, the shape of its elements, and their property with a name."""


def named_lists(shape: Shape, symbol: Symbol, *, is_use: bool, path: Path = ()) -> Iterator[NamedList]:
    """Yield the lists below an object of a shape whose elements define names of a symbol, or use some."""
    for prop in shape.props.values():
        kind = prop.kind
        inner_path = (*path, prop.name)
        if not isinstance(kind, ListKind):
            for inner in kind.inner_shapes:
                yield from named_lists(inner, symbol, is_use=is_use, path=inner_path)
            continue
        for element in kind.inner_shapes:
            for name in element.props.values():
                matches = name.defines is symbol or (kind.items.defines is symbol and name.defines is not None)
                if is_use:
                    matches = name.uses is symbol
                if matches:
                    yield inner_path, element, name


def add_uses(analysis: Analysis, symbol: Symbol, names: Sequence[str]) -> Edit | None:
    """Add an element for each of some names to the list of references; None if there is no such list."""
    for path, shape, prop in named_lists(analysis.vocabulary.root, symbol, is_use=True):
        if not {*shape.required} - {prop.name}:
            return append_elements(analysis.document, path, [{prop.name: name} for name in names])
    return None


def references_to(analysis: Analysis, kind: Kind, nodes: Sequence[object]) -> list[Edit | None]:
    """Return the edit that adds references to new nodes, of one kind, if their names must be used and are not."""
    symbol = kind.defines
    if symbol is None or symbol.unused is None:
        return []
    used = analysis.names.scope(symbol, analysis.tree.root).used
    names = [as_object(node).get("id") for node in nodes]
    new = [name for name in names if isinstance(name, str) and name not in used]
    if not used or not new:
        return []
    return [add_uses(analysis, symbol, new)]
