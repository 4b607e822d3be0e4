"""The names of a document: definitions, uses, and renaming.

One spelling may belong to several symbols: the id of a page is the id of a node, too. For an author it is one name, so
`uses` and `references` cover all of its symbols. `definitions` follows the symbols of its path only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from rui_common.editing.edits import Edit
from rui_common.editing.generate import NamesInUse
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Span
from rui_common.validation.findings import FIRST_USED, Finding
from rui_common.validation.names import Scope
from rui_common.validation.wording import hint_of, message_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop, Symbol, Vocabulary

_QUOTES = ('"', "'")


class NameRefusedError(ValueError):
    """A rename is not possible. The message gives the reason in the words of the rule that the name would break."""


class ReferenceIndex:
    """The definitions and uses of the names of one document.

    Attributes:
        names: the names.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._first_definitions: dict[tuple[Scope, str], Path | None] = {}
        self.names = NamesInUse(document, vocabulary)

    def path_at(self, offset: int) -> Path | None:
        """Return the path of the name at an offset, or None. Its quotes and the offset after them belong to it."""
        path = self._document.path_at(offset)
        span = self._document.span_of(path)
        if not self.names.at(path) or span is None or not span.start <= offset <= span.end:
            return None
        return path

    def name(self, path: Path) -> str:
        """Return the name at a path that this class returned."""
        return self.names.at(path)[0].name

    def is_definition(self, path: Path) -> bool:
        """Return whether the name at `path` is defined there."""
        return any(not name.is_use for name in self.names.at(path))

    def definitions(self, path: Path) -> list[Path]:
        """Return all definitions of the name at `path` in text order: several for a duplicate, none if undefined.

        At a use, only definitions of its own symbol count: a `pageId` has the ids of pages, not of other nodes.
        """
        here = self.names.at(path)
        uses = [name for name in here if name.is_use]
        return self._in_text_order(
            other.path for name in uses or here for other in self.names.same(name) if not other.is_use
        )

    def uses(self, path: Path) -> list[Path]:
        """Return all uses of the name at `path` in text order. All definitions of a duplicate have the same uses."""
        return self._in_text_order(
            other.path for name in self.names.at(path) for other in self.names.same(name) if other.is_use
        )

    def references(self, path: Path) -> list[Path]:
        """Return all definitions and uses of the name at `path`, including `path`, in text order.

        A path that belongs to several symbols connects their names.
        """
        pending = [path]
        paths = {path}
        while pending:
            for name in self.names.at(pending.pop()):
                new_paths = {other.path for other in self.names.same(name)} - paths
                paths |= new_paths
                pending += new_paths
        return self._in_text_order(paths)

    def span(self, path: Path) -> Span:
        """Return the range of the name at a path, without quotes. It may contain escapes, unlike `name`."""
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
        for name in self.names.at(definition):
            if not name.is_use and self._first_definition(name.scope, name.name) == definition:
                paths.update(other.path for other in self.names.same(name) if other.is_use)
        return [self._replacement(path, new) for path in self._in_text_order(paths)]

    def _check_form(self, path: Path, new: str) -> None:
        for name in self.names.at(path):
            props = defining_props(name.symbol, self._vocabulary)
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
        for name in self.names.at(definition):
            existing = self._first_definition(name.scope, new)
            if existing is None or name.symbol.duplicate is None or name.is_use:
                continue
            finding = Finding(definition, name.symbol.duplicate, got=new, related=((existing, FIRST_USED),))
            message = message_of(finding)
            if new in message:
                raise NameRefusedError(f"{message} {hint_of(finding)}")
            line = self._document.text.count("\n", 0, self.span(existing).start) + 1
            raise NameRefusedError(f'"{new}" is defined already, in line {line}: choose another name.')

    def _first_definition(self, scope: Scope, name: str) -> Path | None:
        key = (scope, name)
        if key not in self._first_definitions:  # a text may define one name thousands of times
            paths = (one.path for one in self.names.definitions(scope, name))
            self._first_definitions[key] = min(paths, key=self.span, default=None)
        return self._first_definitions[key]

    def _replacement(self, path: Path, new: str) -> Edit:
        span = self.span(path)
        text = json.dumps(new, ensure_ascii=False)
        if self._document.text[span.start - 1 : span.start] in _QUOTES:
            text = text[1:-1]
        return Edit(span, text)

    def _in_text_order(self, paths: Iterable[Path]) -> list[Path]:
        return sorted(set(paths), key=self.span)


def defining_props(symbol: Symbol, vocabulary: Vocabulary) -> list[Prop]:
    """Return the properties that define names of a symbol."""
    props: list[Prop] = []
    for shape in vocabulary.shapes.values():
        for prop in shape.props.values():
            if prop.defines is symbol:
                props.append(prop)
            if prop.kind.defines is symbol:
                props += [inner.props["id"] for inner in prop.kind.inner_shapes]
    return props
