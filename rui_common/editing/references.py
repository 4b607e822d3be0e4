"""The names of one document: where each is defined and used, and what has to change to give it another.

One spelling may be of several sorts: the id of a page is that of a node, too. What an author sees is one name, so
questions about it are answered for all of its sorts together.
"""

from __future__ import annotations

import json
from weakref import WeakKeyDictionary

from rui_common.editing.edits import Edit
from rui_common.suggest import kebab_case
from rui_common.syntax.fragments import parts
from rui_common.syntax.spans import Span
from rui_common.validation.findings import ABSENT, FIRST_USED, Finding
from rui_common.vocabulary.kinds import ListKind, NodeKind, TextKind
from rui_common.vocabulary.lookup import occurrences
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.lookup import Occurrence
    from rui_common.vocabulary.schema import Symbol, Vocabulary

    Key = tuple[Symbol, Path, str]  # the sort of name, its scope, the name

_QUOTES = "\"'"


class NameRefusedError(ValueError):
    """A name cannot be given; the message says why, in the words of the rule that it would break."""


class ReferenceIndex:
    """The names of one document. `reference_index` keeps them for as long as there is the document.

    Args:
        document: the document, broken or not.
        vocabulary: what says where names stand.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._layers = dict(_layers(document, vocabulary))
        self._uses: dict[Key, list[Occurrence]] | None = None

    def all(self) -> Iterator[Occurrence]:
        """Every name that is defined or used; those of one part of the text are together."""
        return (seen for layer in self._layers.values() for there in layer.at.values() for seen in there)

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """The names of one sort."""
        return [seen for layer in self._layers.values() for seen in layer.by_symbol.get(symbol, ())]

    def _at(self, path: Path) -> list[Occurrence]:
        """The names at a path: none, one, or the same of several sorts."""
        for size in range(1, len(path)):
            if path[:size] in self._layers:
                return self._layers[path[:size]].at.get(path, [])
        return self._layers[()].at.get(path, [])

    def _with(self, key: Key) -> Iterator[Occurrence]:
        """All that are the same name."""
        return (seen for layer in self._layers.values() for seen in layer.by_key.get(key, ()))

    def path_at(self, offset: int) -> Path | None:
        """The path of the name whose value is at an offset, or None; a cursor at either end of it counts."""
        path = self._document.path_at(offset)
        if not self._at(path):
            return None
        there = self._document.span_of(path)
        return path if there is not None and there.start <= offset <= there.end else None

    def name(self, path: Path) -> str:
        """The name at a path that `path_at` or another method gave."""
        return self._at(path)[0].name

    def is_definition(self, path: Path) -> bool:
        """Whether the name at `path` is defined there."""
        return any(not seen.is_use for seen in self._at(path))

    def definitions(self, path: Path) -> list[Path]:
        """Where the name at `path` is defined, in text order: several if it stands twice, none if it leads nowhere."""
        here = self._at(path)
        wanted = [seen for seen in here if seen.is_use] or here
        return self._in_order(
            other.path for seen in wanted for other in self._with(_key(seen)) if not other.is_use
        )  # fmt: skip

    def uses(self, path: Path) -> list[Path]:
        """Where the name at `path` is used, in text order."""
        here = self._at(path)
        return self._in_order(other.path for seen in here for other in self._used().get(_key(seen), ()))

    def _used(self) -> dict[Key, list[Occurrence]]:
        """All that use a name, by the name."""
        if self._uses is None:
            self._uses = {}
            for layer in self._layers.values():
                for key, uses in layer.uses.items():
                    self._uses.setdefault(key, []).extend(uses)
        return self._uses

    def mentions(self, path: Path) -> list[Path]:
        """Wherever the name at `path` stands, defined or used, in text order; `path` is among them."""
        waiting, known = [path], {path}
        while waiting:
            for seen in self._at(waiting.pop()):
                new = {other.path for other in self._with(_key(seen))} - known
                known |= new
                waiting += new
        return self._in_order(known)

    def defined(self, symbols: Iterable[Symbol]) -> list[Path]:
        """Where names of some sorts are defined, in text order."""
        return self._in_order(seen.path for symbol in set(symbols) for seen in self.of(symbol) if not seen.is_use)

    def within(self, span: Span) -> list[Path]:
        """The names that stand in a part of the text, in text order."""
        near: dict[Path, bool] = {(): True}
        layers = (layer for path, layer in self._layers.items() if self._is_near(path, span, near))
        return self._in_order(path for layer in layers for path in layer.at if self._is_near(path, span, near))

    def _is_near(self, path: Path, span: Span, near: dict[Path, bool]) -> bool:
        """Whether something stands in a part of the text; `near` is what is known of what is around it."""
        known = near.get(path)
        if known is None:
            there = self._document.span_of(path) if self._is_near(path[:-1], span, near) else None
            known = near[path] = there is not None and there.start <= span.end and there.end >= span.start
        return known

    def span(self, path: Path) -> Span:
        """The name in the text, without quotes."""
        there = self._document.span_of(path)
        if there is None:
            return Span(0, 0)
        start, end = there
        quote = self._document.text[start : start + 1]
        if quote not in _QUOTES or not quote:
            return there
        is_closed = end - start > 1 and self._document.text[end - 1] == quote
        return Span(start + 1, end - 1 if is_closed else end)

    # Renaming --------------------------------------------------------------------------------------------------------

    def rename(self, path: Path, new: str) -> list[Edit]:
        """Give the name at `path` another spelling, there and wherever that very name stands.

        Where a name is defined twice, what uses it belongs to the first definition: so a rename of a later one
        parts the two.

        Args:
            path: where the name stands, as `path_at` gave it.
            new: the new spelling.

        Raises:
            NameRefusedError: it is malformed, or taken by another definition.
        """
        definition = path if self.is_definition(path) else next(iter(self.definitions(path)), None)
        if new == self.name(path):
            return []
        self._check_form(definition or path, new)
        if definition is None:
            return [self._spelt(use, new) for use in self.uses(path)]
        self._check_free(definition, new)
        changed = {definition}
        for seen in self._at(definition):
            if not seen.is_use and self._first(_key(seen)) == definition:
                changed.update(other.path for other in self._with(_key(seen)) if other.is_use)
        return [self._spelt(there, new) for there in self._in_order(changed)]

    def _check_form(self, path: Path, new: str) -> None:
        for seen in self._at(path):
            kinds = list(_kinds_of(seen.symbol, self._vocabulary))
            if kinds and not any(kind.fits(new) for kind in kinds):
                example = kebab_case(new)
                fits = example and any(kind.fits(example) for kind in kinds)
                finding = Finding(
                    path, kinds[0].rule, got=new, expected=kinds[0].form, example=example if fits else ABSENT
                )  # fmt: skip
                raise NameRefusedError(f"{finding.message()} {finding.hint()}")
        if not new:  # Of some names that is valid, but nobody means it.
            raise NameRefusedError("The new name is empty: give it at least one character.")

    def _check_free(self, definition: Path, new: str) -> None:
        for seen in self._at(definition):
            taken = self._first((seen.symbol, seen.scope, new))
            if taken is not None and seen.symbol.duplicate is not None and not seen.is_use:
                finding = Finding(definition, seen.symbol.duplicate, got=new, related=((taken, FIRST_USED),))
                if new in finding.message():
                    raise NameRefusedError(f"{finding.message()} {finding.hint()}")
                line = self._document.text.count("\n", 0, self.span(taken).start) + 1
                raise NameRefusedError(f'"{new}" is taken already, in line {line}: give a name that is still free.')

    def _first(self, key: Key) -> Path | None:
        """The first definition of a name, in text order."""
        found = self._in_order(seen.path for seen in self._with(key) if not seen.is_use)
        return found[0] if found else None

    def _spelt(self, path: Path, new: str) -> Edit:
        span = self.span(path)
        written = json.dumps(new, ensure_ascii=False)
        is_bare = self._document.text[span.start - 1 : span.start] not in tuple(_QUOTES)
        return Edit(span, written if is_bare else written[1:-1])

    def _in_order(self, paths: Iterable[Path]) -> list[Path]:
        found = set(paths)
        return sorted(found, key=self.span) if len(found) > 1 else list(found)


_known: WeakKeyDictionary[Document, ReferenceIndex] = WeakKeyDictionary()


def reference_index(document: Document, vocabulary: Vocabulary = VOCABULARY) -> ReferenceIndex:
    """The names of a document, looked for once as long as there is the document.

    Of one that is put together from parts, what was found in a part is kept as long as there is that part: so after an
    edit only the part that was edited is gone through.
    """
    if vocabulary is not VOCABULARY:
        return ReferenceIndex(document, vocabulary)
    names = _known.get(document)
    if names is None:
        names = _known[document] = ReferenceIndex(document)
    return names


class _Layer:
    """The names of one part of a text that is read by itself, or of what is around such parts.

    Attributes:
        at: by path.
        by_key: by what makes them the same name.
        by_symbol: by sort.
        uses: those that use a name, by what makes them the same.
    """

    __slots__ = ("at", "by_key", "by_symbol", "uses")

    def __init__(self, found: Iterable[Occurrence]) -> None:
        self.at: dict[Path, list[Occurrence]] = {}
        self.by_key: dict[Key, list[Occurrence]] = {}
        self.by_symbol: dict[Symbol, list[Occurrence]] = {}
        self.uses: dict[Key, list[Occurrence]] = {}
        for seen in found:
            self.at.setdefault(seen.path, []).append(seen)
            self.by_key.setdefault(_key(seen), []).append(seen)
            self.by_symbol.setdefault(seen.symbol, []).append(seen)
            if seen.is_use:
                self.uses.setdefault(_key(seen), []).append(seen)


_in_piece: WeakKeyDictionary[Document, tuple[Vocabulary, Path, _Layer]] = WeakKeyDictionary()
"""What there is in a part of a text that is read by itself; the next text may have the same part."""


def _layers(document: Document, vocabulary: Vocabulary) -> Iterator[tuple[Path, _Layer]]:
    """What is around the parts that are read by themselves, and these: each with its path."""
    for path, piece, value in parts(document):
        known = None if piece is None else _in_piece.get(piece)
        if known is None or known[:2] != (vocabulary, path):
            found = occurrences(value if piece is None else document.value, vocabulary, below=path)
            known = vocabulary, path, _Layer(found)
            if piece is not None:
                _in_piece[piece] = known
        yield path, known[2]


def _key(seen: Occurrence) -> Key:
    return (seen.symbol, seen.scope, seen.name)


def _kinds_of(symbol: Symbol, vocabulary: Vocabulary) -> Iterator[TextKind]:
    """What a value may be that defines a name of this sort."""
    for shape in vocabulary.shapes.values():
        for prop in shape.props.values():
            if prop.defines is symbol and isinstance(prop.kind, TextKind):
                yield prop.kind
            items = prop.kind.items if isinstance(prop.kind, ListKind) else prop.kind
            if isinstance(items, NodeKind) and items.defines is symbol:
                ids = (inner.props["id"].kind for inner in items.shapes)
                yield from (kind for kind in ids if isinstance(kind, TextKind))
