"""The aliases of the vocabulary, compared with a list that somebody else wrote (tests/data/other_words.json)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rui_common.vocabulary.aliases import (
    MAX_KEYS,
    fits,
    prop_table,
    read_as,
    singular,
    squash,
    type_named,
    unwrap,
    value_named,
)
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape

WORDS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data" / "other_words.json").read_text())
MUST_KNOW = 0.95
"""The part of the list that the aliases cover at least."""


def props_of(place: str) -> list[tuple[Shape, Prop]]:
    """Return the declarations of a place of the list, such as ``Table.binding``; ``Node.id`` is in every node."""
    owner, name = place.split(".")
    shapes = [*VOCABULARY.nodes.values()] if owner == "Node" else [VOCABULARY.shapes[owner]]
    return [(shape, prop) for shape in shapes if (prop := shape.prop(name)) is not None]


def place_of(node_type: str) -> NodeKind:
    """Return the kind of the list in which a node of a type is allowed."""
    for shape in VOCABULARY.shapes.values():
        for prop in shape.props.values():
            items = prop.kind.items if isinstance(prop.kind, ListKind) else None
            if isinstance(items, NodeKind) and node_type in items.types:
                return items
    raise LookupError(node_type)


def unread_properties() -> Iterator[str]:
    for place, words in WORDS["properties"].items():
        for shape, prop in props_of(place):
            yield from (f"{shape.name}.{prop.name} {word}" for word in words if prop_table(shape)[word][0] != prop.name)


def unread_types() -> Iterator[str]:
    for name, words in WORDS["types"].items():
        for word in words:
            shape = type_named(word, {}, place_of(name), VOCABULARY)
            if shape is None or shape.name != name:
                yield f"{name} {word}"


def unread_values() -> Iterator[str]:
    for place, values in WORDS["values"].items():
        for _, prop in props_of(place):
            for value, words in values.items():
                yield from (f"{place} {value} {word}" for word in words if value_named(word, prop.kind) != value)


def size(words: Any) -> int:
    """Return the number of words in a part of the list; a word of every node counts once per type."""
    total = 0
    for place, inner in words.items():
        times = len(props_of(place)) if "." in place else 1
        counts = [len(one) if isinstance(one, dict) else 1 for one in inner.values()]
        total += times * sum(counts)
    return total


@pytest.mark.parametrize(
    ("part", "unread"),
    [("properties", unread_properties), ("types", unread_types), ("values", unread_values)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_most_words_of_another_list_are_read(part: str, unread: Any) -> None:
    missing = sorted(unread())
    assert 1 - len(missing) / size(WORDS[part]) >= MUST_KNOW, missing


def names_of_words(aliases: dict[str, str]) -> dict[str, set[str]]:
    """Return the names that every word means."""
    names: dict[str, set[str]] = {}
    for name, others in aliases.items():
        for word in (name, *others.split()):
            names.setdefault(squash(word), set()).add(name)
    return names


def all_aliases() -> Iterator[tuple[str, dict[str, str]]]:
    for shape in VOCABULARY.shapes.values():
        props = {**shape.suggested, **shape.props}
        yield shape.name, {name: prop.aliases for name, prop in props.items()}
        for prop in props.values():
            yield f"{shape.name}.{prop.name}", {value: prop.kind.aliases.get(value, "") for value in prop.kind.values}
            items = prop.kind.items if isinstance(prop.kind, ListKind) else None
            if isinstance(items, NodeKind):
                yield f"nodes in {shape.name}", {inner.name: inner.aliases for inner in items.shapes}


@pytest.mark.parametrize("aliases", [pytest.param(aliases, id=owner) for owner, aliases in all_aliases()])
def test_a_word_means_one_thing(aliases: dict[str, str]) -> None:
    assert {word: names for word, names in names_of_words(aliases).items() if len(names) > 1} == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Header_Name", "headerName"), ("entries", "Entry"), ("boxes", "box"), ("data-sources", "dataSource"),
     ("@type", "type"), ("PAGES", "page")],
)  # fmt: skip
def test_spellings_of_one_word(one: str, other: str) -> None:
    assert singular(squash(one)) == singular(squash(other))


TEXT = VOCABULARY.nodes["Text"]
SECTION = VOCABULARY.nodes["Section"]


@pytest.mark.parametrize(
    ("value", "shape", "expected"),
    [
        ({"text": "a"}, TEXT, {"content": "text"}),
        ({"text": "a", "content": "b"}, TEXT, {}),
        ({"contnet": "a"}, TEXT, {"content": "contnet"}),
        ({"contnet": "a", "text": "a"}, TEXT, {"content": "text"}),
        ({"text": 5, "body": "a"}, TEXT, {"content": "body"}),
        ({"component": "Text", "components": []}, SECTION, {"type": "component", "children": "components"}),
        ({"layout": "diagonal", "orientation": "vertical"}, SECTION, {"direction": "orientation"}),
        ({"sectionTitle": "a"}, SECTION, {"title": "sectionTitle"}),
        ({"": "a", "x" * 1000: "a", "content2": "a"}, TEXT, {}),
        ({f"{number:03}": "" for number in range(MAX_KEYS)} | {"text": "a"}, TEXT, {}),
    ],
)  # fmt: skip
def test_properties_are_read_from_other_keys(value: Any, shape: Shape, expected: dict[str, str]) -> None:
    assert read_as(value, shape) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("KPI", "Metric"), ("data-table", "Table"), ("Txet", "Text"), ("row", "Section"), ("Chart", None), ("Form", None),
     ("form", None), ("Tabs", None), ("Table2", None), ("", None)],
)  # fmt: skip
def test_types_in_a_section(word: str, expected: str | None) -> None:
    shape = type_named(word, {}, place_of("Text"), VOCABULARY)
    assert (shape and shape.name) == expected


@pytest.mark.parametrize(
    ("value", "place", "expected"),
    [
        ({}, "Section", "Section"),
        ({}, "Metric", "Metric"),
        ({"title": "a", "children": []}, "Metric", "Section"),
        ({"title": "a", "binding": {}}, "Section", "Metric"),
    ],
)
def test_the_properties_select_one_of_several_types(value: Any, place: str, expected: str) -> None:
    shape = type_named("card", value, place_of(place), VOCABULARY)
    assert (shape and shape.name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("get", "GET"), ("fetch", "GET"), ("POST", None), (5, None), ("GET", "GET"), ([], None)],
)
def test_values(value: object, expected: str | None) -> None:
    assert value_named(value, VOCABULARY.shapes["ReadBinding"].props["method"].kind) == expected


@pytest.mark.parametrize(("value", "expected"), [(0.1, "0.1"), (None, "0.1"), ("2.0", "0.1"), ({}, None)])
def test_every_scalar_stands_for_the_only_version(value: object, expected: str | None) -> None:
    kind = VOCABULARY.root.props["version"].kind
    assert value_named(value, kind) == expected
    assert fits(value, kind) == (expected is not None)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"rui": {"version": "0.1"}}, ("rui",)),
        ({"data": {"spec": {"screens": []}}}, ("data", "spec")),
        ({"rui": {"pages": []}, "pages": []}, ()),
        ({"a": {"pages": []}, "b": {"pages": []}}, ()),
        ({"app": {"title": "a"}, "screens": []}, ()),
        ({"rui": "{}"}, ()),
    ],
)
def test_wrappers(value: Any, path: tuple[str, ...]) -> None:
    assert unwrap(value, VOCABULARY.root)[1] == path
