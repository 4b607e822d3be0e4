"""Fixes for names: malformed, duplicate, unused, or used without a definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rui_common.editing.edits import Edit, append_elements, remove_member, set_value
from rui_common.editing.references import NameRefusedError
from rui_common.fixes.context import FixContext, quote
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.json_values import as_object
from rui_common.suggest import kebab_case, probably_meant
from rui_common.syntax.paths import Path
from rui_common.validation.findings import Finding
from rui_common.validation.names import Name
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

NamedList = tuple[Path, Shape, Prop]
"""The path of a list below an object, the shape of its elements, and their property with a name."""


def definition_of(context: FixContext, fault: Finding) -> Name | None:
    """The definition at the path of a finding, if the finding is that its name is duplicate or unused."""
    rules = {rule for symbol in context.vocabulary.symbols for rule in (symbol.duplicate, symbol.unused)}
    if fault.rule not in rules:
        return None
    for occurrence in context.names.below(fault.path):
        if not occurrence.is_use and fault.rule in {occurrence.symbol.duplicate, occurrence.symbol.unused}:
            return occurrence
    return None


def dangling_symbol(context: FixContext, fault: Finding) -> Symbol | None:
    """The symbol of the name at the path of a finding, if the finding is that it is not defined."""
    symbol = None if fault.prop is None else fault.prop.uses
    if symbol is None or fault.rule != symbol.dangling or not isinstance(context.value(fault.path), str):
        return None
    return symbol


# Malformed and duplicate ----------------------------------------------------------------------------------------------


def fix_name(context: FixContext, fault: Finding, prop: Prop, name: str) -> list[Fix]:
    """Rename a malformed definition."""
    fixes = []
    correct = next((new for new in (name.strip(), kebab_case(name)) if prop.kind.accepts(new)), None)
    if correct is not None:
        fixes = rename_definition(context, fault.path, correct, is_safe=True)
    if not fixes:
        generator = context.generator_at(fault.path[:-1])
        new = generator.free_name(prop.defines, correct or str(prop.example))
        if prop.kind.accepts(new):
            fixes = rename_definition(context, fault.path, new, is_safe=False)
    return fixes


def rename_definition(context: FixContext, path: Path, new: str, *, is_safe: bool) -> list[Fix]:
    """Rename the definition at a path and its uses; empty if the new name is defined already."""
    try:
        edits = context.references.rename(path, new)
    except NameRefusedError:
        return []
    counts = [context.names.count_definitions(name) for name in context.names.at(path) if not name.is_use]
    return fixes_from(f"Rename to {quote(new)}", edits, is_safe=is_safe and counts != [] and max(counts) == 1)


def fix_duplicate(context: FixContext, fault: Finding, symbol: Symbol) -> Iterator[Fix]:
    """Rename or remove a duplicate. It is unknown which of the two is the right one."""
    name = str(context.value(fault.path))
    if fault.kind is None or not fault.kind.accepts(name):
        name = kebab_case(name)
    new = context.generator_at(fault.path).free_name(symbol, name)
    yield from rename_definition(context, fault.path, new, is_safe=False)
    yield from remove_element(context, fault.path[:-1])


# Unused and dangling --------------------------------------------------------------------------------------------------


def fix_unused(context: FixContext, fault: Finding, symbol: Symbol) -> Iterator[Fix]:
    """Add an element that uses the name to the list of references."""
    name = str(context.value(fault.path))
    is_safe = fault.kind is not None and fault.kind.accepts(name) and _is_certainly_unused(context, fault)
    edit = add_uses(context, symbol, [name])
    yield from fixes_from(f"Add an entry for {quote(name)}", [edit], is_safe=is_safe)


def _is_certainly_unused(context: FixContext, fault: Finding) -> bool:
    """Whether no dangling use may be meant for the name."""
    return not any(
        context.names.has_undefined(name.scope)
        for name in context.names.below(fault.path)
        if name.symbol.unused == fault.rule
    )


def fix_dangling(context: FixContext, fault: Finding, symbol: Symbol) -> Iterator[Fix]:
    """Use the name that is probably meant; define the name; use another one; or remove the element."""
    path = fault.path
    name = str(context.value(path))
    scope = context.names.scope_of(symbol, path)
    names = context.names.names(symbol, scope)
    meant = probably_meant(name, names)
    if meant is not None:
        yield from fixes_from(f"Use {quote(meant)}", [set_value(context.document, path, meant)], is_safe=True)
    yield from _add_definition(context, symbol, scope, name)
    for other in names[:MAX_FIXES]:
        if other != meant:
            title = f"Use {quote(other)} instead of {quote(name)}"
            yield from fixes_from(title, [set_value(context.document, path, other)])
    if len(path) > 1 and isinstance(path[-2], int):
        yield from remove_element(context, path[:-1])


def _add_definition(context: FixContext, symbol: Symbol, scope: Path, name: str) -> Iterator[Fix]:
    owner = context.shape_at(scope)
    for path, shape, prop in [] if owner is None else named_lists(owner, symbol, is_use=False):
        generator = context.generator_at((*scope, *path))
        if prop.kind.accepts(name) and generator.is_free(prop.defines, name):
            element = generator.new_object(shape, None, {prop.name: name})
            edit = append_elements(context.document, (*scope, *path), [element])
            yield from fixes_from(f"Add a {shape.name} {quote(name)}", [edit])


def add_uses(context: FixContext, symbol: Symbol, names: Sequence[str]) -> Edit | None:
    """Add elements that use these names to the list of references; None if there is none."""
    for path, shape, prop in named_lists(context.vocabulary.root, symbol, is_use=True):
        if not {*shape.required} - {prop.name}:
            return append_elements(context.document, path, [{prop.name: name} for name in names])
    return None


def references_to(context: FixContext, shape: Shape, kind: Kind, node: object) -> list[Edit | None]:
    """The edit that adds a reference to a new node, if its name must be used."""
    symbol = kind.defines
    if symbol is None or symbol.unused is None or "id" not in shape.props:
        return []
    used = context.names.names(symbol, (), used=True)
    name = as_object(node).get("id")
    if not used or not isinstance(name, str) or name in used:
        return []
    return [add_uses(context, symbol, [name])]


def named_lists(shape: Shape, symbol: Symbol, *, is_use: bool, path: Path = ()) -> Iterator[NamedList]:
    """The lists below an object of a shape whose elements define names of a symbol, or use some."""
    for prop in shape.props.values():
        kind = prop.kind
        inner_path = (*path, prop.name)
        if not isinstance(kind, ListKind):
            for inner in kind.inner_shapes:
                yield from named_lists(inner, symbol, is_use=is_use, path=inner_path)
            continue
        for element in kind.inner_shapes:
            for name in element.props.values():
                defines = name.defines is symbol or (kind.items.defines is symbol and name.defines is not None)
                if name.uses is symbol if is_use else defines:
                    yield inner_path, element, name


# Elements -------------------------------------------------------------------------------------------------------------


def remove_element(context: FixContext, path: Path) -> Iterator[Fix]:
    """Remove an element, if the list has others and no name becomes dangling or unused."""
    siblings = context.value(path[:-1])
    if not isinstance(siblings, list) or len(siblings) < 2 or _breaks_names(context, path):
        return
    value = context.value(path)
    title = f"Remove {quote(value)}"
    if isinstance(value, dict | list):
        title = f"Remove {context.description(path)}"
    discards = isinstance(value, dict | list | str) and bool(value)
    edit = remove_member(context.document, path)
    yield from fixes_from(title, [edit], is_safe=value is None, discards=discards)


def _breaks_names(context: FixContext, path: Path) -> bool:
    """Whether removing the value at `path` makes a name dangling or unused."""
    for occurrence in context.names.below(path):
        symbol = occurrence.symbol
        if symbol.dangling is None or occurrence.scope.path[: len(path)] == path:
            continue  # The symbol has no uses, or its whole scope is removed.
        remaining = {one.is_use for one in context.names.same(occurrence) if one.path[: len(path)] != path}
        if occurrence.is_use:
            if symbol.unused is not None and remaining == {False}:
                return True
        elif remaining == {True}:
            return True
    return False
