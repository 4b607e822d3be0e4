"""Every snippet of the vocabulary, with its defaults accepted, is valid JSON of the right shape."""

import json
import re

import pytest

from rui_common.editing.snippets import property_snippet, shape_snippet
from rui_common.validation.fast_check import compile_check
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import METRIC, SECTION, TEXT, VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape

SHAPES = [shape for shape in VOCABULARY.shapes.values() if compile_check(shape) is not None]
PROPS = [
    pytest.param(shape, prop, id=f"{shape.name}.{prop.name}")
    for shape in VOCABULARY.shapes.values()
    for prop in (*shape.props.values(), *shape.suggested.values())
]


def accept_defaults(snippet: str) -> str:
    """What the text is after a person has pressed Tab at every stop."""
    stop = re.compile(r"\$(?:\d+|\{\d+:((?:[^\\}]|\\.)*)\}|\{\d+\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\})")
    return stop.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1] or match[2] or ""), snippet)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_snippet_is_plainly_valid(shape: Shape) -> None:
    accept = compile_check(shape)
    assert accept is not None
    assert accept(json.loads(accept_defaults(shape_snippet(shape))), [], [])


@pytest.mark.parametrize(("shape", "prop"), PROPS)
def test_a_property_snippet_is_one_property(shape: Shape, prop: Prop) -> None:
    text = accept_defaults(property_snippet(prop))
    assert list(json.loads("{" + text + "}")) == [prop.name]


def test_the_snippet_of_a_whole_document_is_valid() -> None:
    assert list(validate(json.loads(accept_defaults(shape_snippet(VOCABULARY.root))))) == []


def test_tab_stops_are_numbered_in_text_order() -> None:
    assert shape_snippet(TEXT) == (
        '{\n  "id": "${1:text-1}",\n  "type": "Text",\n  "content": "${2:Orders are refreshed every five minutes.}"\n}'
    )
    assert property_snippet(SECTION.props["direction"]) == '"direction": "${1|stack,row|}"'


def test_a_nested_example_is_preferred_to_that_of_the_property() -> None:
    assert "${4:data.open}" in shape_snippet(METRIC)
