"""Diagnostic → mends: changes to the text that would do away with it.

A mend is *safe* when a program may make it without asking: it is the only sensible reading of what the author wrote,
and nothing that they wrote is lost. All others are offers, for a person to choose from. Safe are:

- a name written almost right, where one of the right names is clearly meant: a property, a type, an enum's value, a
  binding's ``get`` for ``GET``, a reference to a page or column. Digits are no misspelling: ``page-9`` is not
  ``page-1``. ``POST`` is not almost ``GET``: that would be another request;
- the version of the document: no other can be read, and what the document says is judged by its rules either way;
- a literal that is absent (``method``, a binding's ``type``, a node's ``type`` that only one shape fits), unless a
  literal beside it says something else: a binding with ``POST`` and without ``type`` may be meant to write;
- an object that is absent and need not have anything in it (``meta``);
- an id in another style than kebab-case, with everything that refers to it, if the new one is free;
- a path without its leading slash, a value path with the root of JSONPath (``$.``) before it, blanks around either;
- an entry in the navigation for a page that no entry opens, unless some entry opens nothing: that may be the one;
- a comma too many or too few, or quotes that are missing, if the text then says what the reader understood anyway.

Taking away an unknown property is not safe: somebody wanted it there. Everything here is derived from the
declarations; no shape, property or rule is known by name.
"""

from __future__ import annotations

import json

from rui_common.editing.edits import (
    append_element,
    insert_properties,
    remove_member,
    remove_repeated,
    rename_key,
    set_value,
    take_out,
)
from rui_common.editing.generate import NamesInUse, default_value, value_at
from rui_common.fixes.model import MAX_FIXES, Fix
from rui_common.suggest import kebab_case, probably_meant
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.findings import shorten
from rui_common.validation.hints import FixFirst, TakeOut
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import schema_location
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import PLANNED, UNKNOWN_PROP, UNREGISTERED_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rui_common.editing.edits import Edit
    from rui_common.fixes.structure_fixes import StructureFixer
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.lookup import SchemaLocation
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary


def find_fixes(document: Document, diagnostic: Diagnostic, vocabulary: Vocabulary = VOCABULARY) -> list[Fix]:
    """All mends of one diagnostic, the safe ones first.

    Args:
        document: the document that it is about.
        diagnostic: one of `rui_common.validation.diagnostics.diagnose`.
        vocabulary: what the document was checked against.

    Returns:
        Any number of mends, none for most faults: nobody can guess a missing label. For several diagnostics of one
        document, make one `FixFinder` instead.
    """
    return FixFinder(document, vocabulary).find(diagnostic)


