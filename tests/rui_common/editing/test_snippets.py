"""Every snippet of the vocabulary with its default values is valid JSON of its shape."""

import json

import pytest

from rui_common.editing.formatter import format_document
from rui_common.editing.generate import NamesInUse
from rui_common.editing.snippets import TabStop, property_snippet, shape_snippet
from rui_common.syntax.document import read
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import SECTION, TABLE, VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary

SHAPES = [*VOCABULARY.shapes.values()]
PROPS = [
    pytest.param(shape, prop, id=f"{shape.name}.{prop.name}")
    for shape in VOCABULARY.shapes.values()
    for prop in (*shape.props.values(), *shape.suggested.values())
]


NAMES = NamesInUse(read("{}"))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_snippet_is_plainly_valid(shape: Shape) -> None:
    alone = Vocabulary("0.1", shape, {})
    dangling = {symbol.dangling for symbol in VOCABULARY.symbols}
    found = validate(json.loads(shape_snippet(shape, NAMES.generator_at(()).new_object(shape)).text), vocabulary=alone)
    assert [finding for finding in found if finding.rule not in dangling] == []


@pytest.mark.parametrize(("shape", "prop"), PROPS)
def test_a_property_snippet_is_one_property(shape: Shape, prop: Prop) -> None:
    text = property_snippet(prop, NAMES.generator_at(()).new_value(prop)).text
    assert list(json.loads("{" + text + "}")) == [prop.name]


def test_the_snippet_of_a_whole_document_is_valid_and_formatted() -> None:
    text = shape_snippet(VOCABULARY.root, NamesInUse(read("")).generator_at(()).new_object(VOCABULARY.root)).text
    assert validate(json.loads(text)) == []
    assert format_document(read(text)) == text + "\n"


def test_an_enum_is_a_choice() -> None:
    assert property_snippet(SECTION.props["direction"], None).parts == (
        '"direction": ', '"', TabStop("stack", ("stack", "row")), '"',
    )  # fmt: skip


def test_words_that_only_the_author_knows_are_placeholders_or_empty() -> None:
    snippet = shape_snippet(TABLE, NAMES.generator_at(()).new_object(TABLE))
    stops = [part.default for part in snippet.parts if isinstance(part, TabStop)]
    assert stops == ["table-1", "/TODO", "TODO", "TODO"]
    title = TABLE.props["title"]
    assert property_snippet(title, NAMES.generator_at(()).new_value(title)).text == '"title": ""'
