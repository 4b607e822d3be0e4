"""Slices of the vocabulary for clients with a limited number of tokens, and the examples."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_common.describe import full_example, vocabulary_payload
from rui_common.describe.examples import varied_examples
from rui_common.describe.sample_words import SKETCHES
from rui_common.editing.normal_form import normalize
from rui_common.http_contract.schema_slices import UnknownShapeError, compact_payload, compact_slice, slice_payload
from rui_common.syntax.document import read
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES
from tests.corpus import read_cases

TEXT_PROPS = ("id", "title", "label", "content", "path", "description")


def objects(value: object) -> Iterator[dict[str, object]]:
    """Yield all objects in a JSON value."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def test_the_compact_form_names_every_shape_prop_rule_and_limit() -> None:
    compact = compact_payload()
    shapes = " ".join(compact["shapes"])
    for shape in VOCABULARY.shapes.values():
        assert f"{shape.name} {{ " in shapes
        for prop in (*shape.props.values(), *shape.suggested.values()):
            assert f"{prop.name}{'*' if prop.required else ''}: " in shapes
    assert [name.split()[0] for name in compact["rules"]] == [*RULES]
    assert compact["planned"] == {"blocks": ["Form", "Button"], "bindings": ["write", "action"]}
    assert [*compact["meanings"]] == [*VOCABULARY.shapes]
    assert compact["example"] in varied_examples().values()
    # The limit is 2,500 tokens. benchmarks/tokens.py counts about 3.9 characters per token; 3.5 leaves a margin.
    assert len(json.dumps(compact, ensure_ascii=False, separators=(",", ":"))) <= 3.5 * 2_500


def test_the_readme_gives_the_size_of_the_compact_form() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    [stated] = re.findall(r"\?form=compact` returns it in about ([\d,]+) tokens", readme)
    characters = len(json.dumps(compact_payload(), ensure_ascii=False, separators=(",", ":")))
    assert int(stated.replace(",", "")) == round(characters / 3.9, -2)


@pytest.mark.parametrize("name", VOCABULARY.shapes)
def test_a_slice_has_a_shape_with_all_that_it_refers_to(name: str) -> None:
    part, whole = slice_payload([name.upper()]), vocabulary_payload()
    assert part["shapes"][name] == whole["shapes"][name]
    assert all(whole["shapes"][other] == described for other, described in part["shapes"].items())
    broken = {number for holder in objects(part["shapes"]) for number in holder.get("breaks", {}).values()}
    assert {rule["rule"] for rule in part["rules"]} >= broken
    assert all(symbol in whole["symbols"] for symbol in part["symbols"])
    held = {prop["shape"] for prop in part["shapes"][name]["props"].values() if "shape" in prop}
    assert held <= part["shapes"].keys()


@pytest.mark.parametrize("name", VOCABULARY.shapes)
def test_a_compact_slice_says_the_same_of_a_shape_as_slice_and_compact_form_do(name: str) -> None:
    part, whole, long = compact_slice([name.lower()]), compact_payload(), slice_payload([name])
    assert part["shapes"] == long["summary"]
    assert set(part["shapes"]) <= set(whole["shapes"])
    assert set(part["forms"]) <= set(whole["forms"])
    assert [*part["rules"]] == [f"{rule['rule']} {rule['code']}" for rule in long["rules"]]
    assert part["rules"].items() <= whole["rules"].items()
    assert set(part["names"]) <= set(whole["names"])
    assert part["allowedIn"] == {shape: described["allowedIn"] for shape, described in long["shapes"].items()}


def shapes_at(document: object, path: tuple[str | int, ...]) -> Iterator[str]:
    """Yield the shape of the object that a path leads to or that has its last property, or none."""
    value, shape, owner = document, VOCABULARY.root, None
    for step in path:
        if isinstance(step, str):
            owner = shape
            prop = shape.props.get(step) if shape is not None else None
            kinds = getattr(prop.kind, "inner_shapes", ()) if prop is not None else ()
            shape = next(iter(kinds), None)
        exists = isinstance(value, dict) and step in value
        exists = exists or (isinstance(value, list) and isinstance(step, int) and step < len(value))
        value = value[step] if exists else None
        if isinstance(value, dict) and isinstance(value.get("type"), str) and (shape is None or shape.is_node):
            shape = VOCABULARY.nodes.get(value["type"])
    if isinstance(path[-1], str) and owner is not None:
        yield (owner.base or owner).name
    if isinstance(path[-1], int) and isinstance(value, dict) and shape is not None:
        yield shape.name


