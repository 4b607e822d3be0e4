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


def lints_in(value: object, text: str, names: NameTable, vocabulary: Vocabulary) -> list[Lint]:
    """Return the doubtful values of a document with this text and these names."""
    search = _Search(vocabulary, may_have_text=any(mark in text for mark in _marks(vocabulary)))
    search.value(value, ObjectKind(vocabulary.root), ())
    for scope, in_scope in names.scopes.items():
        if scope.symbol.unused is not None:
            for same in in_scope.used.values():
                search.found += [Lint(name.path, REPEATED_LINK, name.name) for name in same[1:]]
    return search.found


@cache
def _marks(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return texts of which every document with a doubtful text has one. It may be escaped in JSON."""
    props = [prop for shape in vocabulary.shapes.values() for prop in shape.props.values()]
    return ("{{", "$", "#", "\\u", *{prop.placeholder for prop in props if prop.placeholder})


@cache
def _has_labelled_lists(kind: Kind) -> bool:
    """Return whether a value of a kind contains lists of open objects that have labels by convention."""
    if isinstance(kind, ListKind) and isinstance(kind.items, ObjectKind) and _label(kind.items.shape) is not None:
        return True
    props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return any(_has_labelled_lists(prop.kind) for prop in props)


def _label(shape: Shape) -> Prop | None:
    """Return the label that objects of an open shape have by convention, or None."""
    return next((prop for prop in shape.suggested.values() if prop.role == LABEL), None)


class _Search:
    """Searches the values of a document.

    Args:
        vocabulary: the vocabulary of the document.
        may_have_text: whether texts are searched, too.

    Attributes:
        found: the doubtful values.
    """

    def __init__(self, vocabulary: Vocabulary, *, may_have_text: bool) -> None:
        self.found: list[Lint] = []
        self._vocabulary = vocabulary
        self._may_have_text = may_have_text

    def value(self, value: object, kind: Kind, path: Path) -> None:
        """Search a value of a kind."""
        if isinstance(value, list) and isinstance(kind, ListKind):
            label = _label(kind.items.shape) if isinstance(kind.items, ObjectKind) else None
            enters = self._may_have_text or _has_labelled_lists(kind.items)
            for index, element in enumerate(value):
                if enters:
                    self.value(element, kind.items, (*path, index))
                if label is not None and isinstance(element, dict) and label.name not in element:
                    self._unnamed_label(element, kind.items.inner_shapes[0], label, (*path, index))
        elif isinstance(value, dict):
            shape = shape_of(value, kind, self._vocabulary)
            if shape is not None:
                self._object(value, shape, path)

    def _object(self, value: dict[str, object], shape: Shape, path: Path) -> None:
        for name, inner in value.items():
            prop = shape.prop(name)
            if prop is None:
                continue
            if not isinstance(inner, str):
                if self._may_have_text or _has_labelled_lists(prop.kind):
                    self.value(inner, prop.kind, (*path, name))
            elif self._may_have_text:
                self._text(inner, prop, (*path, name))

    def _text(self, text: str, prop: Prop, path: Path) -> None:
        if prop.placeholder and text == prop.placeholder:
            self.found.append(Lint(path, PLACEHOLDER, prop.name, prop))
        elif prop.role in _STATIC_ROLES:
            template = _TEMPLATE.search(text)
            if template is not None:
                self.found.append(Lint(path, TEMPLATE, text[template.start() :], prop))
            elif prop.role == ENDPOINT and "#" in text:
                self.found.append(Lint(path, FRAGMENT, text[text.index("#") :], prop))

    def _unnamed_label(self, value: dict[str, object], shape: Shape, label: Prop, path: Path) -> None:
        """Add the only text of an open object that has no label, as it may be meant to be the label."""
        texts = [name for name, inner in value.items() if shape.prop(name) is None and isinstance(inner, str)]
        if len(texts) == 1:
            self.found.append(Lint((*path, texts[0]), UNNAMED_LABEL, texts[0], label))
