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

from collections import namedtuple

from rui_common.declarations import ObjectOf, OneOf, Text, inner_shapes
from rui_common.edits import Edit, append_element, insert_property, remove_member, rename_key, set_value
from rui_common.findings import ABSENT
from rui_common.members import UNKNOWN
from rui_common.places import occurrences, place_at
from rui_common.suggest import kebab_case, nearest
from rui_common.vocabulary import VOCABULARY
from rui_common.walk import UNKNOWN_PROP, UNREGISTERED_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rui_common.declarations import Prop, Shape, Symbol, Vocabulary
    from rui_common.diagnostics import Diagnostic
    from rui_common.document import Document
    from rui_common.findings import Finding
    from rui_common.paths import Path
    from rui_common.places import Occurrence, Place

MAX_OFFERS = 5
"""So many allowed values are offered one by one at most."""


class Mend(namedtuple("Mend", ("title", "edits", "is_safe"))):
    """One way to do away with a diagnostic.

    Attributes:
        title: what it does, for a menu: ``Rename to "label"``.
        edits: the changes to the document's text; never empty.
        is_safe: whether it may be made without asking.
    """

    __slots__ = ()
    title: str
    edits: tuple[Edit, ...]
    is_safe: bool


def mends(document: Document, diagnostic: Diagnostic, vocabulary: Vocabulary = VOCABULARY) -> list[Mend]:
    """All mends of one diagnostic, the safe ones first.

    Args:
        document: the document that it is about.
        diagnostic: one of `rui_common.diagnostics.diagnose`.
        vocabulary: what the document was checked against.

    Returns:
        Any number of mends, none for most faults: nobody can guess a missing label. For several diagnostics of one
        document, make one `Mender` instead.
    """
    return Mender(document, vocabulary).mends(diagnostic)


