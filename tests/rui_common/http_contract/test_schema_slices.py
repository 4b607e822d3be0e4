"""Slices of the vocabulary for clients with a limited number of tokens, and the examples."""

import json
from collections.abc import Iterator

import pytest

from rui_common.describe import full_example, vocabulary_payload
from rui_common.describe.examples import varied_examples
from rui_common.describe.sample_words import SKETCHES
from rui_common.editing.normal_form import normalize
from rui_common.http_contract.schema_slices import UnknownShapeError, compact_payload, compact_slice, slice_payload
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES

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


@pytest.mark.parametrize("name", VOCABULARY.shapes)
def test_a_slice_has_a_shape_with_all_that_it_refers_to(name: str) -> None:
    part, whole = slice_payload([name.upper()]), vocabulary_payload()
    assert part["shapes"][name] == whole["shapes"][name]
    assert all(whole["shapes"][other] == described for other, described in part["shapes"].items())
    broken = {number for holder in objects(part["shapes"]) for number in holder.get("breaks", {}).values()}
    assert {rule["rule"] for rule in part["rules"]} == broken
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
