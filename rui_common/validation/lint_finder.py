"""Finds the doubtful values of one document, which are valid (docs/decisions.md, section 3)."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from rui_common.json_values import JsonObject
from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.problems.finding import Lint
from rui_common.problems.further import FurtherProperties, NotShown
from rui_common.problems.lints import TEXT_LINTS
from rui_common.problems.names import RepeatedLink
from rui_common.problems.suggested import NoOptionValue, option_prop, unused_elements, unused_values
from rui_common.problems.texts import LostCharacter, Placeholder, TextLint, is_plain
from rui_common.vocabulary.schema import Kind, Prop, Shape

MAX_OF_OPEN_OBJECTS = 1_000  # lints of a document from which no more are searched in open objects; bounds the time


class _Text(NamedTuple):
    """A property whose texts may have lints."""

    name: str
    prop: Prop
    is_plain: Callable[[str], object]  # what matches texts that have none of the `lints`
    lints: tuple[type[TextLint], ...]  # the lints besides `Placeholder`


@cache
def _texts(shape: Shape, may_have_lost_characters: bool) -> tuple[_Text, ...]:
    absent: set[type[TextLint]] = {Placeholder}  # it is searched in all texts
    if not may_have_lost_characters:
        absent.add(LostCharacter)
    lints = [lint for lint in TEXT_LINTS if lint not in absent]
    return tuple(
        _Text(
            prop.name,
            prop,
            is_plain(prop.role),
            tuple(lint for lint in lints if prop.role in lint.roles),
        )
        for prop in shape.all_props
        if prop.kind.json_type == "string" and not prop.kind.values
    )


class LintFinder:
    """Finds the doubtful values of one document. The validator calls it in its walk."""

    def __init__(self, *, may_have_lost_characters: bool) -> None:
        self.lints: list[Lint] = []  # the lints that were found so far
        self._may_have_lost_characters = may_have_lost_characters
        self._further = FurtherProperties()

    @property
    def _left(self) -> int:
        """The number of lints of open objects that may still be found."""
        return max(0, MAX_OF_OPEN_OBJECTS - len(self.lints))

    def find_texts(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the doubtful texts of an object; lost characters if there may be any."""
        for name, prop, is_plain_text, lints in _texts(shape, self._may_have_lost_characters):
            text = members.get(name)
            if not isinstance(text, str):
                continue
            if prop.is_placeholder(text):
                lint = Placeholder.find(node, prop, text)
            elif not lints or is_plain_text(text):
                continue
            else:
                lint = next(filter(None, (lint.find(node, prop, text) for lint in lints)), None)
            if lint is not None:
                self.lints.append(lint)

    def find_further(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the further properties of an open object that mean a suggested one, or belong to it."""
        if self._left:
            self.lints += self._further.find(node, members, shape)

    def find_suggested(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the suggested properties of an open object whose values no page uses."""
        lints = unused_values(node, members, shape)
        if lints:
            self.lints += lints[: self._left]

    def find_elements(self, node: Node, values: Sequence[object], kind: Kind, elements: Sequence[Node]) -> None:
        """Find the elements of a suggested list that no page uses.

        `elements` are the nodes of the values that are objects.
        """
        self.lints += islice(unused_elements(node, values, kind, elements), self._left)

    def find_absent_option(self, node: Node, members: JsonObject, since: int) -> None:
        """Find an option without a value, unless a lint from the index `since` names a property that means it."""
        option = option_prop(node.kind)
        if option is None or option.name in members or not self._left:
            return
        if not any(isinstance(lint, NotShown) and lint.rename.prop is option for lint in self.lints[since:]):
            self.lints.append(NoOptionValue(node, option.name))

    def find_names(self, scopes: Iterable[Scope]) -> None:
        """Find the doubtful names, after the walk."""
        self.lints += RepeatedLink.find(scopes)