class Mender:
    """Finds mends for the diagnostics of one document; what it had to look up is kept for the next."""

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._occurrences: dict[Path, list[Occurrence]] | None = None

    def mends(self, diagnostic: Diagnostic) -> list[Mend]:
        """All mends of one diagnostic, the safe ones first (see `rui_common.mends.mends`)."""
        if diagnostic.finding is not None:
            found = list(self._of_finding(diagnostic.finding))
        elif diagnostic.path:
            found = []
        else:
            from rui_common.syntax_mends import syntax_mends  # noqa: PLC0415  a sound text does without it

            found = list(syntax_mends(self._document, diagnostic.span))
        return sorted(found, key=lambda mend: not mend.is_safe)

    def _of_finding(self, finding: Finding) -> Iterator[Mend]:
        place = place_at(self._document.value, finding.path, self._vocabulary)
        member = self._document.find(finding.path)
        symbol, question = self._about_names(finding)
        if finding.rule == UNKNOWN_PROP:
            yield from self._unknown(finding)
        elif member is None:
            yield from self._missing(finding, place)
        elif member.start == UNKNOWN:
            return
        elif question == "duplicate" and symbol is not None:
            yield from self._duplicate(finding, place, symbol)
        elif question == "unused" and symbol is not None:
            yield from self._unused(finding, place, symbol)
        elif finding.names and member.members() is None:
            yield from self._choice(finding, place)
        elif place is not None and place.prop is not None:
            yield from self._wrong_value(finding, place.prop)

    # A name or value that is not among those allowed -----------------------------------------------------------------

    def _unknown(self, finding: Finding) -> Iterator[Mend]:
        """A property that is not registered: renamed, if it is one misspelt."""
        meant = _meant(str(finding.got), finding.names)
        if meant is not None:
            is_once = sum(member.step == finding.got for member in self._document.members(finding.path[:-1])) == 1
            edit = rename_key(self._document, finding.path, meant)
            yield from _mend(f"Rename to {_quoted(meant)}", [edit], is_safe=is_once)
        yield from _mend(f"Remove {_quoted(finding.got)}", [remove_member(self._document, finding.path)])

    def _choice(self, finding: Finding, place: Place | None) -> Iterator[Mend]:
        """A value of which only some are allowed: a literal, an enum, a type, the name of something defined."""
        meant = _meant(finding.got, finding.names) if isinstance(finding.got, str) else None
        is_safe = True
        if finding.rule == UNREGISTERED_TYPE and place is not None and place.shape is not None:
            # What the node has in it may say that it is of another type than its name is like.
            is_safe = place.shape.name == meant
            meant = meant or place.shape.name
        elif place is not None and self._is_version(place):
            meant = self._vocabulary.version
        others = finding.names if len(finding.names) <= MAX_OFFERS else ()
        for name in dict.fromkeys([meant, *others]):
            if name is not None:
                edit = set_value(self._document, finding.path, name)
                yield from _mend(f"Use {_quoted(name)}", [edit], is_safe=is_safe and name == meant)

    def _is_version(self, place: Place) -> bool:
        """Whether the version of the vocabulary stands in this place, and nothing else may."""
        is_of_root = place.shape is self._vocabulary.root
        return is_of_root and isinstance(place.kind, OneOf) and place.kind.values == (self._vocabulary.version,)

    # Something that is absent ----------------------------------------------------------------------------------------

    def _missing(self, finding: Finding, place: Place | None) -> Iterator[Mend]:
        name = str(finding.path[-1])
        if place is None or place.prop is None or place.shape is None:
            # The type of a node that several shapes fit, or none.
            for choice in finding.names[:MAX_OFFERS]:
                edit = insert_property(self._document, finding.path, choice, ["id", name])
                yield from _mend(f"Add {_quoted(name)}: {_quoted(choice)}", [edit])
            return
        siblings = self._value_at(finding.path[:-1])
        assert isinstance(siblings, dict)  # noqa: S101  properties are missing in objects
        value, is_safe = _likely_value(place.prop, place.shape, siblings)
        if value is ABSENT:
            return
        unknown = [other for other in siblings if other not in place.shape.props]
        absent = [other for other in place.shape.props if other not in siblings]
        is_safe = is_safe and all(_meant(other, absent) != name for other in unknown)
        edit = insert_property(self._document, finding.path, value, list(place.shape.props))
        yield from _mend(f"Add {_quoted(name)}", [edit], is_safe=is_safe)

    # Names -----------------------------------------------------------------------------------------------------------

    def _duplicate(self, finding: Finding, place: Place | None, symbol: Symbol) -> Iterator[Mend]:
        """A name that stands twice: another one is offered, but which of the two was meant, nobody can tell."""
        taken = self._defined(symbol, finding.path)
        candidates = (f"{finding.got}-{number}" for number in range(2, len(taken) + 3))
        new = next(name for name in candidates if name not in taken)
        kind = None if place is None else place.kind
        if isinstance(kind, Text) and kind.fits(new):
            yield from _mend(f"Rename to {_quoted(new)}", [set_value(self._document, finding.path, new)])

    def _unused(self, finding: Finding, place: Place | None, symbol: Symbol) -> Iterator[Mend]:
        """A name that nobody uses: an element that uses it is added to where the others are."""
        for container, _ in finding.related:
            listed = place_at(self._document.value, container, self._vocabulary)
            for shape in () if listed is None else inner_shapes(listed.kind):
                using = next((prop.name for prop in shape.props.values() if prop.uses is symbol), None)
                if using is None or set(shape.required) - {using}:
                    continue
                edit = append_element(self._document, container, {using: finding.got})
                is_safe = self._is_surely_unused(finding, place)
                yield from _mend(f"Add an entry for {_quoted(finding.got)}", [edit], is_safe=is_safe)

    def _is_surely_unused(self, finding: Finding, place: Place | None) -> bool:
        """Whether the name is a sound one, and no use that leads nowhere could be meant for it."""
        kind = None if place is None else place.kind
        if not isinstance(kind, Text) or not kind.fits(str(finding.got)):
            return False
        symbols = {seen.symbol for seen in self._names_at(finding.path)}
        defined = {seen.name for seen in self._names() if seen.symbol in symbols and not seen.is_use}
        return all(seen.name in defined for seen in self._names() if seen.symbol in symbols and seen.is_use)

    def _rename(self, finding: Finding, new: str) -> Iterator[Mend]:
        """Give what is defined at a path another name, there and wherever it is used."""
        here = [seen for seen in self._names_at(finding.path) if not seen.is_use]
        paths = {finding.path}
        for definition in here:
            same = [
                seen for seen in self._names()
                if seen.symbol is definition.symbol and seen.scope == definition.scope
            ]  # fmt: skip
            if any(seen.name == new and not seen.is_use for seen in same):
                return
            if sum(seen.name == finding.got and not seen.is_use for seen in same) > 1:
                return
            paths.update(seen.path for seen in same if seen.name == finding.got)
        edits = [set_value(self._document, path, new) for path in paths]
        yield from _mend(f"Rename to {_quoted(new)}", edits, is_safe=bool(here))

    # Values of another form or type ----------------------------------------------------------------------------------

    def _wrong_value(self, finding: Finding, prop: Prop) -> Iterator[Mend]:
        kind, got, path = prop.kind, finding.got, finding.path
        if isinstance(kind, Text) and isinstance(got, str):
            if prop.defines is not None:
                new = next((name for name in (got.strip(), kebab_case(got)) if kind.fits(name)), None)
                yield from self._rename(finding, new) if new is not None else ()
            else:
                new = next((text for text in _other_forms(got, prop) if kind.fits(text)), None)
                edit = None if new is None else set_value(self._document, path, new)
                yield from _mend(f"Use {_quoted(new)}", [edit], is_safe=True)
        elif got is None and not prop.required:
            yield from _mend(f"Remove {_quoted(prop.name)}", [remove_member(self._document, path)])
        elif isinstance(kind, Text) and isinstance(got, int | float):
            member = self._document.find(path)
            written = "" if member is None else self._document.text[member.start : member.end]
            if kind.fits(written):
                edit = set_value(self._document, path, written)
                yield from _mend(f"Write it as a string: {_quoted(written)}", [edit])

    # What is looked up -----------------------------------------------------------------------------------------------

    def _names(self) -> Iterator[Occurrence]:
        """Every name of the document that is defined or used."""
        if self._occurrences is None:
            self._occurrences = {}
            for seen in occurrences(self._document.value, self._vocabulary):
                self._occurrences.setdefault(seen.path, []).append(seen)
        for there in self._occurrences.values():
            yield from there

    def _names_at(self, path: Path) -> list[Occurrence]:
        next(self._names(), None)
        return (self._occurrences or {}).get(path, [])

    def _about_names(self, finding: Finding) -> tuple[Symbol | None, str]:
        """The symbol that a finding is about, and what it says of the name: ``duplicate`` or ``unused``."""
        for seen in self._names_at(finding.path) if isinstance(finding.got, str) else ():
            if not seen.is_use and finding.rule in {seen.symbol.duplicate, seen.symbol.unused}:
                return seen.symbol, "duplicate" if finding.rule == seen.symbol.duplicate else "unused"
        return None, ""

    def _defined(self, symbol: Symbol, path: Path) -> set[str]:
        """The names of a sort that are defined in the scope of the one at `path`."""
        scope = next(seen.scope for seen in self._names_at(path) if seen.symbol is symbol)
        return {
            seen.name for seen in self._names() if seen.symbol is symbol and seen.scope == scope and not seen.is_use
        }  # fmt: skip

    def _value_at(self, path: Path) -> object:
        value = self._document.value
        for step in path:
            value = value[step]  # type: ignore[index]  # findings lead through what is there
        return value


