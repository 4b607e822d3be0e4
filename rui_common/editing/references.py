"""The names of a document: definitions, uses, and renaming.

One spelling may belong to several symbols: the id of a page is the id of a node, too. For an author it is one name, so
`uses` and `references` cover all of its symbols. `definitions` follows the symbols of its path only.
"""

from __future__ import annotations

import json

from rui_common.editing.edits import Edit
from rui_common.suggest import kebab_case
from rui_common.syntax.spans import Span
from rui_common.validation.findings import Finding
from rui_common.validation.model import ABSENT, FIRST_USED
from rui_common.vocabulary.lookup import occurrences
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.weak_cache import weak_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.lookup import Occurrence
    from rui_common.vocabulary.schema import Kind, Symbol, Vocabulary

    Key = tuple[Symbol, Path, str]  # symbol, scope, name: equal for occurrences of the same name

_QUOTES = ('"', "'")


class NameRefusedError(ValueError):
    """A rename is not possible. The message gives the reason in the words of the rule that the name would break."""


class ReferenceIndex:
    """The names of one document. `reference_index` returns a cached one."""

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._fragments = {
            path: _fragment_names(document, path, fragment, value, vocabulary)
            for path, fragment, value in document.value_fragments()
        }
        self._uses: dict[Key, list[Occurrence]] | None = None

    def occurrences_of(self, symbol: Symbol) -> list[Occurrence]:
        """The names of one symbol."""
        return [one for fragment in self._fragments.values() for one in fragment.by_symbol.get(symbol, ())]

    def _occurrences_at(self, path: Path) -> list[Occurrence]:
        """The occurrences at a path: several if the name belongs to several symbols."""
        for size in range(1, len(path)):
            if path[:size] in self._fragments:
                return self._fragments[path[:size]].by_path.get(path, [])
        return self._fragments[()].by_path.get(path, [])

    def _occurrences_with(self, key: Key) -> Iterator[Occurrence]:
        """All occurrences of a name."""
        return (one for fragment in self._fragments.values() for one in fragment.by_key.get(key, ()))

    def path_at(self, offset: int) -> Path | None:
        """The path of the name at an offset, or None. The name includes its quotes and the offset after them."""
        path = self._document.path_at(offset)
        span = self._document.span_of(path)
        if not self._occurrences_at(path) or span is None or not span.start <= offset <= span.end:
            return None
        return path

    def name(self, path: Path) -> str:
        """The name at a path that this class returned."""
        return self._occurrences_at(path)[0].name

    def is_definition(self, path: Path) -> bool:
        """Whether the name at `path` is defined there."""
        return any(not one.is_use for one in self._occurrences_at(path))

    def definitions(self, path: Path) -> list[Path]:
        """All definitions of the name at `path` in text order; several for a duplicate, none for a dangling name.

        At a use, only definitions of its own symbol count: a `pageId` has the ids of pages, not of other nodes.
        """
        here = self._occurrences_at(path)
        uses = [one for one in here if one.is_use]
        return self._in_text_order(
            other.path for one in uses or here for other in self._occurrences_with(_key(one)) if not other.is_use
        )

    def uses(self, path: Path) -> list[Path]:
        """All uses of the name at `path` in text order. All definitions of a duplicate name have the same uses."""
        if self._uses is None:
            self._uses = {}
            for fragment in self._fragments.values():
                for key, uses in fragment.uses.items():
                    self._uses.setdefault(key, []).extend(uses)
        by_key = self._uses
        return self._in_text_order(
            other.path for one in self._occurrences_at(path) for other in by_key.get(_key(one), ())
        )

    def references(self, path: Path) -> list[Path]:
        """All definitions and uses of the name at `path`, including `path`, in text order.

        A path that belongs to several symbols connects their names.
        """
        pending = [path]
        paths = {path}
        while pending:
            for one in self._occurrences_at(pending.pop()):
                new_paths = {other.path for other in self._occurrences_with(_key(one))} - paths
                paths |= new_paths
                pending += new_paths
        return self._in_text_order(paths)

    def definitions_of(self, symbols: Iterable[Symbol]) -> list[Path]:
        """All definitions of names of these symbols, in text order."""
        return self._in_text_order(
            one.path for symbol in set(symbols) for one in self.occurrences_of(symbol) if not one.is_use
        )

    def paths_in(self, span: Span) -> list[Path]:
        """The names in a range of the text, in text order."""
        overlaps: dict[Path, bool] = {(): True}
        fragments = [names for path, names in self._fragments.items() if self._overlaps(path, span, overlaps)]
        return self._in_text_order(
            path for names in fragments for path in names.by_path if self._overlaps(path, span, overlaps)
        )

    def _overlaps(self, path: Path, span: Span, cache: dict[Path, bool]) -> bool:
        if path not in cache:
            value = self._document.span_of(path) if self._overlaps(path[:-1], span, cache) else None
            cache[path] = value is not None and value.start <= span.end and value.end >= span.start
        return cache[path]

    def span(self, path: Path) -> Span:
        """The range of the name at a path, without quotes. The text in it may contain escapes, unlike `name`."""
        value = self._document.span_of(path)
        if value is None:
            return Span(0, 0)
        start, end = value
        text = self._document.text
        quote = text[start : start + 1]
        if quote not in _QUOTES:
            return value
        if end - start > 1 and text[end - 1] == quote:
            end -= 1
        return Span(start + 1, end)

    def rename(self, path: Path, new: str) -> list[Edit]:
        """Rename the name at `path` where it is defined and used.

        The uses of a duplicate name belong to its first definition, so they keep their name if a later one is renamed.

        Raises:
            NameRefusedError: the new name is malformed, or is defined already.
        """
        definition: Path | None = path
        if not self.is_definition(path):
            definition = next(iter(self.definitions(path)), None)
        if new == self.name(path):
            return []
        self._check_form(definition or path, new)
        if definition is None:
            return [self._replacement(use, new) for use in self.uses(path)]
        self._check_free(definition, new)
        paths = {definition}
        for one in self._occurrences_at(definition):
            if not one.is_use and self._first_definition(_key(one)) == definition:
                paths.update(other.path for other in self._occurrences_with(_key(one)) if other.is_use)
        return [self._replacement(path, new) for path in self._in_text_order(paths)]

    def _check_form(self, path: Path, new: str) -> None:
        for one in self._occurrences_at(path):
            kinds = _defining_kinds(one.symbol, self._vocabulary)
            violation = kinds[0].violation(new) if kinds else None
            if violation is not None and not any(kind.accepts(new) for kind in kinds):
                example: object = kebab_case(new)
                if not example or not any(kind.accepts(example) for kind in kinds):
                    example = ABSENT
                finding = Finding(path, violation.rule, got=new, expected=violation.expected, example=example)
                raise NameRefusedError(f"{finding.message()} {finding.hint()}")
        if not new:  # It is valid for some names, but never intended.
            raise NameRefusedError("The new name is empty: give it at least one character.")

    def _check_free(self, definition: Path, new: str) -> None:
        for one in self._occurrences_at(definition):
            existing = self._first_definition((one.symbol, one.scope, new))
            if existing is None or one.symbol.duplicate is None or one.is_use:
                continue
            finding = Finding(definition, one.symbol.duplicate, got=new, related=((existing, FIRST_USED),))
            if new in finding.message():
                raise NameRefusedError(f"{finding.message()} {finding.hint()}")
            line = self._document.text.count("\n", 0, self.span(existing).start) + 1
            raise NameRefusedError(f'"{new}" is defined already, in line {line}: choose another name.')

    def _first_definition(self, key: Key) -> Path | None:
        return min((one.path for one in self._occurrences_with(key) if not one.is_use), key=self.span, default=None)

    def _replacement(self, path: Path, new: str) -> Edit:
        span = self.span(path)
        text = json.dumps(new, ensure_ascii=False)
        if self._document.text[span.start - 1 : span.start] in _QUOTES:
            text = text[1:-1]
        return Edit(span, text)

    def _in_text_order(self, paths: Iterable[Path]) -> list[Path]:
        return sorted(set(paths), key=self.span)


