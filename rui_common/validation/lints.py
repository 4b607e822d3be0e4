"""Doubtful values, which are valid (docs/decisions.md, section 3). The validator finds them in its walk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.validation.names import Scope
from rui_common.validation.node import Node
from rui_common.vocabulary.rules import FRAGMENT, PLACEHOLDER, REPEATED_LINK, TEMPLATE, UNNAMED_LABEL
from rui_common.vocabulary.schema import Prop, Role, Shape

_TEMPLATE = re.compile(r"\{\{|\$\{|(?<![\w$?&])\$[A-Za-z_]")
"""What marks a template in other systems: ``{{ name }}``, ``${name}``, ``$name``, but no query such as ``?$top=5``."""

_STATIC_ROLES = (Role.ENDPOINT, Role.CONTENT, Role.FIELD)
"""The roles of texts that are used as they are written."""


class Lint(NamedTuple):
    """A doubtful value.

    Attributes:
        node: the object that has it.
        step: its key.
        code: the code of the warning.
        value: what the message names.
        prop: the declaration of the property that is probably meant, or None.
    """

    node: Node
    step: str
    code: str
    value: str
    prop: Prop | None = None

    @property
    def path(self) -> Path:
        return (*self.node.path, self.step)


@cache
def text_props(shape: Shape) -> tuple[Prop, ...]:
    """Return the properties whose texts may be doubtful."""
    return tuple(prop for prop in shape.all_props if prop.placeholder or prop.role in _STATIC_ROLES)


def find_texts(node: Node, members: dict[str, object], shape: Shape, lints: list[Lint]) -> None:
    """Add the doubtful texts of an object to `lints`."""
    for prop in text_props(shape):
        text = members.get(prop.name)
        if not isinstance(text, str):
            continue
        if prop.placeholder and text == prop.placeholder:
            lints.append(Lint(node, prop.name, PLACEHOLDER, prop.name, prop))
        elif prop.role in _STATIC_ROLES:
            # Nearly all texts have neither mark, and the search takes longer than the rest.
            template = _TEMPLATE.search(text) if "$" in text or "{{" in text else None
            if template is not None:
                lints.append(Lint(node, prop.name, TEMPLATE, text[template.start() :], prop))
            elif prop.role is Role.ENDPOINT and "#" in text:
                lints.append(Lint(node, prop.name, FRAGMENT, text[text.index("#") :], prop))


def find_label(node: Node, members: dict[str, object], shape: Shape, lints: list[Lint]) -> None:
    """Add the only text of an open object in a list that has no label, as it may be meant to be the label."""
    label = _label_prop(shape)
    if label is None or label.name in members or not isinstance(node.step, int):
        return
    texts = [name for name, inner in members.items() if shape.prop(name) is None and isinstance(inner, str)]
    if len(texts) == 1:
        lints.append(Lint(node, texts[0], UNNAMED_LABEL, texts[0], label))


def lints_of_links(scopes: Iterable[Scope]) -> Iterator[Lint]:
    """Yield the further uses of names that need one."""
    for scope in scopes:
        if scope.symbol.unused is not None:
            for same in scope.used.values():
                for name in same[1:]:
                    yield Lint(name.node, name.step, REPEATED_LINK, name.text)


@cache
def _label_prop(shape: Shape) -> Prop | None:
    """Return the suggested property with the label of an object."""
    return next((prop for prop in shape.suggested.values() if prop.role is Role.LABEL), None)