def _likely_value(prop: Prop, shape: Shape, siblings: dict[str, object]) -> tuple[object, bool]:
    """What to write where a property is absent, and whether that is sure to be right."""
    kind = prop.kind
    if isinstance(kind, OneOf) and len(kind.values) == 1:
        literals = [(name, other.kind) for name, other in shape.props.items() if isinstance(other.kind, OneOf)]
        agree = all(siblings[name] in literal.values for name, literal in literals if name in siblings)
        return kind.values[0], agree
    if isinstance(kind, ObjectOf) and not kind.shape.required:
        return {}, True
    return (ABSENT if prop.example is None else prop.example), False


def _other_forms(text: str, prop: Prop) -> Iterator[str]:
    """What a string of the wrong form may have been meant as, without another reading of it."""
    bare = text.strip()
    yield bare
    if bare.startswith("$."):
        yield bare[2:]
    mark = str(prop.example)[:1]
    first = "" if mark.isalnum() else bare.partition(mark)[0]
    # A first segment with a dot or colon is that of another address: of a host, of this very folder.
    if first.replace("-", "").replace("_", "").isalnum() and not any(letter.isspace() for letter in bare):
        yield mark + bare


def _meant(word: str, names: Iterable[str]) -> str | None:
    """The nearest name, if it has the same digits: who writes ``page-9`` does not mean ``page-1``."""
    name = nearest(word, names)
    return name if name is not None and _digits(name) == _digits(word) else None


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _quoted(name: object) -> str:
    return f'"{name}"'


def _mend(title: str, edits: Sequence[Edit | None], *, is_safe: bool = False) -> Iterator[Mend]:
    """The mend, if all of its edits could be made."""
    made = tuple(edit for edit in edits if edit is not None)
    if made and len(made) == len(edits):
        yield Mend(title, made, is_safe)
