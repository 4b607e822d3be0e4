"""Random descriptions: every name in them passes, and every misspelt name has one warning."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis, validate
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.derive import derive
from tests.inputs.api_samples import description, document_of, misspell, samples, suggested_texts
from tests.rui_openapi.shop import api_of, reported
from tests.support.nightly import seeds

WORDS = "account balance category deadline employee folder guarantee holiday invoice journey".split()
NAME = st.sampled_from(WORDS)
SCALAR = st.sampled_from(
    [{"type": "string"}, {"type": "integer"}, {"type": ["number", "null"]}, {"enum": ["a", "b"]}, {"const": True}]
)


def wrapped(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Schemas that contain others, and references to them."""
    properties = st.dictionaries(NAME, inner, min_size=1, max_size=4)
    pairs = st.lists(inner, min_size=2, max_size=2)
    return st.one_of(
        properties.map(lambda value: {"type": "object", "properties": value}),
        inner.map(lambda value: {"type": "array", "items": value}),
        pairs.map(lambda value: {"oneOf": [*value, {"type": "null"}]}),
        pairs.map(lambda value: {"anyOf": value}),
        inner.map(lambda value: {"allOf": [value], "nullable": True}),
        NAME.map(lambda name: {"$ref": f"#/components/schemas/{name}"}),
    )


SCHEMA = st.recursive(SCALAR, wrapped, max_leaves=12)
SEGMENT = st.one_of(NAME, NAME, NAME.map("{{{}}}".format))
PATH = st.lists(SEGMENT, min_size=1, max_size=3, unique=True).map(lambda parts: "/" + "/".join(parts))


def operation(schema: object) -> dict[str, object]:
    content = {"application/json": {"schema": schema}}
    return {"get": {"responses": {"200": {"description": "", "content": content}}}}


DESCRIPTION = st.builds(
    lambda paths, schemas: {
        "openapi": "3.1.0",
        "paths": {path: operation(schema) for path, schema in paths.items()},
        "components": {"schemas": schemas},
    },
    st.dictionaries(PATH, SCHEMA, min_size=1, max_size=4),
    st.fixed_dictionaries(dict.fromkeys(WORDS, SCHEMA)),
)


@settings(max_examples=len(seeds(60)))
@given(value=DESCRIPTION, seed=st.integers(0, 1000))
def test_what_a_description_has_passes_in_both_directions(
    value: dict[str, object], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    api = api_of(json.dumps(value), folder, "random.json")
    document = document_of([sample.block() for sample in samples(api, random.Random(seed), 5)])
    assert reported(json.dumps(document), api) == []
    derived = api_of(json.dumps(derive([validate(document).tree])), folder, "derived.json")
    assert reported(json.dumps(document), derived) == []


def test_a_misspelt_name_has_one_warning_that_names_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    api = api_of(json.dumps(description(200)), tmp_path_factory.getbasetemp(), "things.json")
    chance = random.Random(5)
    count = repaired = 0
    for sample in samples(api, chance, 100):
        misspelt = misspell(api, sample, chance)
        if misspelt is None:
            continue
        wrong, before = misspelt
        found = api_diagnostics(Analysis(read(json.dumps(document_of([wrong.block()])))), api)
        assert len(found) == 1, (misspelt, [diagnostic.message for diagnostic in found])
        count += 1
        repaired += suggested_texts(found[0]) == [before]
    assert count > 50
    assert repaired >= 0.8 * count  # `field1` may be misspelt as `field11`, which is as near to others
