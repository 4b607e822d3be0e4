"""Values of suggested properties that no page uses. Open objects may have any, so that they are valid."""

import json
from collections.abc import Iterator, Sequence
from functools import cache

from rui_common.json_values import JsonObject
from rui_common.nodes.node import Node
from rui_common.problems.finding import ABSENT, Lint, LintRule
from rui_common.problems.meant import value_meant
from rui_common.problems.operations import SetValue
from rui_common.problems.short_forms import write_in_full
from rui_common.problems.suggestion import MAX_CHOICES, Sentence, Suggestion, fact, other_values
from rui_common.problems.words import listed, one_of
from rui_common.syntax.paths import property_name
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape


class UnknownValue(Lint):
    """A text that is none of the suggested values. To correct a misspelling is safe."""

    about = LintRule(
        code="UNKNOWN_VALUE",
        condition="A suggested property has a value that no page knows.",
        message='No page knows "{value}" as "{prop}".',
        hint="Use a value of the vocabulary.",
        why="Columns may have any `type`. A page shows those of the vocabulary, and any other as plain text.",
        wrong='{"key": "total", "type": "integer"}',
        right='{"key": "total", "type": "number"}',
    )
    kind: Kind

    def __init__(self, node: Node, step: str | int, value: str, kind: Kind) -> None:
        super().__init__(node, step, value)
        self.value = value
        self.kind = kind

    def values(self) -> dict[str, str]:
        return {"prop": property_name(self.path), "value": self.value}

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the value that other systems call so, or that is misspelt; else name all of them."""
        meant = value_meant(self.value, self.kind)
        if meant is None:
            yield fact(f"Allowed: {listed(self.kind.values)}.")
            return
        sentence = Sentence(f'Did you mean "{meant.text}"? {meant.advice}'.rstrip())
        yield Suggestion(sentence, (SetValue(self.path, meant.text),), is_safe=meant.is_certain)

    def alternatives(self) -> Iterator[Suggestion]:
        yield from other_values(self.path, self.value, self.kind.values[:MAX_CHOICES])


class UnusedValue(Lint):
    """A value of another type than the vocabulary describes."""

    about = LintRule(
        code="UNUSED_VALUE",
        condition="A suggested property, or an element of its list, is of another type than the vocabulary describes.",
        message='No page uses this value of "{prop}".',
        hint="Write it as the vocabulary describes it.",
        why="Suggested properties may have any value. A page uses those of the described type alone.",
        wrong='{"meta": {"title": 3}}',
        right='{"meta": {"title": "3"}}',
    )
    kind: Kind

    def __init__(self, node: Node, step: str | int, value: object, kind: Kind) -> None:
        super().__init__(node, step, value)
        self.kind = kind

    def suggestions(self) -> Iterator[Suggestion]:
        expected = self.kind.form or self.kind.word
        if self.kind.values:
            expected = one_of(self.kind.values)
        yield fact(f"Expected {expected}.")
        yield from write_in_full(self.path, self.got, self.kind)


def unused_value(node: Node, step: str | int, value: object, kind: Kind) -> Lint:
    """Return the lint of a value that its kind does not accept."""
    if kind.values and isinstance(value, str):
        return UnknownValue(node, step, value, kind)
    return UnusedValue(node, step, value, kind)


class EmptySuggestedList(Lint):
    """The list of a suggested property without an element."""

    about = LintRule(
        code="EMPTY_LIST",
        condition="The list of a suggested property is empty.",
        message='"{prop}" is empty.',
        hint="Add an element, or leave the property out.",
        why="A filter without `options` is a free search; one with an empty list has nothing to choose from.",
        wrong='{"field": "status", "options": []}',
        right='{"field": "status"}',
    )


def unused_values(node: Node, members: JsonObject, shape: Shape) -> list[Lint]:
    """Return the lints of the suggested properties of an open object."""
    lints: list[Lint] = []
    for name, prop in shape.suggested.items():
        value = members.get(name, ABSENT)
        if value is ABSENT:
            continue
        if not prop.kind.accepts(value):
            if prop.role is not Role.OPTION or not isinstance(value, int | float):  # a number is compared as it is
                lints.append(unused_value(node, name, value, prop.kind))
        elif not value and isinstance(value, list):
            lints.append(EmptySuggestedList(node, name))
    return lints


# Options --------------------------------------------------------------------------------------------------------------


class RepeatedOption(Lint):
    """The value of an option that an earlier one has."""

    about = LintRule(
        code="REPEATED_OPTION",
        condition="Two options of a filter have the same value.",
        message='Another option has the value "{value}", too.',
        hint="Remove one of them, or set another value.",
        why="It is usually a copy whose value was not changed: both keep the same rows.",
        wrong='{"options": [{"value": "open"}, {"value": "open"}]}',
        right='{"options": [{"value": "open"}, {"value": "closed"}]}',
    )

    def values(self) -> dict[str, str]:
        return {"value": self.got if isinstance(self.got, str) else json.dumps(self.got)}


class NoOptionValue(Lint):
    """An option without the value of the rows that it keeps."""

    about = LintRule(
        code="NO_OPTION_VALUE",
        condition="An option of a filter has no value.",
        message='The option has no "{prop}".',
        hint="Add the value of the column that it keeps.",
        why="An option keeps the rows with its value. Without one, it keeps none.",
        wrong='{"label": "Open"}',
        right='{"value": "open", "label": "Open"}',
    )


@cache
def option_prop(kind: Kind) -> Prop | None:
    """Return the property with the value of an option, if a value of a kind, or its elements, are options; or None."""
    return next((prop for shape in kind.inner_shapes for prop in shape.props_with_role(Role.OPTION)), None)


def unused_elements(node: Node, values: Sequence[object], kind: Kind, elements: Sequence[Node]) -> Iterator[Lint]:
    """Yield the lints of the elements of a suggested list, whose kind is `kind`.

    `elements` are the nodes of the values that are objects.
    """
    if len(elements) < len(values):
        for index, value in enumerate(values):
            if not kind.accepts(value):
                yield unused_value(node, index, value, kind)
    option = option_prop(kind)
    if option is None:
        return
    earlier: set[tuple[bool, bool, object]] = set()
    for element in elements:
        value = element.members.get(option.name)
        if not isinstance(value, str | int | float):  # a number is compared as it is
            continue
        compared = (isinstance(value, str), isinstance(value, bool), value)  # 1 is 1.0, and neither true nor a text
        if compared in earlier:
            yield RepeatedOption(element, option.name, value)
        earlier.add(compared)
