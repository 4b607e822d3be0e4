"""Fixes for diagnostics: changes of the text that remove one.

A fix is *safe* if it may be applied without review: it is the only plausible correction, and no content is lost. Other
fixes are *unsafe*, for a person to choose from. Safe are:

- a misspelt name, or another system's word for it (an alias of the vocabulary): a property whose value fits, a type, an
  enum value, ``get`` for ``GET``, a reference to a page or column. Digits are not regarded as misspelt: ``page-9`` is
  not ``page-1``. Neither is another method: ``POST`` is not almost ``GET``;
- the version of the document, as there is only one;
- a missing literal (``method``, the ``type`` of a binding, the ``type`` of a node that only one shape fits), unless
  another literal of the object contradicts it: a binding with ``POST`` and without ``type`` may be meant to write;
- a missing object without required properties (``meta``);
- an id that is not in kebab-case, together with its references, if the new one is free;
- a list where an object with a list is expected, an element where a list is expected, and an object of objects where a
  list of them is expected, with its keys as their names;
- an object such as `props` that contains properties of the object around it;
- a path without its leading slash, a value path with the root of JSONPath (``$.``), white space around either;
- a navigation entry for a page that has none, unless some entry is dangling, as that may be meant for it;
- a superfluous or missing comma, or missing quotes, if the value of the text does not change;
- a comment, an ellipsis, and the prose or code fence around a document.

Removing an unknown property is unsafe. All fixes are derived from the declarations; no shape, property or rule is
named here.
"""

from __future__ import annotations

import json

from rui_common.editing.edits import (
    append_elements,
    insert_properties,
    remove_duplicate,
    remove_member,
    rename_key,
    replace_by_property,
    set_value,
)
from rui_common.editing.generate import NamesInUse, default_value
from rui_common.fixes.conversions import coercions
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.fixes.restructure import restructure
from rui_common.fixes.structure_fixes import StructureFixer
from rui_common.suggest import kebab_case, probably_meant
from rui_common.syntax.paths import value_at
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.hints import Rename, Unnest, WriteInstead, shorten
from rui_common.vocabulary.aliases import fits, read_as, type_named
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import schema_location
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import DUPLICATE_KEY, PLANNED, UNKNOWN_PROP, UNREGISTERED_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.validation.diagnostics import Diagnostic, Proposal
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.lookup import Occurrence, SchemaLocation
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary


def find_fixes(document: Document, diagnostic: Diagnostic, vocabulary: Vocabulary = VOCABULARY) -> list[Fix]:
    """All fixes for one diagnostic, the safe ones first.

    Args:
        diagnostic: a diagnostic of it, from `rui_common.validation.diagnostics.diagnose`.

    Returns:
        Often no fix: a missing label cannot be guessed. For several diagnostics, use one `FixFinder`.
    """
    return FixFinder(document, vocabulary).find(diagnostic)


