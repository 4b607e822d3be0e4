"""Apply suggestions to a text: their operations become edits, and the title of a fix."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

from rui_common.editing.edits import (
    append_elements,
    indent_at,
    insert_properties,
    reindent,
    remove_member,
    rename_key,
    set_value,
)
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import NameRefusedError, references_to, rename
from rui_common.fixes.copies import rename_copy
from rui_common.fixes.short_forms import write_in_full
from rui_common.fixes.wrapping import enclose, is_broken, move_out, wrap
from rui_common.json_values import as_json, as_object
from rui_common.problems.operations import (
    NEW,
    Append,
    AppendNew,
    Convert,
    Enclose,
    Insert,
    KeepOnly,
    Move,
    MoveOut,
    Operation,
    Remove,
    RemoveElement,
    RenameCopy,
    RenameKey,
    RenameName,
    RenameToFree,
    SetValue,
    Unquote,
    Wrap,
    WriteInFull,
)
from rui_common.problems.suggestion import Suggestion
from rui_common.problems.words import titled
from rui_common.suggest import numbered
from rui_common.syntax.embedded import decoded
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.reader import BOM
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Prop, Shape, Symbol


class Fix(NamedTuple):
    """A change of the text that removes a diagnostic."""

    title: str  # text for a menu, such as `Rename to "label"`
    edits: tuple[Edit, ...]  # the changes of the document's text; never empty
    is_safe: bool  # whether the fix may be applied without review. See `rui_common.fixes.quick_fixes`.
    discards: bool = False  # whether text or objects of the author are lost. Such a fix is never the first one.
    is_in_hint: bool = False  # whether the hint mentions it, as the author probably means it


class Applied(NamedTuple):
    """The edits of an operation."""

    title: str
    edits: Iterable[Edit | None]  # without edits, or with None, it is not possible
    may_be_safe: bool = True  # whether a fix with it may be safe in this text


IMPOSSIBLE = Applied("", ())


def fixes_from(title: str, edits: Iterable[Edit | None], *, is_safe: bool = False, discards: bool = False) -> list[Fix]:
    """Return a list of one fix; empty if an edit is missing or there are none."""
    all_edits = tuple(edits)
    present = tuple(edit for edit in all_edits if edit is not None)
    if present and len(present) == len(all_edits):
        return [Fix(title, present, is_safe, discards)]
    return []


def apply_suggestion(analysis: Analysis, suggestion: Suggestion) -> list[Fix]:
    """Return the fix of a suggestion in a list; empty if it has none, or the text does not allow it."""
    results = [_OPERATIONS[type(operation)](analysis, operation) for operation in suggestion.operations]
    if not results or not all(result.edits for result in results):
        return []
    title = suggestion.title or results[0].title
    edits = [edit for result in results for edit in result.edits]
    is_safe = suggestion.is_safe and all(result.may_be_safe for result in results)
    fixes = fixes_from(title, edits, is_safe=is_safe, discards=suggestion.discards)
    return [fix._replace(is_in_hint=suggestion.sentence is not None) for fix in fixes]


# Values ---------------------------------------------------------------------------------------------------------------


def _set_value(analysis: Analysis, operation: SetValue) -> Applied:
    path, value = operation
    if value is NEW:
        value = _new_value(analysis, path[:-1], analysis.prop(path))
    return Applied(f"Use {titled(value)}", [set_value(analysis.document, path, value)])


def _new_value(analysis: Analysis, path: Path, prop: Prop | None) -> object:
    """Return a value for a property of the object at a path: an undefined name, else a placeholder."""
    node = analysis.tree.at(path)
    if node is None or prop is None:
        return None
    return ValueGenerator(analysis, node).missing_value(prop, node.kind)


def _convert(analysis: Analysis, operation: Convert) -> Applied:
    path, kind, may_replace = operation
    span = analysis.document.span_of(path)
    value = value_at(analysis.document.value, path)
    if span is not None:
        coerced = kind.coerce(value, analysis.document.text[span.start : span.end])
        if coerced is not None:
            text = as_json(coerced)
            return Applied(f"Convert to {kind.word}: {text}", [Edit(span, text)])
        if isinstance(kind, ListKind) and isinstance(value, dict) and not is_broken(analysis, path):
            shapes = [shape for shape in kind.inner_shapes if not value.keys().isdisjoint(shape.props)]
            is_complete = any(value.keys() >= {*shape.required} for shape in shapes)
            edits = [Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")]
            if shapes:  # It has a property that elements have, so it may be meant as the only element.
                return Applied("Wrap in an array", edits, is_complete)
    if may_replace:
        return _set_value(analysis, SetValue(path, NEW))._replace(may_be_safe=False)
    return IMPOSSIBLE


def _write_in_full(analysis: Analysis, operation: WriteInFull) -> Applied:
    path, kind = operation
    if is_broken(analysis, path):
        return IMPOSSIBLE
    return Applied(*write_in_full(analysis.document, path, kind))


# Names and keys -------------------------------------------------------------------------------------------------------


def _rename_key(analysis: Analysis, operation: RenameKey) -> Applied:
    path, name = operation
    if path in analysis.overridden:
        return IMPOSSIBLE
    return Applied(f"Rename {titled(path[-1])} to {titled(name)}", [rename_key(analysis.document, path, name)])


def _rename_name(analysis: Analysis, operation: RenameName) -> Applied:
    """Rename a definition. It may be safe if no other definition has its name."""
    path, new = operation
    try:
        edits = rename(analysis, path, new)
    except NameRefusedError:
        return IMPOSSIBLE
    counts = [len(name.scope.defined[name.text]) for name in analysis.names.at(path) if not name.is_use]
    return Applied(f"Rename to {titled(new)}", edits, may_be_safe=max(counts, default=0) == 1)


def _rename_to_free(analysis: Analysis, operation: RenameToFree) -> Applied:
    path, symbol, like = operation
    new = ValueGenerator(analysis, analysis.nearest(path[:-1])).free_name(symbol, like)
    return _rename_name(analysis, RenameName(path, new))


def _rename_copy(analysis: Analysis, operation: RenameCopy) -> Applied:
    path, symbol = operation
    name = next((name for name in analysis.names.at(path) if name.symbol is symbol and not name.is_use), None)
    renamed = None if name is None else rename_copy(analysis, name)
    if renamed is None:
        return IMPOSSIBLE
    title = f"Rename all repeated {path[-1]}s in this {renamed.node.noun}"
    return Applied(title, renamed.edits, may_be_safe=renamed.is_certain)


# Removing -------------------------------------------------------------------------------------------------------------


def _remove(analysis: Analysis, operation: Remove) -> Applied:
    path = operation.path
    if path in analysis.overridden:
        return IMPOSSIBLE  # A warning has the fix for the repeated one.
    return Applied(f"Remove {titled(path[-1])}", [remove_member(analysis.document, path)])


def _remove_element(analysis: Analysis, operation: RemoveElement) -> Applied:
    path = operation.path
    siblings = value_at(analysis.document.value, path[:-1])
    if not isinstance(siblings, list) or len(siblings) < 2 or _breaks_names(analysis, path):
        return IMPOSSIBLE
    kind = analysis.kind(path[:-1])
    if isinstance(kind, ListKind) and len(siblings) <= kind.at_least:
        return IMPOSSIBLE
    return Applied("", [remove_member(analysis.document, path)])


def _breaks_names(analysis: Analysis, path: Path) -> bool:
    """Return whether removing the value at `path` makes a name dangling or unused."""
    for occurrence in analysis.names.below(path):
        symbol = occurrence.symbol
        if occurrence.is_use and symbol.unused is None:
            continue
        # There may be 100,000 of the same name: the first of the same kind decides.
        same = occurrence.scope.same(occurrence)
        remaining = (other.is_use for other in same if other.path[: len(path)] != path)
        first = next(remaining, occurrence.is_use)
        if first != occurrence.is_use and occurrence.is_use not in remaining:
            return True
    return False


# Adding and moving ----------------------------------------------------------------------------------------------------


def _insert(analysis: Analysis, operation: Insert) -> Applied:
    path, values, shape = operation
    inserted: dict[str, object] = {}
    for name, given in values.items():
        value = _inserted_value(analysis, path, shape, name) if given is NEW else given
        if value is not None:
            inserted[name] = value
    title = f"Add all {len(inserted)} missing properties"
    if len(inserted) == 1:
        title = f"Add {titled(next(iter(inserted)))}"
    order = [] if shape is None else [*shape.props]
    return Applied(title, insert_properties(analysis.document, path, inserted, order) if inserted else [])


def _inserted_value(analysis: Analysis, path: Path, shape: Shape | None, name: str) -> object:
    """Return a value of a new property: a defined name if it uses one, else a new value. None if there is none."""
    prop = None if shape is None else shape.prop(name)
    if prop is not None and prop.uses is not None:
        return _defined_name(analysis, path, prop.uses)
    return _new_value(analysis, path, prop)


def _defined_name(analysis: Analysis, path: Path, symbol: Symbol) -> str | None:
    """Return a defined name, one that nothing uses first; None without one."""
    scope = analysis.names.scope(symbol, analysis.nearest(path))
    return next(iter(sorted(scope.definitions, key=lambda name: name in scope.used)), None)


def _is_full(analysis: Analysis, path: Path, count: int) -> bool:
    """Return whether a list has no room for as many further elements."""
    kind = analysis.kind(path)
    values = value_at(analysis.document.value, path)
    if not isinstance(kind, ListKind) or kind.at_most is None or not isinstance(values, list):
        return False
    return len(values) + count > kind.at_most


def _append(analysis: Analysis, operation: Append) -> Applied:
    if _is_full(analysis, operation.path, len(operation.values)):
        return IMPOSSIBLE
    return Applied("", [append_elements(analysis.document, operation.path, operation.values)])


def _append_new(analysis: Analysis, operation: AppendNew) -> Applied:
    path, shape, values, number = operation
    if _is_full(analysis, path, number):
        return IMPOSSIBLE
    generator = ValueGenerator(analysis, analysis.nearest(path))
    for name, value in values.items():
        symbol = shape.props[name].defines
        if symbol is not None and not generator.is_free(symbol, str(value)):
            return IMPOSSIBLE
    elements = [generator.new_object(shape, None, values) for _ in range(number)]
    kind = analysis.kind(path)
    references: list[Edit | None] = []
    if isinstance(kind, ListKind):
        references = references_to(analysis, kind.items, [element.get("id") for element in elements])
    return Applied("", [append_elements(analysis.document, path, elements), *references])


def _move(analysis: Analysis, operation: Move) -> Applied:
    path, to, name, is_open = operation
    document = analysis.document
    if path in analysis.overridden:
        return IMPOSSIBLE
    value = value_at(document.value, path)
    target = value_at(document.value, to)
    order = [*analysis.vocabulary.root.props]
    if is_open and target is None:
        edits = insert_properties(document, to[:-1], {str(to[-1]): {name: value}}, order)
    else:
        free = next(new for new in chain([name], numbered(name)) if not is_open or new not in as_object(target))
        edits = insert_properties(document, to, {free: value}, [] if to else order)
    if not edits:
        return IMPOSSIBLE
    goal = titled(to[-1]) if to else "the top level"
    return Applied(f"Move {titled(path[-1])} to {goal}", [*edits, remove_member(document, path)])


def _wrap(analysis: Analysis, operation: Wrap) -> Applied:
    return Applied(f"Wrap in a {operation.shape.name}", wrap(analysis, *operation))


def _move_out(analysis: Analysis, operation: MoveOut) -> Applied:
    outer, edits = move_out(analysis, *operation)
    if outer is None:
        return IMPOSSIBLE
    return Applied(f"Move after {outer.description}", edits)


def _enclose(analysis: Analysis, operation: Enclose) -> Applied:
    return _replace_all(analysis, "", enclose(analysis, operation.path, operation.containers))


# Texts in strings, and in other values --------------------------------------------------------------------------------


def _keep_only(analysis: Analysis, operation: KeepOnly) -> Applied:
    path, text, place = operation
    document = analysis.document
    span = document.span_of(path)
    if text is None and span is not None:
        text = document.text[slice(*span)]
    if text is None:
        return IMPOSSIBLE
    text = reindent(text, indent_at(text, len(text)), "")
    return _replace_all(analysis, f"Keep only the document in {place}", text)


def _replace_all(analysis: Analysis, title: str, text: str) -> Applied:
    """Return the edit that replaces a whole text, except a byte-order mark before and the line end after it."""
    old = analysis.document.text
    start = len(BOM) if old.startswith(BOM) else 0
    end = max(start, len(old.rstrip()))
    if not text:
        return IMPOSSIBLE
    return Applied(title, [Edit(Span(start, end), text.strip())])


def _unquote(analysis: Analysis, operation: Unquote) -> Applied:
    """Write the JSON in a string without quotes. It may be safe if it has the type that is expected."""
    path, is_element = operation
    span = analysis.document.span_of(path)
    text = value_at(analysis.document.value, path)
    inner = decoded(text) if isinstance(text, str) else None
    if span is None or inner is None or path in analysis.overridden:
        return IMPOSSIBLE
    source = analysis.document.text
    new = reindent(inner.text.strip(), "", indent_at(source, span.start))
    if is_element:
        new = f"[{new}]"
    return Applied("Write it without the quotes and backslashes", [Edit(span, new)])


_OPERATIONS: dict[type[Operation], Callable[[Analysis, Any], Applied]] = {
    SetValue: _set_value,
    Convert: _convert,
    WriteInFull: _write_in_full,
    RenameKey: _rename_key,
    RenameName: _rename_name,
    RenameToFree: _rename_to_free,
    RenameCopy: _rename_copy,
    Remove: _remove,
    RemoveElement: _remove_element,
    Insert: _insert,
    Append: _append,
    AppendNew: _append_new,
    Move: _move,
    Wrap: _wrap,
    MoveOut: _move_out,
    KeepOnly: _keep_only,
    Unquote: _unquote,
    Enclose: _enclose,
}
"""The function that makes the edits of each operation."""