def reference_index(document: Document, vocabulary: Vocabulary = VOCABULARY) -> ReferenceIndex:
    """The names of a document, cached per document, and per fragment of one that was edited."""
    if vocabulary is not VOCABULARY:
        return ReferenceIndex(document, vocabulary)
    return _cached_index(document)


@weak_cache
def _cached_index(document: Document) -> ReferenceIndex:
    return ReferenceIndex(document)


class _FragmentNames:
    """The names in one fragment of a document, or in the rest of it.

    Attributes:
        by_path: occurrences by path.
        by_key: occurrences by name.
        by_symbol: occurrences by symbol.
        uses: uses by name.
    """

    __slots__ = ("by_key", "by_path", "by_symbol", "uses")

    def __init__(self, names: Iterable[Occurrence]) -> None:
        self.by_path: dict[Path, list[Occurrence]] = {}
        self.by_key: dict[Key, list[Occurrence]] = {}
        self.by_symbol: dict[Symbol, list[Occurrence]] = {}
        self.uses: dict[Key, list[Occurrence]] = {}
        for one in names:
            self.by_path.setdefault(one.path, []).append(one)
            self.by_key.setdefault(_key(one), []).append(one)
            self.by_symbol.setdefault(one.symbol, []).append(one)
            if one.is_use:
                self.uses.setdefault(_key(one), []).append(one)


def _fragment_names(
    document: Document, path: Path, fragment: Document | None, value: object, vocabulary: Vocabulary
) -> _FragmentNames:
    """The names below `path`, from the cache if the fragment was at the same path in an earlier text."""
    if fragment is None:
        return _FragmentNames(occurrences(value, vocabulary, below=path))
    cache = _latest_names(fragment)
    if (vocabulary, path) not in cache:
        cache.clear()
        cache[vocabulary, path] = _FragmentNames(occurrences(document.value, vocabulary, below=path))
    return cache[vocabulary, path]


@weak_cache
def _latest_names(fragment: Document) -> dict[tuple[Vocabulary, Path], _FragmentNames]:  # noqa: ARG001  it is the key
    """The names of a fragment at the path that it had last."""
    return {}


def _key(one: Occurrence) -> Key:
    return (one.symbol, one.scope, one.name)


def _defining_kinds(symbol: Symbol, vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of the properties that define names of a symbol."""
    kinds: list[Kind] = []
    for shape in vocabulary.shapes.values():
        for prop in shape.props.values():
            if prop.defines is symbol:
                kinds.append(prop.kind)
            if prop.kind.defines is symbol:
                kinds += [inner.props["id"].kind for inner in prop.kind.inner_shapes]
    return kinds