class FixFinder:
    """Finds fixes for the diagnostics of one document; lookups are shared between them."""

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._names = NamesInUse(document, vocabulary)
        self._structure = StructureFixer(document, self._names, vocabulary)

    def find(self, diagnostic: Diagnostic) -> list[Fix]:
        """All fixes for one diagnostic, the safe ones first (see `find_fixes`)."""
        if diagnostic.finding is not None:
            finding = diagnostic.finding
            fixes = restructure(self._document, finding.path, finding.suggestion) or [*self._fix_finding(finding)]
        elif diagnostic.proposals:
            fixes = [*self._propose(diagnostic.proposals)]
        elif diagnostic.code != DUPLICATE_KEY and diagnostic.path:
            fixes = []
        elif diagnostic.path:
            fixes = fixes_from("Remove this duplicate", [remove_duplicate(self._document, diagnostic.span)])
        else:
            from rui_common.fixes.syntax_fixes import syntax_fixes  # noqa: PLC0415  needed for broken texts only

            fixes = syntax_fixes(self._document, diagnostic.span)
        distinct: dict[tuple[Edit, ...], Fix] = {}
        for fix in fixes:
            distinct.setdefault(fix.edits, fix)
        return sorted(distinct.values(), key=lambda fix: not fix.is_safe)

    def _fix_finding(self, finding: Finding) -> Iterator[Fix]:
        path = finding.path
        location = schema_location(self._document.value, path, self._vocabulary)
        member = self._document.find(path)
        definition = self._definition_of(finding)
        if finding.rule == UNKNOWN_PROP:
            yield from self._fix_unknown_prop(finding)
        elif member is None:
            yield from self._fix_absent(finding, location)
        elif member.start == UNKNOWN:
            return
        elif definition is not None and finding.rule == definition.symbol.duplicate:
            yield from self._fix_duplicate(finding, location, definition.symbol)
        elif definition is not None:
            yield from self._fix_unused(finding, location, definition.symbol)
        elif location is not None and self._is_structural(finding, location.kind):
            yield from self._structure.fix_structure(finding, location)
        elif self._is_choice(finding, location) and (member.members() is None or finding.rule == UNREGISTERED_TYPE):
            yield from self._fix_choice(finding, location)
        elif location is not None and location.prop is not None:
            yield from self._fix_value(finding, location.prop)
        elif location is not None and path:
            yield from self._structure.fix_element(path, location.kind)

    def _definition_of(self, finding: Finding) -> Occurrence | None:
        """The definition that a finding about a duplicate or unused name is at."""
        rules = {rule for symbol in self._vocabulary.symbols for rule in (symbol.duplicate, symbol.unused)}
        if finding.rule not in rules or not isinstance(finding.got, str):
            return None
        for occurrence in self._names.occurrences_below(finding.path):
            if not occurrence.is_use and finding.rule in {occurrence.symbol.duplicate, occurrence.symbol.unused}:
                return occurrence
        return None

    def _is_structural(self, finding: Finding, kind: Kind) -> bool:
        if isinstance(kind, ListKind):
            value = value_at(self._document.value, finding.path)
            violation = kind.violation(value)
            is_misplaced = isinstance(value, dict) and violation is not None and finding.rule != violation.rule
            return value == [] or (is_misplaced and isinstance(kind.items, NodeKind))
        return isinstance(kind, NodeKind) or (isinstance(kind, ObjectKind) and finding.rule == PLANNED)

    @staticmethod
    def _is_choice(finding: Finding, location: SchemaLocation | None) -> bool:
        """Whether only some values are allowed, or the value is a dangling name (then there may be no other)."""
        return bool(finding.names) or _dangling_symbol(finding, location) is not None

    # Proposals --------------------------------------------------------------------------------------------------------

    def _propose(self, proposals: Sequence[Proposal]) -> Iterator[Fix]:
        """The first proposals that can be applied; the only one is safe."""
        count = 0
        for proposal in proposals:
            for fix in self._apply(proposal, is_only=len(proposals) == 1):
                yield fix
                count += 1
            if count >= MAX_FIXES:
                return

    def _apply(self, proposal: Proposal, *, is_only: bool) -> list[Fix]:
        path, value = proposal
        location = schema_location(self._document.value, path, self._vocabulary)
        if value is None:
            return fixes_from(f"Remove {_quote(path[-1])}", [remove_member(self._document, path)], is_safe=is_only)
        if self._document.find(path) is None:
            order = [] if location is None or location.shape is None else [*location.shape.props]
            edits = insert_properties(self._document, path[:-1], {str(path[-1]): value}, order)
            return fixes_from(f"Add {_quote(path[-1])}: {_quote(value)}", edits, is_safe=is_only)
        if location is not None and location.prop is not None and location.prop.defines is not None:
            return self._rename(path, value_at(self._document.value, path), value, is_safe=is_only)
        return self._use(path, value, is_safe=is_only)

    # Names and values that are not among the allowed ones -------------------------------------------------------------

    def _fix_unknown_prop(self, finding: Finding) -> Iterator[Fix]:
        path = finding.path[:-1]
        name = str(finding.got)
        if isinstance(finding.suggestion, Unnest):
            yield from self._unnest(finding.path)
        if isinstance(finding.suggestion, Rename):
            yield from self._rename_key(path, finding.suggestion)
        yield from fixes_from(f"Remove {_quote(name)}", self._structure.drop_props(path, [name]))

    def _rename_key(self, path: Path, rename: Rename) -> Iterator[Fix]:
        """Give a property of the object at `path` its registered name. It is safe if the value fits."""
        key_path = (*path, rename.key)
        location = schema_location(self._document.value, key_path, self._vocabulary)
        members = [member for member in self._document.members(path) if member.step == rename.key]
        if len(members) != 1:
            return
        is_safe = location is not None and fits(value_at(self._document.value, key_path), location.kind)
        edit = rename_key(self._document, key_path, rename.name)
        yield from fixes_from(f"Rename {_quote(rename.key)} to {_quote(rename.name)}", [edit], is_safe=is_safe)

    def _unnest(self, path: Path) -> list[Fix]:
        """Replace an object by the value of its property at `path`."""
        edits, is_only = replace_by_property(self._document, path)
        return fixes_from(f"Replace the object by the value of {_quote(path[-1])}", edits, is_safe=is_only)

    def _fix_choice(self, finding: Finding, location: SchemaLocation | None) -> Iterator[Fix]:
        """Replace a literal, an enum value, a type or a reference by an allowed one."""
        correct = probably_meant(finding.got, finding.names) if isinstance(finding.got, str) else None
        if isinstance(finding.suggestion, WriteInstead):
            correct = finding.suggestion.value
        if finding.rule == UNREGISTERED_TYPE:
            yield from self._fix_type(finding, correct)
            return
        names = [correct]
        if len(finding.names) <= MAX_FIXES:
            names += finding.names
        for name in dict.fromkeys(name for name in names if name is not None):
            edit = set_value(self._document, finding.path, name)
            yield from fixes_from(f"Use {_quote(name)}", [edit], is_safe=name == correct)
        yield from self._fix_otherwise(finding, location)

    def _fix_type(self, finding: Finding, correct: str | None) -> Iterator[Fix]:
        path = finding.path[:-1]
        if correct is not None:
            edit = set_value(self._document, finding.path, correct)
            is_safe = self._is_certainly_type(correct, finding.got, path)
            yield from fixes_from(f"Use {_quote(correct)}", [edit], is_safe=is_safe)
        yield from self._structure.change_type(path, self._shapes_named(finding.names))

    def _is_certainly_type(self, correct: str, got: object, path: Path) -> bool:
        """Whether the node at `path` means this type by its name, and its properties do not fit another one."""
        kind = self._kind_at(path)
        node = value_at(self._document.value, path)
        if not isinstance(kind, NodeKind) or not isinstance(node, dict):
            return False
        if not isinstance(got, str):
            return False
        named = type_named(got, node, kind, self._vocabulary)
        fitting = kind.shape_by_properties(node) or named
        return named is not None and named is fitting and named.name == correct

    def _fix_otherwise(self, finding: Finding, location: SchemaLocation | None) -> Iterator[Fix]:
        """The fixes for a value that is not allowed that do not set an allowed one."""
        kind = self._kind_at(finding.path[:-1])
        if isinstance(kind, NodeKind) and kind.at_type and finding.got in self._vocabulary.nodes:
            yield from self._structure.fix_misplaced_node(finding.path[:-1], kind)
        elif location is not None and location.prop is not None:
            symbol = _dangling_symbol(finding, location)
            if symbol is not None:
                scope = self._names.scope_of(symbol, finding.path)
                yield from self._structure.fix_dangling(finding, symbol, scope)
            elif not location.prop.required:
                edit = remove_member(self._document, finding.path)
                yield from fixes_from(f"Remove {_quote(location.prop.name)}", [edit])

    def _shapes_named(self, names: Iterable[str]) -> list[Shape]:
        return [self._vocabulary.nodes[name] for name in names if name in self._vocabulary.nodes]

    # Absent properties ------------------------------------------------------------------------------------------------

    def _fix_absent(self, finding: Finding, location: SchemaLocation | None) -> Iterator[Fix]:
        """Add a missing property, or unnest the object that has it."""
        path = finding.path[:-1]
        if isinstance(finding.suggestion, Unnest):
            yield from self._unnest((*path, finding.suggestion.name))
            return
        if isinstance(finding.suggestion, Rename):
            yield from self._rename_key(path, finding.suggestion)
            return
        if location is None or location.prop is None or location.shape is None:
            # The type of a node that fits several shapes, or none.
            yield from self._structure.change_type(path, self._shapes_named(finding.names))
            return
        siblings = value_at(self._document.value, path)
        assert isinstance(siblings, dict)  # noqa: S101  properties are missing in objects
        shape = location.shape
        name = location.prop.name
        value, is_certain = self._value_for_absent(location.prop, path, shape, siblings)
        edits = insert_properties(self._document, path, {name: value}, [*shape.props])
        yield from fixes_from(f"Add {_quote(name)}", edits, is_safe=is_certain)
        given = read_as(siblings, shape)
        required = [other for other in shape.required if other not in siblings and other not in given]
        if len(required) > 1:
            values = {other: self._value_for_absent(shape.props[other], path, shape, siblings)[0] for other in required}
            edits = insert_properties(self._document, path, values, [*shape.props])
            yield from fixes_from(f"Add all {len(required)} missing properties", edits)

    def _value_for_absent(
        self, prop: Prop, path: Path, shape: Shape, siblings: dict[str, object]
    ) -> tuple[object, bool]:
        """A value for an absent property of the object at `path`, and whether it is the only plausible one."""
        value, is_certain = default_value(prop, shape, siblings)
        return (value, True) if is_certain else (self._new_value(prop, path), False)

    # Names ------------------------------------------------------------------------------------------------------------

    def _fix_duplicate(self, finding: Finding, location: SchemaLocation | None, symbol: Symbol) -> Iterator[Fix]:
        """Rename or remove a duplicate. It is unknown which of the two is the right one."""
        if location is not None and location.prop is not None:
            kind: Kind | None = location.kind
        else:
            kind = self._defining_kind(symbol)
        name = str(finding.got)
        if kind is not None:
            stem = name if kind.accepts(name) else kebab_case(name)
            new = self._names.generator_at(finding.path).free_name(symbol, stem)
            if kind.accepts(new):
                edits = [set_value(self._document, finding.path, new), *self._uses_after_rename(finding, new)]
                yield from fixes_from(f"Rename to {_quote(new)}", edits)
        yield from self._structure.remove_element(finding.path[:-1])

    def _defining_kind(self, symbol: Symbol) -> Kind | None:
        """The kind of a property that defines names of a symbol, for objects of an unknown shape."""
        props = (prop for shape in self._vocabulary.shapes.values() for prop in shape.props.values())
        return next((prop.kind for prop in props if prop.defines is symbol), None)

    def _uses_after_rename(self, finding: Finding, new: str) -> Iterator[Edit | None]:
        """The edits of uses after one of two duplicates got a new name: they are renamed, or one is added."""
        for occurrence in self._names.occurrences_below(finding.path):
            symbol = occurrence.symbol
            if symbol.unused is None:
                continue
            occurrences = self._names.occurrences_in(symbol, occurrence.scope)
            same = [one for one in occurrences if one.name == finding.got]
            if sum(not one.is_use for one in same) == 1:
                yield from (set_value(self._document, one.path, new) for one in same if one.is_use)
            elif self._names.names(symbol, occurrence.scope, used=True):
                yield self._structure.add_uses(symbol, [new])

    def _fix_unused(self, finding: Finding, location: SchemaLocation | None, symbol: Symbol) -> Iterator[Fix]:
        """Add an element that uses the name to the list of references."""
        for container, _ in finding.related:
            listed = schema_location(self._document.value, container, self._vocabulary)
            if listed is None:
                continue
            for shape in listed.kind.inner_shapes:
                prop_name = next((prop.name for prop in shape.props.values() if prop.uses is symbol), None)
                if prop_name is None or set(shape.required) - {prop_name}:
                    continue
                edit = append_elements(self._document, container, [{prop_name: finding.got}])
                is_safe = self._is_certainly_unused(finding, location)
                yield from fixes_from(f"Add an entry for {_quote(finding.got)}", [edit], is_safe=is_safe)

    def _is_certainly_unused(self, finding: Finding, location: SchemaLocation | None) -> bool:
        """Whether the name is well formed and no dangling use may be meant for it."""
        if location is None or not location.kind.accepts(finding.got):
            return False
        occurrences = [
            one
            for here in self._names.occurrences_below(finding.path)
            if here.symbol.unused == finding.rule
            for one in self._names.occurrences_in(here.symbol, here.scope)
        ]
        defined = {one.name for one in occurrences if not one.is_use}
        return all(one.name in defined for one in occurrences if one.is_use)

    def _rename(self, path: Path, name: object, new: str, *, is_safe: bool) -> list[Fix]:
        """Rename the definition at a path and its uses; no fix if the new name is defined already."""
        definitions = [one for one in self._names.occurrences_below(path) if not one.is_use]
        paths = {path}
        for definition in definitions:
            occurrences = self._names.occurrences_in(definition.symbol, definition.scope)
            if any(one.name == new and not one.is_use for one in occurrences):
                return []
            same = [one for one in occurrences if one.name == name]
            if sum(not one.is_use for one in same) == 1:
                paths.update(one.path for one in same)
            else:
                is_safe = False
        edits = [set_value(self._document, one, new) for one in sorted(paths, key=str)]
        return fixes_from(f"Rename to {_quote(new)}", edits, is_safe=is_safe and bool(definitions))

    # Values of another form or type -----------------------------------------------------------------------------------

    def _fix_value(self, finding: Finding, prop: Prop) -> Iterator[Fix]:
        """Correct or convert a value; if that is not possible, remove or replace it."""
        path = finding.path
        violation = prop.kind.violation(finding.got)
        if violation is not None and violation.is_wrong_type:
            fixes = list(coercions(self._document, path, prop.kind))
        elif prop.defines is not None:
            fixes = self._fix_name(finding, prop, prop.defines)
        else:
            fixes = self._correct(finding, prop)
        yield from fixes
        if not prop.required:
            yield from fixes_from(f"Remove {_quote(prop.name)}", [remove_member(self._document, path)])
        elif (not fixes or prop.uses is not None) and violation is not None:
            yield from self._use(path, self._new_value(prop, path[:-1]))

    def _fix_name(self, finding: Finding, prop: Prop, symbol: Symbol) -> list[Fix]:
        """Rename a malformed definition."""
        name = str(finding.got)
        fixes = []
        correct = next((new for new in (name.strip(), kebab_case(name)) if prop.kind.accepts(new)), None)
        if correct is not None:
            fixes = self._rename(finding.path, name, correct, is_safe=True)
        if not fixes:
            generator = self._names.generator_at(finding.path[:-1])
            new = generator.free_name(symbol, correct or str(prop.example))
            if prop.kind.accepts(new):
                fixes = self._rename(finding.path, name, new, is_safe=False)
        return fixes

    def _correct(self, finding: Finding, prop: Prop) -> list[Fix]:
        """Replace a malformed value by the certain correction, else propose each possible one."""
        corrections = list(prop.kind.corrections(finding.got, prop.example))
        certain = [value for value, is_certain in corrections if is_certain]
        if certain:
            return self._use(finding.path, certain[0], is_safe=True)
        possible = dict.fromkeys(value for value, _ in corrections)
        return [fix for value in possible for fix in self._use(finding.path, value)]

    def _use(self, path: Path, value: object, *, is_safe: bool = False) -> list[Fix]:
        title = f"Use {shorten(json.dumps(value, ensure_ascii=False))}"
        return fixes_from(title, [set_value(self._document, path, value)], is_safe=is_safe)

    def _new_value(self, prop: Prop, path: Path) -> object:
        """A value for a property of the object at `path`."""
        return self._names.generator_at(path).missing_value(prop, self._kind_at(path))

    def _kind_at(self, path: Path) -> Kind | None:
        location = schema_location(self._document.value, path, self._vocabulary)
        return None if location is None else location.kind


def _dangling_symbol(finding: Finding, location: SchemaLocation | None) -> Symbol | None:
    """The symbol of a name if the finding reports that it is dangling."""
    if location is None or location.prop is None:
        return None
    symbol = location.prop.uses
    return symbol if symbol is not None and finding.rule == symbol.dangling else None


def _quote(name: object) -> str:
    return f'"{name}"'
