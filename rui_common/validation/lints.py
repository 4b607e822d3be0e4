"""Doubtful values of valid documents, of which the editor and the command line warn (docs/decisions.md, section 3)."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.validation.names import NameTable
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rules import FRAGMENT, PLACEHOLDER, REPEATED_LINK, TEMPLATE, UNNAMED_LABEL
from rui_common.vocabulary.schema import CONTENT, ENDPOINT, FIELD, LABEL, Kind, Prop, Shape, Vocabulary

_TEMPLATE = re.compile(r"\{\{|\$\{|(?<![\w$?&])\$[A-Za-z_]")
"""What marks a template in other systems: ``{{ name }}``, ``${name}``, ``$name``, but no query such as ``?$top=5``."""

_STATIC_ROLES = (ENDPOINT, CONTENT, FIELD)
"""The roles of texts that are used as they are written."""


class Lint(NamedTuple):
    """A doubtful value.

    Attributes:
        path: its path.
        code: the code of the warning.
        value: what the message names.
        prop: the declaration of the property that is probably meant, or None.
    """

    path: Path
    code: str
    value: str
    prop: Prop | None = None


def lints_in(value: object, names: NameTable, vocabulary: Vocabulary) -> list[Lint]:
    """Return the doubtful values of a document with these names."""
    search = _Search(vocabulary)
    search.value(value, ObjectKind(vocabulary.root), ())
    for scope, in_scope in names.scopes.items():
        if scope.symbol.unused is not None:
            for same in in_scope.used.values():
                search.found += [Lint(name.path, REPEATED_LINK, name.name) for name in same[1:]]
    return search.found


@cache
def _searched_props(shape: Shape) -> tuple[Prop, ...]:
    """Return the properties whose values may be doubtful, or contain such values."""
    return tuple(
        prop for prop in shape.all_props if prop.placeholder or prop.role in _STATIC_ROLES or not prop.is_scalar
    )


class _Search:
    """Searches the values of a document; `found` are the doubtful ones."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.found: list[Lint] = []
        self._vocabulary = vocabulary

    def value(self, value: object, kind: Kind, path: Path) -> None:
        """Search a value of a kind."""
        if isinstance(value, list) and isinstance(kind, ListKind):
            for index, element in enumerate(value):
                self.value(element, kind.items, (*path, index))
                if isinstance(kind.items, ObjectKind) and isinstance(element, dict):
                    self._unnamed_label(element, kind.items.shape, (*path, index))
        elif isinstance(value, dict):
            shape = shape_of(value, kind, self._vocabulary)
            if shape is not None:
                self._object(value, shape, path)

    def _object(self, value: dict[str, object], shape: Shape, path: Path) -> None:
        for prop in _searched_props(shape):
            inner = value.get(prop.name)
            if isinstance(inner, str):
                self._text(inner, prop, path)
            elif inner is not None:
                self.value(inner, prop.kind, (*path, prop.name))

    def _text(self, text: str, prop: Prop, path: Path) -> None:
        if prop.placeholder and text == prop.placeholder:
            self._add(path, PLACEHOLDER, prop.name, prop)
        elif prop.role in _STATIC_ROLES:
            template = _TEMPLATE.search(text)
            if template is not None:
                self._add(path, TEMPLATE, text[template.start() :], prop)
            elif prop.role == ENDPOINT and "#" in text:
                self._add(path, FRAGMENT, text[text.index("#") :], prop)

    def _add(self, path: Path, code: str, value: str, prop: Prop) -> None:
        self.found.append(Lint((*path, prop.name), code, value, prop))

    def _unnamed_label(self, value: dict[str, object], shape: Shape, path: Path) -> None:
        """Add the only text of an open object that has no label, as it may be meant to be the label."""
        label = next((prop for prop in shape.suggested.values() if prop.role == LABEL), None)
        if label is None or label.name in value:
            return
        texts = [name for name, inner in value.items() if shape.prop(name) is None and isinstance(inner, str)]
        if len(texts) == 1:
            self.found.append(Lint((*path, texts[0]), UNNAMED_LABEL, texts[0], label))
