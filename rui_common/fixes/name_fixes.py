"""Fixes for names: malformed, duplicate, unused, or used without a definition."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.editing.edits import append_elements, remove_member
from rui_common.editing.references import NameRefusedError
from rui_common.fixes.context import FixContext, choices, quote
from rui_common.fixes.model import Fix, fixes_from
from rui_common.json_values import as_object
from rui_common.suggest import kebab_case, probably_meant
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit
from rui_common.validation.findings import Finding
from rui_common.validation.names import Name, Scope
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

NamedList = tuple[Path, Shape, Prop]
"""The path of a list below an object, the shape of its elements, and their property with a name."""


def broken_name(context: FixContext, fault: Finding) -> Name | None:
    """The name that a finding is about: a duplicate, an unused one, or a use without a definition."""
    for name in context.names.at(fault.path):
        symbol = name.symbol
        if fault.rule in ([symbol.dangling] if name.is_use else [symbol.duplicate, symbol.unused]):
            return name
    return None


def fix_broken_name(context: FixContext, fault: Finding, name: Name) -> Iterator[Fix]:
    """Fix a name that `broken_name` has found."""
    if name.is_use:
        yield from _fix_dangling(context, name)
    elif fault.rule == name.symbol.duplicate:
        yield from _fix_duplicate(context, fault, name)
    else:
        yield from _fix_unused(context, fault, name)


# Malformed and duplicate ----------------------------------------------------------------------------------------------


def fix_malformed_name(context: FixContext, fault: Finding, prop: Prop, symbol: Symbol, name: str) -> list[Fix]:
    """Rename a malformed definition."""
    fixes = []
    correct = next((new for new in (name.strip(), kebab_case(name)) if prop.kind.accepts(new)), None)
    if correct is not None:
        fixes = rename_definition(context, fault.path, correct, is_safe=True)
    if not fixes:
        new = context.generator_at(fault.path[:-1]).free_name(symbol, correct or str(prop.example))
        if prop.kind.accepts(new):
            fixes = rename_definition(context, fault.path, new, is_safe=False)
    return fixes


def rename_definition(context: FixContext, path: Path, new: str, *, is_safe: bool) -> list[Fix]:
    """Rename the definition at a path and its uses; empty if the new name is defined already."""
    try:
        edits = context.names.rename(path, new)
    except NameRefusedError:
        return []
    counts = [len(context.names.defined(name.scope, name.name)) for name in context.names.at(path) if not name.is_use]
    return fixes_from(f"Rename to {quote(new)}", edits, is_safe=is_safe and counts != [] and max(counts) == 1)


def _fix_duplicate(context: FixContext, fault: Finding, name: Name) -> Iterator[Fix]:
    """Rename or remove a duplicate. It is unknown which of the two is the right one."""
    like = name.name
    if fault.kind is None or not fault.kind.accepts(like):
        like = kebab_case(like)
    new = context.generator_at(fault.path).free_name(name.symbol, like)
    yield from rename_definition(context, fault.path, new, is_safe=False)
    yield from remove_element(context, fault.path[:-1])


# Unused and dangling --------------------------------------------------------------------------------------------------


def _fix_unused(context: FixContext, fault: Finding, name: Name) -> Iterator[Fix]:
    """Add an element that uses the name to the list of references."""
    is_well_formed = fault.kind is not None and fault.kind.accepts(name.name)
    is_certain = is_well_formed and not context.names.has_undefined(name.scope)  # which may be meant for this one
    edit = add_use(context.document, name.symbol, name.name, context.vocabulary)
    yield from fixes_from(f"Add an entry for {quote(name.name)}", [edit], is_safe=is_certain)


def _fix_dangling(context: FixContext, use: Name) -> Iterator[Fix]:
    """Use the name that is probably meant; define the name; use another one; or remove the element."""
    names = context.names.defined_names(use.scope)
    yield from _add_definition(context, use)
    yield from choices(context, use.path, names, probably_meant(use.name, names))
    if len(use.path) > 1 and isinstance(use.path[-2], int):
        yield from remove_element(context, use.path[:-1])


def _add_definition(context: FixContext, use: Name) -> Iterator[Fix]:
    scope = use.scope.path
    owner = context.shape_at(scope) or context.vocabulary.root
    for inner_path, shape, prop in _named_lists(owner, use.symbol, is_use=False):
        path = (*scope, *inner_path)
        generator = context.generator_at(path)
        if prop.kind.accepts(use.name) and (prop.defines is None or generator.is_free(prop.defines, use.name)):
            element = generator.new_object(shape, None, {prop.name: use.name})
            edit = append_elements(context.document, path, [element])
            yield from fixes_from(f"Add a {shape.name} {quote(use.name)}", [edit])


def add_use(document: Document, symbol: Symbol, name: str, vocabulary: Vocabulary = VOCABULARY) -> Edit | None:
    """Add an element that uses a name to the list of references; None if there is none."""
    for path, shape, prop in _named_lists(vocabulary.root, symbol, is_use=True):
        if not {*shape.required} - {prop.name}:
            return append_elements(document, path, [{prop.name: name}])
    return None


def references_to(context: FixContext, shape: Shape, kind: Kind, node: object) -> list[Edit | None]:
    """The edit that adds a reference to a new node, if its name must be used."""
    symbol = kind.defines
    if symbol is None or symbol.unused is None or "id" not in shape.props:
        return []
    used = context.names.used_names(Scope(symbol, ()))
    name = as_object(node).get("id")
    if not used or not isinstance(name, str) or name in used:
        return []
    return [add_use(context.document, symbol, name, context.vocabulary)]


def _named_lists(shape: Shape, symbol: Symbol, *, is_use: bool, path: Path = ()) -> Iterator[NamedList]:
    """The lists below an object of a shape whose elements define names of a symbol, or use some."""
    for prop in shape.props.values():
        kind = prop.kind
        inner_path = (*path, prop.name)
        if not isinstance(kind, ListKind):
            for inner in kind.inner_shapes:
                yield from _named_lists(inner, symbol, is_use=is_use, path=inner_path)
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
        if occurrence.is_use and symbol.unused is None:
            continue
        # There may be 100,000 of the same name: the first of the same kind decides.
        remaining = (one.is_use for one in context.names.same(occurrence) if one.path[: len(path)] != path)
        first = next(remaining, occurrence.is_use)
        if first != occurrence.is_use and occurrence.is_use not in remaining:
            return True
    return False
