"""Names after edits: the updated index equals the index of a complete reading."""

import random
import re

import pytest
from lsprotocol import types

from benchmarks.sample import sample_text
from rui_common.editing.references import ReferenceIndex
from rui_common.editing.traversal import DocumentTraversal, label_of
from rui_common.syntax.document import read
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.documents.document import OpenDocument


def insert(opened, position, text):
    opened.apply_change(types.TextDocumentContentChangePartial(types.Range(position, position), text))


def check(document):
    """Compare the index of an edited document with the index of the same text, read completely."""
    fresh, kept = ReferenceIndex(read(document.text)), ReferenceIndex(document)
    paths = fresh.definitions_of(VOCABULARY.symbols)
    assert kept.definitions_of(VOCABULARY.symbols) == paths
    for path in paths:
        assert kept.span(path) == fresh.span(path)
        assert kept.references(path) == fresh.references(path)
        assert kept.uses(path) == fresh.uses(path)


@pytest.mark.parametrize("indent", [2, None])
def test_edits_in_pages(indent):
    chance = random.Random(5)
    opened = OpenDocument("file:///a", sample_text(9000, indent=indent))
    check(opened.document)
    for _ in range(28):
        text = str(opened.text)
        names = [match.end() for match in re.finditer(r'"(?:id|key|field|label)": ?"', text)]
        at = chance.choice(names)
        line, character = opened.text.position(at)
        insert(opened, types.Position(line, character), chance.choice("ab1"))
        if opened.document.valid:
            check(opened.document)


def test_a_tour_passes_everything_at_its_place():
    opened = OpenDocument("file:///a", sample_text(9000))
    opened.document.value  # noqa: B018
    insert(opened, types.Position(opened.text.line_count // 2, 0), "  ")
    document, fresh = opened.document, read(str(opened.text))

    def spans(tour, placed):
        yield placed.start, placed.end, placed.step
        for below in tour.children_of(placed, tour.shape_of(placed)):
            yield from spans(tour, below)

    kept, whole = DocumentTraversal(document), DocumentTraversal(fresh)
    assert list(document.fragments())
    assert list(spans(kept, kept.root)) == list(spans(whole, whole.root))


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
