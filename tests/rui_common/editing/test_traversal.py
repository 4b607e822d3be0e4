"""Display names of objects."""

import pytest

from rui_common.editing.traversal import label_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY


@pytest.mark.parametrize(
    ("shape", "value", "label"),
    [
        ("Page", {"description": "b", "title": "a"}, "a"),
        ("Page", {"id": "b", "title": " "}, ""),
        ("Text", {"content": "a\n b"}, "a b"),
        ("Column", {"key": "b", "label": "a"}, "a"),
        ("NavigationItem", {"pageId": "b"}, ""),
        ("Metric", ["a"], ""),
    ],
)
def test_labels(shape, value, label):
    assert label_of(value, VOCABULARY.shapes[shape]) == label
