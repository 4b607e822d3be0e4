"""Incremental indexes of a page return the same results as new ones."""

import random

import pytest

from benchmarks.sample import sample_text
from rui_common.editing.completion import texts_in
from rui_common.editing.references import ReferenceIndex, reference_index
from rui_common.syntax.document import read
from rui_common.validation.incremental import IncrementalDocument
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import Positions
from rui_lsp.documents.analysis import Analysis
from rui_lsp.features.document_symbol import symbols
from tests.rui_lsp.sessions import edits, notified

EDITS = 60


def said(document, names, encoding):
    """Return all index contents that features use."""
    defined = names.definitions_of(VOCABULARY.symbols)
    return {
        "defined": [(path, names.span(path), names.name(path)) for path in defined],
        "uses": [names.uses(path) for path in defined],
        "mentions": [names.references(path) for path in defined],
        "outline": list(symbols(document, Positions(document, encoding))),
        "texts": {name: sorted(texts_in(document, name)) for name in ("path", "valuePath", "title")},
    }


@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_kept_answers_are_fresh_answers(encoding, indent):
    chance = random.Random(f"{encoding} {indent}")
    text = sample_text(4000, indent=indent)
    for first in (text, text.replace("\n", "\r\n"), text.replace("page-1", "page-😀")):
        analysis, steps, kept = Analysis.from_text(first), edits(chance, first), 0
        for _ in range(EDITS):
            analysis = analysis.edited(*next(steps))
            document = analysis.document
            is_kept = isinstance(document, IncrementalDocument)
            fresh = read(document.text)
            assert said(document, reference_index(document), encoding) == said(fresh, ReferenceIndex(fresh), encoding)
            offsets = [chance.randrange(len(document.text) + 1) for _ in range(5)]
            assert [document.path_at(at) for at in offsets] == [fresh.path_at(at) for at in offsets]
            for path in map(fresh.path_at, offsets):
                member = fresh.find(path)
                assert document.span_of(path) == (member and member.span)
            kept += is_kept
        assert kept > EDITS / 5


def replaced(analysis, old, new):
    """Return the analysis after replacing the only `old` of its text by `new`."""
    text = analysis.document.text
    assert text.count(old) == 1
    at = text.index(old)
    return analysis.edited(text.replace(old, new), at, len(text) - at - len(old))


def test_an_edit_around_the_pages_keeps_them():
    analysis = replaced(Analysis.from_text(sample_text(6000)), "Order desk", "Orders")
    assert isinstance(analysis.document, IncrementalDocument)
    broken = replaced(analysis, '"navigation"', '{"navigation"')
    assert not isinstance(broken.document, IncrementalDocument)
    fixed = replaced(broken, '{"navigation"', '"navigation"')
    assert isinstance(fixed.document, IncrementalDocument)
    assert all(one is other for one, other in zip(fixed.document.pages, analysis.document.pages, strict=True))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_wild_edits_through_the_protocol_stay_in_step_with_a_plain_model(encoding):
    for seed in range(3):
        chance = random.Random(f"{encoding} {seed}")
        notified(chance, encoding, sample_text(3000, indent=chance.choice([2, None]), seed=seed), 500)
