"""Names of new elements: the lists that define or use names, references to new nodes, new names in a copy."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rui_common.editing.edits import append_elements, apply
from rui_common.editing.generate import ValueGenerator, numbered, stem_of
from rui_common.editing.rename import replacement
from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.names import Scope
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol

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


def references_to(analysis: Analysis, kind: Kind, names: Iterable[object]) -> list[Edit | None]:
    """Return the edit that adds references to new nodes, of one kind, if their names must be used and are not."""
    symbol = kind.defines
    if symbol is None or symbol.unused is None:
        return []
    used = analysis.names.scope(symbol, analysis.tree.root).used
    new = [name for name in names if isinstance(name, str) and name not in used]
    if not used or not new:
        return []
    return [add_uses(analysis, symbol, new)]


# Copies ---------------------------------------------------------------------------------------------------------------

NewNames = dict[Path, str]  # The path of a name, or of a use of it → its new text


def new_names(analysis: Analysis, paths: Sequence[Path], *, all_of_them: bool) -> NewNames:
    """Return the new names in a copy. Uses in the copy follow; those outside of it belong to the original.

    Args:
        paths: the values that are copied, or that are the copy: adjacent members of one object or array.
        all_of_them: whether the paths are those of the original, so that each of its names needs a new one. Otherwise
            they are those of the copy, and a name that is not defined elsewhere stays.
    """
    names = [name for path in paths for name in analysis.names.below(path)]
    length = len(paths[0])
    region = {*paths}
    generator = ValueGenerator(analysis, analysis.nearest(paths[0][:-1]))
    definitions = [name for name in names if not name.is_use and name.scope.node.path[:length] not in region]
    inside = Counter((name.scope, name.text) for name in definitions)
    found: NewNames = {}
    followed: dict[tuple[Scope, str], str] = {}
    for name in definitions:
        if name.symbol.duplicate is not None:
            others = name.scope.defined[name.text]
            if all_of_them or len(others) > inside[name.scope, name.text] or others[0] is not name:
                found[name.path] = generator.free_name(name.symbol, name.text)
        followed.setdefault((name.scope, name.text), found.get(name.path, name.text))
    for name in names:
        new = followed.get((name.scope, name.text), name.text)
        if name.is_use and new != name.text:
            found[name.path] = new
    return found | dict(_new_options(analysis, paths, all_of_them=all_of_them))


def _new_options(analysis: Analysis, paths: Sequence[Path], *, all_of_them: bool) -> Iterator[tuple[Path, str]]:
    """Yield new values of options: those in one list have different ones, although no rule names them."""
    parent = analysis.nearest(paths[0][:-1])
    candidates: dict[str, Iterator[str]] = {}
    for prop in (prop for shape in parent.kind.inner_shapes for prop in shape.props_with_role(Role.OPTION)):
        taken = Counter(text for value in as_list(parent.value) if (text := _text_of(value, prop.name)))
        for path in paths:
            text = _text_of(parent.get(path[-1]), prop.name)
            if text and (all_of_them or taken[text] > 1):
                further = candidates.setdefault(stem_of(text), numbered(text))  # those before are taken
                new = next(one for one in further if one not in taken)
                taken[text] -= 1
                taken[new] = 1
                yield (*path, prop.name), new


def _text_of(value: object, name: str) -> str:
    text = as_object(value).get(name)
    if isinstance(text, str):
        return text
    return ""


def text_with(analysis: Analysis, span: Span, names: Mapping[Path, str]) -> str:
    """Return a part of the text with new names, whose places are in it."""
    edits = [replacement(analysis, path, new) for path, new in names.items()]
    shifted = [Edit(Span(at.start - span.start, at.end - span.start), text) for at, text in edits]
    return apply(analysis.document.text[span.start : span.end], shifted)
