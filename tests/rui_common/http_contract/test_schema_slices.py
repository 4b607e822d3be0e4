"""Slices of the vocabulary for clients with a limited number of tokens, and the examples."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_common.describe import full_example, vocabulary_payload
from rui_common.http_contract.schema_slices import UnknownShapeError, compact_payload, compact_slice, slice_payload
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.signatures import signature


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
        for prop in (*shape.props.values(), *shape.suggested.values()):
            assert f'"{prop.name}"{"" if prop.required else "?"}: ' in shapes
    assert [name.split()[0] for name in compact["rules"]] == [*RULES]
    assert compact["planned"] == {"blocks": ["Form", "Button"], "bindings": ["write", "action"]}
    assert [*compact["meanings"]] == [*VOCABULARY.shapes]
    assert compact["example"] == full_example()
    # The limit is 2,500 tokens. Models count about 3.9 characters per token; 3.5 leaves a margin.
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
    assert part["symbols"] == whole["symbols"]
    held = {prop["shape"] for prop in part["shapes"][name]["props"].values() if "shape" in prop}
    assert held <= part["shapes"].keys()


SIGNATURES = {name: signature(shape) for name, shape in VOCABULARY.shapes.items()}


@pytest.mark.parametrize("name", VOCABULARY.shapes)
def test_a_compact_slice_says_the_same_of_a_shape_as_slice_and_compact_form_do(name: str) -> None:
    part, whole, long = compact_slice([name.lower()]), compact_payload(), slice_payload([name])
    assert part["shapes"] == long["summary"]
    assert set(part["shapes"]) <= set(SIGNATURES.values())
    assert set(whole["shapes"]) <= set(SIGNATURES.values())
    assert part["notation"] == whole["notation"]
    assert [*part["rules"]] == [f"{rule['rule']} {rule['code']}" for rule in long["rules"]]
    assert part["rules"].items() <= whole["rules"].items()
    assert part["allowedIn"] == {shape: described["allowedIn"] for shape, described in long["shapes"].items()}


def test_descriptions_have_the_versions() -> None:
    for payload in (vocabulary_payload(), compact_payload(), slice_payload(["Text"]), compact_slice(["Text"])):
        assert [*payload][:3] == ["docsVersion", "validationVersion", "registryVersion"]


def test_an_array_by_convention_may_be_empty() -> None:
    document = full_example()
    table = next(holder for holder in objects(document) if holder.get("type") == "Table")
    table["filter"]["options"] = []
    assert not list(validate(document))
    described = slice_payload(["TableFilter"])["shapes"]["TableFilter"]["suggestedProps"]["options"]
    assert "minItems" not in described


def test_an_unknown_shape_has_no_slice() -> None:
    with pytest.raises(UnknownShapeError, match=r"there are RUI, .* Did you mean Table"):
        slice_payload(["Page", "Tabel"])