def faults() -> set[tuple[str, str]]:
    """Every pair of a shape and a rule in the findings of the corpus."""
    pairs = set()
    for case in read_cases():
        document = read(case.text).value
        if isinstance(document, dict):
            for finding in validate(document):
                pairs |= {(name, finding.rule) for name in shapes_at(document, finding.path)}
    return pairs


def test_a_slice_has_every_rule_that_an_object_of_the_shape_breaks() -> None:
    """The faults of the corpus and their places give the rules, independently of the vocabulary's own lists."""
    pairs = faults()
    assert {rule for _, rule in pairs} == RULES.keys() - {"R0"}
    assert {("Page", "R11"), ("Page", "R3"), ("Section", "R14"), ("Metric", "R12"), ("ReadBinding", "R19")} <= pairs
    # An element of `pages` of any type counts as a page.
    pages = {(name, rule) for name, rule in pairs if rule == "R11" and name != "Page"}
    for name, rule in pairs - pages:
        assert rule in [described["rule"] for described in slice_payload([name])["rules"]], name


@pytest.mark.parametrize(("name", "symbols"), [
    ("Page", ["page id", "node id"]), ("Section", ["node id"]), ("NavigationItem", ["page id"]),
    ("Table", ["node id", "column key"]), ("TableFilter", ["column key"]), ("Meta", []),
])  # fmt: skip
def test_a_slice_has_the_names_that_the_shape_defines_or_uses(name: str, symbols: list[str]) -> None:
    assert [symbol["name"] for symbol in slice_payload([name])["symbols"]] == symbols
    assert [line.partition(":")[0] for line in compact_slice([name])["names"]] == symbols


def test_descriptions_have_the_versions() -> None:
    for payload in (vocabulary_payload(), compact_payload(), slice_payload(["Text"]), compact_slice(["Text"])):
        assert [*payload][:3] == ["docsVersion", "validationVersion", "registryVersion"]


def test_an_array_by_convention_may_be_empty() -> None:
    """And the notation mentions it."""
    document = full_example()
    table = next(holder for holder in objects(document) if holder.get("type") == "Table")
    table["filter"]["options"] = []
    assert not list(validate(document))
    described = slice_payload(["TableFilter"])["shapes"]["TableFilter"]["suggestedProps"]["options"]
    assert "minItems" not in described
    assert "at least one element, except those by convention" in compact_payload()["notation"]


def test_an_unknown_shape_has_no_slice() -> None:
    with pytest.raises(UnknownShapeError, match=r"there are RUI, .* Did you mean Table"):
        slice_payload(["Page", "Tabel"])


def test_the_examples_are_different_documents() -> None:
    """No id, text or path occurs twice."""
    seen: list[set[str]] = []
    for example in (full_example(), *varied_examples().values()):
        assert not list(validate(example))
        assert json.dumps(normalize(example)) == json.dumps(example)
        words = [value for holder in objects(example) for name, value in holder.items() if name in TEXT_PROPS]
        contents = [holder["content"] for holder in objects(example) if "content" in holder]
        assert len({*contents}) == len(contents)
        seen.append({str(word) for word in words})
    assert len(seen) >= 4
    for words in seen:
        others = set().union(*(other for other in seen if other is not words))
        assert len(words & others) <= 2, words & others


def test_a_sketch_says_nothing_that_the_vocabulary_knows() -> None:
    """Literals are inserted, and every shape of a sketch has its required properties."""
    for sketch in SKETCHES.values():
        assert not {"version", "method"} & {name for holder in objects(sketch) for name in holder}
        assert "Page" not in json.dumps(sketch).replace('"pageId"', "")