class FixFinder:
    """Finds mends for the diagnostics of one document; what it had to look up is kept for the next."""

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._names = NamesInUse(document, vocabulary)
        self._structure_fixer: StructureFixer | None = None

    def find(self, diagnostic: Diagnostic) -> list[Fix]:
        """All mends of one diagnostic, the safe ones first (see `rui_common.fixes.quick_fixes.fixes`)."""
        if diagnostic.finding is not None:
            found = list(self._of_finding(diagnostic.finding))
        elif diagnostic.path:
            found = list(self._repeated(diagnostic))
        else:
            from rui_common.fixes.syntax_fixes import syntax_fixes  # noqa: PLC0415  a sound text does without it

            found = list(syntax_fixes(self._document, diagnostic.span))
        once: dict[tuple[Edit, ...], Fix] = {}
        for fix in found:
            once.setdefault(fix.edits, fix)
        return sorted(once.values(), key=lambda fix: not fix.is_safe)

    def _of_finding(self, finding: Finding) -> Iterator[Fix]:
        place = schema_location(self._document.value, finding.path, self._vocabulary)
        member = self._document.find(finding.path)
        symbol, question = self._about_names(finding)
        if finding.rule == UNKNOWN_PROP:
            yield from self._unknown(finding)
        elif member is None:
            yield from self._lost(finding, place)
        elif member.start == UNKNOWN:
            return
        elif question == "duplicate" and symbol is not None:
            yield from self._duplicate(finding, place, symbol)
        elif question == "unused" and symbol is not None:
            yield from self._unused(finding, place, symbol)
        elif place is not None and self._is_structural(finding, place):
            yield from self._nodes.fixes(finding, place)
        elif self._is_choice(finding, place) and (member.members() is None or finding.rule == UNREGISTERED_TYPE):
            yield from self._choice(finding, place)
        elif place is not None and place.prop is not None:
            yield from self._wrong_value(finding, place.prop)
        elif place is not None and finding.path:
            yield from self._nodes.element(finding.path, place.kind)

    def _is_structural(self, finding: Finding, place: SchemaLocation) -> bool:
        if isinstance(place.kind, ListKind):
            return value_at(self._document.value, finding.path) == []
        return isinstance(place.kind, NodeKind) or (isinstance(place.kind, ObjectKind) and finding.rule == PLANNED)

    @staticmethod
    def _is_choice(finding: Finding, place: SchemaLocation | None) -> bool:
        """Whether only some values are allowed, or the name leads nowhere (then there may be none that is sound)."""
        symbol = None if place is None or place.prop is None else place.prop.uses
        return bool(finding.names) or (symbol is not None and finding.rule == symbol.dangling)

    @property
    def _nodes(self) -> StructureFixer:
        """What mends the structure; most faults do without."""
        if self._structure_fixer is None:
            from rui_common.fixes.structure_fixes import StructureFixer  # noqa: PLC0415

            self._structure_fixer = StructureFixer(self._document, self._names, self._vocabulary)
        return self._structure_fixer

    def _repeated(self, diagnostic: Diagnostic) -> Iterator[Fix]:
        """A key that does not count, as the same one stands below."""
        yield from _fix("Remove this one", [remove_repeated(self._document, diagnostic.span)])

    # A name or value that is not among those allowed -----------------------------------------------------------------

    def _unknown(self, finding: Finding) -> Iterator[Fix]:
        """A property that is not registered: renamed, if it is one misspelt."""
        path, name = finding.path[:-1], str(finding.got)
        if isinstance(finding.remedy, TakeOut):
            yield from self._envelope(finding.path)
        meant = probably_meant(name, finding.names)
        if meant is not None and sum(member.step == name for member in self._document.members(path)) == 1:
            edit = rename_key(self._document, finding.path, meant)
            yield from _fix(f"Rename to {_quoted(meant)}", [edit], is_safe=True)
        yield from _fix(f"Remove {_quoted(name)}", list(self._nodes.removals(path, [name])))

    def _envelope(self, path: Path) -> Iterator[Fix]:
        """The value at a path in the place of the object around it."""
        edits, is_only = take_out(self._document, path)
        yield from _fix(f"Put the value of {_quoted(path[-1])} in place of the whole", edits, is_safe=is_only)

    def _choice(self, finding: Finding, place: SchemaLocation | None) -> Iterator[Fix]:
        """A value of which only some are allowed: a literal, an enum, a type, the name of something defined."""
        meant = probably_meant(finding.got, finding.names) if isinstance(finding.got, str) else None
        is_safe = True
        if finding.rule == UNREGISTERED_TYPE:
            if place is not None and place.shape is not None:
                # What the node has in it may say that it is of another type than its name is like.
                is_safe = place.shape.name == meant
                meant = meant or place.shape.name
            if meant is not None:
                edit = set_value(self._document, finding.path, meant)
                yield from _fix(f"Use {_quoted(meant)}", [edit], is_safe=is_safe)
            yield from self._nodes.turn_into(finding.path[:-1], self._shapes_named(finding.names))
            return
        if place is not None and self._is_version(place):
            meant = self._vocabulary.version
        others = finding.names if len(finding.names) <= MAX_FIXES else ()
        for name in dict.fromkeys([meant, *others]):
            if name is not None:
                edit = set_value(self._document, finding.path, name)
                yield from _fix(f"Use {_quoted(name)}", [edit], is_safe=is_safe and name == meant)
        yield from self._instead(finding, place)

    def _instead(self, finding: Finding, place: SchemaLocation | None) -> Iterator[Fix]:
        """What to do but to use an allowed value."""
        owner = schema_location(self._document.value, finding.path[:-1], self._vocabulary)
        kind = None if owner is None else owner.kind
        if isinstance(kind, NodeKind) and kind.at_type and finding.got in self._vocabulary.nodes:
            yield from self._nodes.misplaced(finding.path[:-1], kind)
        elif place is not None and place.prop is not None:
            symbol = place.prop.uses
            if symbol is not None and finding.rule == symbol.dangling:
                yield from self._nodes.define(finding, symbol, self._names.scope_of(symbol, finding.path))
            elif not place.prop.required:
                yield from _fix(f"Remove {_quoted(place.prop.name)}", [remove_member(self._document, finding.path)])

    def _shapes_named(self, names: Iterable[str]) -> list[Shape]:
        return [self._vocabulary.nodes[name] for name in names if name in self._vocabulary.nodes]

    def _is_version(self, place: SchemaLocation) -> bool:
        """Whether the version of the vocabulary stands in this place, and nothing else may."""
        is_of_root = place.shape is self._vocabulary.root
        return is_of_root and place.kind.values == (self._vocabulary.version,)

    # Something that is absent ----------------------------------------------------------------------------------------

    def _lost(self, finding: Finding, place: SchemaLocation | None) -> Iterator[Fix]:
        """What is not there, or stands in an envelope."""
        first = finding.remedy.path if isinstance(finding.remedy, FixFirst) else None
        is_lost = first is not None and schema_location(self._document.value, first, self._vocabulary) is None
        yield from self._envelope(first) if first and is_lost else self._missing(finding, place)

    def _missing(self, finding: Finding, place: SchemaLocation | None) -> Iterator[Fix]:
        name, path = str(finding.path[-1]), finding.path[:-1]
        if place is None or place.prop is None or place.shape is None:
            # The type of a node that several shapes fit, or none.
            yield from self._nodes.turn_into(path, self._shapes_named(finding.names))
            return
        siblings = value_at(self._document.value, path)
        assert isinstance(siblings, dict)  # noqa: S101  properties are missing in objects
        order = list(place.shape.props)
        value, is_safe = default_value(place.prop, place.shape, siblings)
        if not is_safe:
            value = self._new_value(place.prop, path)
        unknown = [other for other in siblings if other not in place.shape.props]
        absent = [other for other in order if other not in siblings]
        is_safe = is_safe and all(probably_meant(other, absent) != name for other in unknown)
        edits = insert_properties(self._document, path, {name: value}, order)
        yield from _fix(f"Add {_quoted(name)}", edits, is_safe=is_safe)
        required = [other for other in absent if other in place.shape.required]
        if len(required) > 1:
            values = {}
            for prop in (place.shape.props[other] for other in required):
                likely, is_sure = default_value(prop, place.shape, siblings)
                values[prop.name] = likely if is_sure else self._new_value(prop, path)
            edits = insert_properties(self._document, path, values, order)
            yield from _fix(f"Add all {len(required)} missing properties", edits)

    # Names -----------------------------------------------------------------------------------------------------------

    def _duplicate(self, finding: Finding, place: SchemaLocation | None, symbol: Symbol) -> Iterator[Fix]:
        """A name that stands twice: another one is offered, but which of the two was meant, nobody can tell."""
        kind = place.kind if place is not None and place.prop is not None else self._kind_of(symbol)
        got = str(finding.got)
        like = got if kind is None or kind.accepts(got) else kebab_case(got)
        new = self._names.maker_at(finding.path).free(symbol, like)
        if kind is not None and kind.accepts(new):
            entries = self._follow(finding, new)
            yield from _fix(f"Rename to {_quoted(new)}", [set_value(self._document, finding.path, new), *entries])
        yield from self._nodes.remove_element(finding.path[:-1])

    def _kind_of(self, symbol: Symbol) -> Kind | None:
        """What a name of a sort may be, where the object that has it is of no known shape."""
        props = (prop for shape in self._vocabulary.shapes.values() for prop in shape.props.values())
        return next((prop.kind for prop in props if prop.defines is symbol), None)

    def _follow(self, finding: Finding, new: str) -> Iterator[Edit | None]:
        """What a new name for one of two things asks for elsewhere: its uses renamed, or a use of its own."""
        for seen in self._names.below(finding.path):
            if seen.symbol.unused is None:
                continue
            same = [one for one in self._names.within(seen.symbol, seen.scope) if one.name == finding.got]
            if sum(not one.is_use for one in same) == 1:
                yield from (set_value(self._document, one.path, new) for one in same if one.is_use)
            elif self._names.names(seen.symbol, seen.scope, used=True):
                yield self._nodes.uses(seen.symbol, [new])

    def _unused(self, finding: Finding, place: SchemaLocation | None, symbol: Symbol) -> Iterator[Fix]:
        """A name that nobody uses: an element that uses it is added to where the others are."""
        for container, _ in finding.related:
            listed = schema_location(self._document.value, container, self._vocabulary)
            for shape in () if listed is None else listed.kind.inner_shapes:
                using = next((prop.name for prop in shape.props.values() if prop.uses is symbol), None)
                if using is None or set(shape.required) - {using}:
                    continue
                edit = append_element(self._document, container, {using: finding.got})
                is_safe = self._is_surely_unused(finding, place)
                yield from _fix(f"Add an entry for {_quoted(finding.got)}", [edit], is_safe=is_safe)

    def _is_surely_unused(self, finding: Finding, place: SchemaLocation | None) -> bool:
        """Whether the name is a sound one, and no use that leads nowhere could be meant for it."""
        kind = None if place is None else place.kind
        if kind is None or not kind.accepts(finding.got):
            return False
        here = [seen for seen in self._names.below(finding.path) if seen.symbol.unused == finding.rule]
        seen = [one for there in here for one in self._names.within(there.symbol, there.scope)]
        defined = {one.name for one in seen if not one.is_use}
        return all(one.name in defined for one in seen if one.is_use)

    def _rename(self, finding: Finding, new: str, *, is_safe: bool = True) -> Iterator[Fix]:
        """Give what is defined at a path another name, there and wherever it is used."""
        here = [seen for seen in self._names.below(finding.path) if not seen.is_use]
        paths = {finding.path}
        for definition in here:
            same = self._names.within(definition.symbol, definition.scope)
            if any(seen.name == new and not seen.is_use for seen in same):
                return
            if sum(seen.name == finding.got and not seen.is_use for seen in same) == 1:
                paths.update(seen.path for seen in same if seen.name == finding.got)
            else:
                is_safe = False
        edits = [set_value(self._document, path, new) for path in sorted(paths, key=str)]
        yield from _fix(f"Rename to {_quoted(new)}", edits, is_safe=is_safe and bool(here))

    # Values of another form or type ----------------------------------------------------------------------------------

    def _wrong_value(self, finding: Finding, prop: Prop) -> Iterator[Fix]:
        kind, path = prop.kind, finding.path
        found = list(self._rewritten(finding, prop))
        yield from found
        if not prop.required:
            yield from _fix(f"Remove {_quoted(prop.name)}", [remove_member(self._document, path)])
        elif (not found or prop.uses is not None) and not kind.accepts(finding.got):
            value = self._new_value(prop, path[:-1])
            yield from _fix(f"Use {_shown(value)}", [set_value(self._document, path, value)])

    def _rewritten(self, finding: Finding, prop: Prop) -> Iterator[Fix]:
        """The value that is there, written as it should be."""
        violation = prop.kind.violation(finding.got)
        if violation is not None and violation.is_wrong_type:
            from rui_common.fixes.conversions import conversions  # noqa: PLC0415  hardly ever needed

            for title, edits in conversions(self._document, finding.path, prop.kind):
                yield Fix(title, edits, False)
        elif prop.defines is not None:
            yield from self._well_formed_name(finding, prop, prop.defines)
        else:
            yield from self._corrected(finding, prop)

    def _well_formed_name(self, finding: Finding, prop: Prop, symbol: Symbol) -> Iterator[Fix]:
        """Rename a malformed name, with its uses."""
        got, kind = str(finding.got), prop.kind
        new = next((name for name in (got.strip(), kebab_case(got)) if kind.accepts(name)), None)
        renamings = [] if new is None else list(self._rename(finding, new))
        yield from renamings
        if not renamings:
            free = self._names.maker_at(finding.path[:-1]).free(symbol, new or str(prop.example))
            if kind.accepts(free):
                yield from self._rename(finding, free, is_safe=False)

    def _corrected(self, finding: Finding, prop: Prop) -> Iterator[Fix]:
        """Replace a malformed value by what it is certain to mean, else by each value that it may mean."""
        corrections = list(prop.kind.corrections(finding.got, prop.example))
        certain = [value for value, is_certain in corrections if is_certain][:1]
        for value in certain or dict.fromkeys(value for value, _ in corrections):
            shown = _quoted(value) if isinstance(value, str) else _shown(value)
            edits = [set_value(self._document, finding.path, value)]
            yield from _fix(f"Use {shown}", edits, is_safe=bool(certain))

    # What is looked up -----------------------------------------------------------------------------------------------

    def _new_value(self, prop: Prop, path: Path) -> object:
        """A value for a property of the object at `path`."""
        owner = schema_location(self._document.value, path, self._vocabulary)
        return self._names.maker_at(path).missing(prop, None if owner is None else owner.kind)

    def _about_names(self, finding: Finding) -> tuple[Symbol | None, str]:
        """The symbol that a finding is about, and what it says of the name: ``duplicate`` or ``unused``."""
        rules = {rule for symbol in self._vocabulary.symbols for rule in (symbol.duplicate, symbol.unused)}
        for seen in self._names.below(finding.path) if finding.rule in rules and isinstance(finding.got, str) else ():
            if not seen.is_use and finding.rule in {seen.symbol.duplicate, seen.symbol.unused}:
                return seen.symbol, "duplicate" if finding.rule == seen.symbol.duplicate else "unused"
        return None, ""


def _shown(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))


def _quoted(name: object) -> str:
    return f'"{name}"'


def _fix(title: str, edits: Sequence[Edit | None], *, is_safe: bool = False) -> Iterator[Fix]:
    """The mend, if all of its edits could be made."""
    made = tuple(edit for edit in edits if edit is not None)
    if made and len(made) == len(edits):
        yield Fix(title, made, is_safe)
