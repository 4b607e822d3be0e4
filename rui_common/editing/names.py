"""The names of a text: where they are, renaming, references to new nodes, and new names in copies.

One spelling may belong to several symbols: the id of a page is the id of a node, too. For an author it is one name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rui_common.editing.edits import append_elements, apply
from rui_common.editing.generate import ValueGenerator
from rui_common.json_values import as_json, as_list
from rui_common.nodes.names import Name, Scope
from rui_common.problems.names import DuplicateName
from rui_common.problems.values import WrongValue
from rui_common.suggest import numbered, stem_of
from rui_common.syntax.paths import Path, text_at
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.queries import named_lists
from rui_common.vocabulary.rules import MESSAGES
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol, Vocabulary

_QUOTES = ('"', "'")


class NameRefusedError(ValueError):
    """A rename is not possible. The message gives the reason in the words of the rule that the name would break."""


def name_at(analysis: Analysis, offset: int) -> Path | None:
    """Return the path of the name at an offset, or None. Its quotes and the offset after them belong to it."""
    path = analysis.document.path_at(offset)
    span = analysis.document.span_of(path)
    if not analysis.names.at(path) or span is None or not span.start <= offset <= span.end:
        return None
    return path


def name_span(analysis: Analysis, path: Path) -> Span:
    """Return the range of the name at a path, without quotes. It may contain escapes."""
    value = analysis.document.span_of(path)
    if value is None:
        return Span(0, 0)
    start, end = value
    text = analysis.document.text
    quote = text[start : start + 1]
    if quote not in _QUOTES:
        return value
    if end - start > 1 and text[end - 1] == quote:
        end -= 1
    return Span(start + 1, end)


def in_text_order(analysis: Analysis, paths: Iterable[Path]) -> list[Path]:
    return sorted(paths, key=lambda path: name_span(analysis, path))


def rename(analysis: Analysis, path: Path, new: str) -> list[Edit]:
    """Return the edits that rename the name at `path` where it is defined and used.

    The uses of a duplicate name belong to its first definition, so they keep their name if a later one is renamed.

    Raises:
        NameRefusedError: the new name is malformed, or is defined already.
    """
    names = analysis.names
    names_at_path = names.at(path)
    definition: Path | None = path
    if not names.is_definition(path):
        definition = next(iter(in_text_order(analysis, names.definitions(path))), None)
    if new == names_at_path[0].text:
        return []
    _check_form(analysis, definition or path, new)
    if definition is None:
        return [replacement(analysis, name_path, new) for name_path in in_text_order(analysis, names.references(path))]
    definitions = [name for name in names.at(definition) if not name.is_use]
    for name in definitions:
        _check_free(analysis, name, new)
    paths = {definition}
    for name in definitions:
        if name.scope.defined[name.text][0] is name:
            paths.update(use.path for use in name.scope.used.get(name.text, ()))
    return [replacement(analysis, name_path, new) for name_path in in_text_order(analysis, paths)]


def _check_form(analysis: Analysis, path: Path, new: str) -> None:
    for name in analysis.names.at(path):
        props = [prop for _, prop in defining_props(name.symbol, analysis.vocabulary)]
        violation = props[0].kind.violation(new) if props else None
        if violation is not None and not any(prop.kind.accepts(new) for prop in props):
            finding = WrongValue(name.node, name.step, new, props[0].kind, violation)
            raise NameRefusedError(f"{finding.message} {finding.hint}")
    if not new:  # It is valid for some names, but never intended.
        raise NameRefusedError("The new name is empty: give it at least one character.")


def _check_free(analysis: Analysis, name: Name, new: str) -> None:
    existing: Sequence[Name] = name.scope.defined.get(new, ())
    if not existing or name.symbol.duplicate is None:
        return
    first = existing[0].path
    finding = DuplicateName(name._replace(text=new), name.symbol.duplicate)
    if "{" in MESSAGES[finding.code][0]:  # the message names it
        raise NameRefusedError(f"{finding.message} {finding.hint}")
    line = analysis.document.lines.line_of(name_span(analysis, first).start) + 1
    raise NameRefusedError(f'"{new}" is defined already, in line {line}: choose another name.')


def replacement(analysis: Analysis, path: Path, new: str) -> Edit:
    """Return the edit that replaces the name at a path; its quotes stay."""
    span = name_span(analysis, path)
    text = as_json(new)
    if analysis.document.text[span.start - 1 : span.start] in _QUOTES:
        text = text[1:-1]
    return Edit(span, text)


def defining_props(symbol: Symbol, vocabulary: Vocabulary) -> list[tuple[Shape, Prop]]:
    """Return the properties that define names of a symbol, each with its shape."""
    pairs = [(shape, prop) for shape, prop in vocabulary.props if prop.defines is symbol]
    kinds = [prop.kind for _, prop in vocabulary.props if prop.kind.defines is symbol]
    return pairs + [(shape, shape.props["id"]) for kind in kinds for shape in kind.inner_shapes]


# New elements ---------------------------------------------------------------------------------------------------------


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


def new_names(analysis: Analysis, paths: Sequence[Path]) -> NewNames:
    """Return the new names in a copy of some adjacent elements. Uses in the copy follow; those outside stay.

    Args:
        paths: those of the original.
    """
    names = [name for path in paths for name in analysis.names.below(path)]
    length = len(paths[0])
    region = {*paths}
    generator = ValueGenerator(analysis, analysis.nearest(paths[0][:-1]))
    new = {
        name.path: generator.free_name(name.symbol, name.text)
        for name in names
        if not name.is_use and name.symbol.duplicate is not None and name.scope.node.path[:length] not in region
    }
    return with_uses(names, new) | dict(_new_options(analysis, paths))


def with_uses(names: Sequence[Name], new: NewNames) -> NewNames:
    """Return the new names of definitions, and of their uses among the names of a copy.

    A use of a name that the copy defines several times belongs to the first of them.
    """
    followed: dict[tuple[Scope, str], str] = {}
    for name in names:
        if not name.is_use:
            followed.setdefault((name.scope, name.text), new.get(name.path, name.text))
    uses: NewNames = {}
    for name in names:
        text = followed.get((name.scope, name.text), name.text)
        if name.is_use and text != name.text:
            uses[name.path] = text
    return new | uses


def _new_options(analysis: Analysis, paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield new values of options: those in one list have different ones, although no rule names them."""
    parent = analysis.nearest(paths[0][:-1])
    candidates: dict[str, Iterator[str]] = {}
    for prop in (prop for shape in parent.kind.inner_shapes for prop in shape.props_with_role(Role.OPTION)):
        taken = {text_at(value, prop.name) for value in as_list(parent.value)}
        for path in paths:
            text = text_at(parent.get(path[-1]), prop.name)
            if text:
                further = candidates.setdefault(stem_of(text), numbered(text))  # the numbers before are taken
                new = next(candidate for candidate in further if candidate not in taken)
                taken.add(new)
                yield (*path, prop.name), new


def text_with(analysis: Analysis, span: Span, names: Mapping[Path, str]) -> str:
    """Return a part of the text with new names, whose places are in it."""
    edits = [replacement(analysis, path, new) for path, new in names.items()]
    shifted = [Edit(Span(edit_span.start - span.start, edit_span.end - span.start), text) for edit_span, text in edits]
    return apply(analysis.document.text[span.start : span.end], shifted)
