"""The names of a document: definitions, uses, and renaming.

One spelling may belong to several symbols: the id of a page is the id of a node, too. For an author it is one name, so
`references` covers all of its symbols. `definitions` follows the symbols of its path only.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice, takewhile

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.findings import FIRST_USED, Finding
from rui_common.validation.names import Name, NameTable, Scope
from rui_common.validation.validator import names_of
from rui_common.validation.wording import hint_of, message_of
from rui_common.vocabulary.lookup import shape_at
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop, Symbol, Vocabulary

_QUOTES = ('"', "'")


class NameRefusedError(ValueError):
    """A rename is not possible. The message gives the reason in the words of the rule that the name would break."""


class ReferenceIndex:
    """The definitions and uses of the names of one document. They are collected on first use.

    Attributes:
        document: the document.
        vocabulary: its vocabulary.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self._undefined: dict[Scope, bool] = {}
        self._first_definitions: dict[tuple[Scope, str], Path | None] = {}

    @cached_property
    def _table(self) -> NameTable:
        return names_of(self.document.value, self.vocabulary)

    @cached_property
    def _in_order(self) -> list[Name]:
        return sorted(self._table, key=_path_of)

    @cached_property
    def _by_path(self) -> dict[Path, list[Name]]:
        names: dict[Path, list[Name]] = {}
        for name in self._table:
            names.setdefault(name.path, []).append(name)
        return names

    def at(self, path: Path) -> list[Name]:
        """Return the names at a path: several if the name belongs to several symbols."""
        return self._by_path.get(path, [])

    def below(self, path: Path) -> list[Name]:
        """Return the names at a path or below it."""
        names = self._in_order
        first = bisect_left(names, path, key=_path_of)
        return [*takewhile(lambda name: name.path[: len(path)] == path, islice(names, first, None))]

    def same(self, name: Name) -> Iterator[Name]:
        """Yield all definitions and uses of a name, itself included."""
        yield from self.defined(name.scope, name.name)
        yield from self._table.within(name.scope).used.get(name.name, ())

    def defined(self, scope: Scope, name: str) -> list[Name]:
        """Return the definitions of a name in a scope in document order."""
        return self._table.within(scope).defined.get(name, [])

    def has_undefined(self, scope: Scope) -> bool:
        """Return whether a scope has a use without a definition."""
        if scope not in self._undefined:  # a finding may ask for each of 100,000 names
            names = self._table.within(scope)
            self._undefined[scope] = not names.used.keys() <= names.defined.keys()
        return self._undefined[scope]

    def scope_of(self, symbol: Symbol, path: Path) -> Scope:
        """Return the scope of a symbol at a path: the innermost object around it that is one, else the document."""
        if any(symbol in shape.scope for shape in self.vocabulary.shapes.values()):
            for length in range(len(path), 0, -1):
                shape = shape_at(self.document.value, path[:length], self.vocabulary)
                if shape is not None and symbol in shape.scope:
                    return Scope(symbol, path[:length])
        return Scope(symbol, ())

    def defined_names(self, scope: Scope) -> list[str]:
        """Return the distinct names that are defined in a scope."""
        return [*self._table.within(scope).defined]

    def used_names(self, scope: Scope) -> list[str]:
        """Return the distinct names that are used in a scope."""
        return [*self._table.within(scope).used]

    def path_at(self, offset: int) -> Path | None:
        """Return the path of the name at an offset, or None. Its quotes and the offset after them belong to it."""
        path = self.document.path_at(offset)
        span = self.document.span_of(path)
        if not self.at(path) or span is None or not span.start <= offset <= span.end:
            return None
        return path

    def name(self, path: Path) -> str:
        """Return the name at a path that this class returned."""
        return self.at(path)[0].name

    def is_definition(self, path: Path) -> bool:
        """Return whether the name at `path` is defined there."""
        return any(not name.is_use for name in self.at(path))

    def definitions(self, path: Path) -> list[Path]:
        """Return all definitions of the name at `path` in text order: several for a duplicate, none if undefined.

        At a use, only definitions of its own symbol count: a `pageId` has the ids of pages, not of other nodes.
        """
        here = self.at(path)
        uses = [name for name in here if name.is_use]
        return self._in_text_order(other.path for name in uses or here for other in self.same(name) if not other.is_use)

    def references(self, path: Path) -> list[Path]:
        """Return all definitions and uses of the name at `path`, including `path`, in text order.

        A path that belongs to several symbols connects their names.
        """
        pending = [path]
        paths = {path}
        while pending:
            for name in self.at(pending.pop()):
                new_paths = {other.path for other in self.same(name)} - paths
                paths |= new_paths
                pending += new_paths
        return self._in_text_order(paths)

    def span(self, path: Path) -> Span:
        """Return the range of the name at a path, without quotes. It may contain escapes, unlike `name`."""
        value = self.document.span_of(path)
        if value is None:
            return Span(0, 0)
        start, end = value
        text = self.document.text
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
            return [self._replacement(same, new) for same in self.references(path)]
        self._check_free(definition, new)
        paths = {definition}
        for name in self.at(definition):
            if not name.is_use and self._first_definition(name.scope, name.name) == definition:
                paths.update(other.path for other in self.same(name) if other.is_use)
        return [self._replacement(path, new) for path in self._in_text_order(paths)]

    def _check_form(self, path: Path, new: str) -> None:
        for name in self.at(path):
            props = _defining_props(name.symbol, self.vocabulary)
            violation = props[0].kind.violation(new) if props else None
            if violation is not None and not any(prop.kind.accepts(new) for prop in props):
                finding = Finding(
                    path, violation.rule,
                    got=new, expected=violation.expected, prop=props[0], kind=props[0].kind,
                )  # fmt: skip
                raise NameRefusedError(f"{message_of(finding)} {hint_of(finding)}")
        if not new:  # It is valid for some names, but never intended.
            raise NameRefusedError("The new name is empty: give it at least one character.")

    def _check_free(self, definition: Path, new: str) -> None:
        for name in self.at(definition):
            existing = self._first_definition(name.scope, new)
            if existing is None or name.symbol.duplicate is None or name.is_use:
                continue
            finding = Finding(definition, name.symbol.duplicate, got=new, related=((existing, FIRST_USED),))
            message = message_of(finding)
            if new in message:
                raise NameRefusedError(f"{message} {hint_of(finding)}")
            line = self.document.text.count("\n", 0, self.span(existing).start) + 1
            raise NameRefusedError(f'"{new}" is defined already, in line {line}: choose another name.')

    def _first_definition(self, scope: Scope, name: str) -> Path | None:
        key = (scope, name)
        if key not in self._first_definitions:  # a text may define one name thousands of times
            paths = (one.path for one in self.defined(scope, name))
            self._first_definitions[key] = min(paths, key=self.span, default=None)
        return self._first_definitions[key]

    def _replacement(self, path: Path, new: str) -> Edit:
        span = self.span(path)
        text = json.dumps(new, ensure_ascii=False)
        if self.document.text[span.start - 1 : span.start] in _QUOTES:
            text = text[1:-1]
        return Edit(span, text)

    def _in_text_order(self, paths: Iterable[Path]) -> list[Path]:
        return sorted(set(paths), key=self.span)


def _path_of(name: Name) -> Path:
    # Paths below one container have names only, or indices only, at the same step: they can be compared.
    return name.path


def _defining_props(symbol: Symbol, vocabulary: Vocabulary) -> list[Prop]:
    """Return the properties that define names of a symbol."""
    props: list[Prop] = []
    for shape in vocabulary.shapes.values():
        for prop in shape.props.values():
            if prop.defines is symbol:
                props.append(prop)
            if prop.kind.defines is symbol:
                props += [inner.props["id"] for inner in prop.kind.inner_shapes]
    return props
