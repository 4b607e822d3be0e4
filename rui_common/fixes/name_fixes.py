"""Fixes for names: malformed, duplicate, unused, or used without a definition."""

from collections.abc import Iterator
from itertools import islice

from rui_common.editing.edits import append_elements, remove_member, set_value
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import NameRefusedError, add_uses, rename
from rui_common.fixes.copy_fixes import fix_copy
from rui_common.fixes.model import MAX_FIXES, Fix, choices, description, fixes_from, quote, use_value
from rui_common.nodes.names import Name
from rui_common.suggest import kebab_case
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding
from rui_common.validation.meant import meant_by
from rui_common.vocabulary.queries import named_lists
from rui_common.vocabulary.schema import Prop, Symbol


def fix_malformed_name(analysis: Analysis, finding: Finding, prop: Prop, symbol: Symbol, name: str) -> list[Fix]:
    meant = meant_by(finding)
    if meant is not None:
        return rename_definition(analysis, finding.path, meant.text, is_safe=meant.is_certain, is_likely=True)
    new = ValueGenerator(analysis, finding.node).free_name(symbol, kebab_case(name) or str(prop.example))
    if prop.kind.accepts(new):
        return rename_definition(analysis, finding.path, new, is_safe=False)
    return []


def rename_definition(analysis: Analysis, path: Path, new: str, *, is_safe: bool, is_likely: bool = False) -> list[Fix]:
    """Rename the definition at a path and its uses; empty if the new name is defined already."""
    try:
        edits = rename(analysis, path, new)
    except NameRefusedError:
        return []
    counts = [len(name.scope.defined[name.text]) for name in analysis.names.at(path) if not name.is_use]
    is_only = counts != [] and max(counts) == 1
    return fixes_from(f"Rename to {quote(new)}", edits, is_safe=is_safe and is_only, is_likely=is_likely)


def fix_duplicate(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Rename or remove a duplicate: to a name that is used and not defined, else to one with a number.

    It is unknown which of the two is the right one.
    """
    like = str(finding.got)
    if finding.kind is None or not finding.kind.accepts(like):
        like = kebab_case(like)
    name = _name_of(analysis, finding, is_use=False)
    if name is not None:
        generator = ValueGenerator(analysis, finding.node)
        if finding.prop is not None:
            for used in islice(generator.undefined_names(finding.prop, finding.node.kind), 1):
                yield from rename_definition(analysis, finding.path, used, is_safe=False, is_likely=True)
        new = generator.free_name(name.symbol, like)
        yield from rename_definition(analysis, finding.path, new, is_safe=False)
        yield from fix_copy(analysis, name)
    yield from remove_element(analysis, finding.node.path)


def fix_unused(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Use the name in place of the undefined one that it replaces, or add an element that uses it."""
    text = str(finding.got)
    for name in analysis.names.at(finding.path):
        if name.symbol.unused is not None:
            replaced = name.scope.replacements
            right = name.scope.right_name(text)
            if right:
                yield from rename_definition(analysis, finding.path, right, is_safe=False, is_likely=True)
            elif text in replaced:
                use = replaced[text]
                title = f"Use {quote(text)} instead of {quote(use.text)}"
                edits = [set_value(analysis.document, use.path, text)]
                yield from fixes_from(title, edits, is_likely=len(replaced) == 1)
            is_well_formed = finding.kind is not None and finding.kind.accepts(text)
            is_certain = is_well_formed and not name.scope.undefined_uses  # which may be meant for this one
            edit = add_uses(analysis, name.symbol, [text])
            yield from fixes_from(f"Add an entry for {quote(text)}", [edit], is_safe=is_certain)


def fix_dangling(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Use the name that is probably meant; define the name; use another one; or remove the element."""
    name = _name_of(analysis, finding, is_use=True)
    meant = meant_by(finding)
    misspelt = None if name is None else name.scope.misspelt.get(name.text)
    if misspelt is not None:
        title = f"Rename {quote(misspelt.text)} to {quote(finding.got)}"
        for fix in rename_definition(analysis, misspelt.path, str(finding.got), is_safe=False, is_likely=True):
            yield fix._replace(title=title)
    elif name is not None:
        unused = _counterparts(name)
        if meant is None:
            for text in unused[:MAX_FIXES]:
                yield from use_value(analysis, finding.path, text, is_likely=len(unused) == 1)
        yield from _add_definition(analysis, name)
    yield from choices(analysis, finding.path, finding.allowed, meant)
    if isinstance(finding.node.step, int):
        yield from remove_element(analysis, finding.node.path)


def _counterparts(use: Name) -> list[str]:
    """Return the unused names, any of which may be meant by an undefined one, the likeliest first.

    A name that need not be used is meant only if there is no other.
    """
    scope = use.scope
    if scope.symbol.unused is None:
        if len(scope.definitions) == 1:
            return [*scope.definitions]
        return []
    unused = scope.unused
    own = [text for text, replaced in islice(scope.replacements.items(), MAX_FIXES) if replaced.text == use.text]
    return [*own, *(text for text in unused if text not in own)]


def _name_of(analysis: Analysis, finding: Finding, *, is_use: bool) -> Name | None:
    """Return the name that breaks the rule of a finding."""
    for name in analysis.names.at(finding.path):
        if name.is_use == is_use and finding.rule in name.symbol.rules.values():
            return name
    return None


def _add_definition(analysis: Analysis, use: Name) -> Iterator[Fix]:
    """Yield the fixes that define the name of a use by a new element, one for each list that allows it."""
    scope = use.scope.node.path
    owner = use.scope.node.shape or analysis.vocabulary.root
    for inner_path, shape, prop in named_lists(owner, use.symbol, is_use=False):
        path = (*scope, *inner_path)
        generator = ValueGenerator(analysis, analysis.nearest(path))
        if prop.kind.accepts(use.text) and (prop.defines is None or generator.is_free(prop.defines, use.text)):
            element = generator.new_object(shape, None, {prop.name: use.text})
            edit = append_elements(analysis.document, path, [element])
            yield from fixes_from(f"Add a {shape.name} {quote(use.text)}", [edit])


def remove_element(analysis: Analysis, path: Path) -> Iterator[Fix]:
    """Remove an element, if the list has others and no name becomes dangling or unused."""
    siblings = value_at(analysis.document.value, path[:-1])
    if not isinstance(siblings, list) or len(siblings) < 2 or _breaks_names(analysis, path):
        return
    value = siblings[int(path[-1])]
    title = f"Remove {quote(value)}"
    if isinstance(value, dict | list):
        title = f"Remove {description(analysis, path)}"
    discards = isinstance(value, dict | list | str) and bool(value)
    edit = remove_member(analysis.document, path)
    yield from fixes_from(title, [edit], is_safe=value is None, discards=discards)


def _breaks_names(analysis: Analysis, path: Path) -> bool:
    """Return whether removing the value at `path` makes a name dangling or unused."""
    for occurrence in analysis.names.below(path):
        symbol = occurrence.symbol
        if occurrence.is_use and symbol.unused is None:
            continue
        # There may be 100,000 of the same name: the first of the same kind decides.
        same = occurrence.scope.same(occurrence)
        remaining = (one.is_use for one in same if one.path[: len(path)] != path)
        first = next(remaining, occurrence.is_use)
        if first != occurrence.is_use and occurrence.is_use not in remaining:
            return True
    return False
