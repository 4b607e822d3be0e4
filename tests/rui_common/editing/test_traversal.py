"""The declared members of a text: those that take effect and have a value."""

import pytest

from rui_common.editing.traversal import declared_members
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis

# Text → the source of the values of the root's members, in text order.
TEXTS = {
    "in text order": ('{"pages": [], "version": "0.1"}', ["[]", '"0.1"']),
    "of a property that is repeated, the last one": ('{"meta": {}, "meta": {"title": "a"}}', ['{"title": "a"}']),
    "or the last one with a value": ('{"meta": {}, "meta": }', ["{}"]),
    "none without a value": ('{"version": , "meta": {}}', ["{}"]),
    "none without a declaration": ('{"unknown": {"version": 1}, "meta": {}}', ["{}"]),
    "none of an array": ("[1]", []),
    "none of a number": ("1", []),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_the_declared_members_of_a_text(text: str, expected: list[str]) -> None:
    analysis = Analysis(read(text))
    root = analysis.document.find(())
    assert root is not None
    found = list(declared_members(analysis.tree, analysis.tree.root, root))
    assert [text[visited.member.start : visited.member.end] for visited in found] == expected
    assert [visited.prop is not None and visited.kind is visited.prop.kind for visited in found] == [True] * len(
        expected
    )
