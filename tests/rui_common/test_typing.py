"""A valid document with one incomplete value has only syntax errors, so typing causes no other diagnostics."""

import re

import pytest

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.rui_common.fixes.test_quick_fixes import BINDING, METRIC, TABLE, TEXT, block

BLOCKS = ", ".join([TEXT, METRIC.replace(BINDING, BINDING.replace("}", ', "valuePath": "data.open"}')), TABLE])
SOUND = block(BLOCKS)
STRINGS = [match.span() for match in re.finditer(r'"[^"\n]*"(:?)', SOUND) if not match[1]]


def codes(text: str) -> set[str]:
    return {one.code for one in diagnose(read(text))}


@pytest.mark.parametrize(("start", "end"), STRINGS, ids=str)
def test_half_a_value(start: int, end: int) -> None:
    assert codes(SOUND) == set()
    for word in ("nul", "tru", "x", "-", "01", "'"):
        assert codes(SOUND[:start] + word + SOUND[end:]) == {"INVALID_JSON"}, word
    for cut in range(start + 1, end):
        assert codes(SOUND[:cut]) == {"INVALID_JSON"}
    assert codes(SOUND[:start] + SOUND[end:]) == {"INVALID_JSON"}


@pytest.mark.parametrize("text", ['{"version": nul}', '{"version": "0', '{"version": ', '{"pages": [nul'])
def test_at_the_beginning(text: str) -> None:
    assert [one.code for one in diagnose(read(text))] == ["INVALID_JSON"]
