"""The editable text: edits, positions, line ends, encodings."""

import random

import pytest

import rui_lsp.documents.text_buffer
from benchmarks.sample import sample_text
from rui_common.syntax.line_index import LineIndex
from rui_lsp.documents.text_buffer import TextBuffer
from tests.rui_lsp.model import Model, joined, random_range, random_text
from tests.rui_lsp.sessions import notified

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
SESSIONS, EDITS = 40, 50


@pytest.fixture(params=["pieces as they are", "tiny pieces"])
def pieces(request, monkeypatch):
    """Tiny pieces make a small text cover every position of an edit relative to pieces."""
    if request.param == "tiny pieces":
        monkeypatch.setattr(rui_lsp.documents.text_buffer, "_NEW_PIECE", 5)
        monkeypatch.setattr(rui_lsp.documents.text_buffer, "_MAX_PIECE", 9)
        monkeypatch.setattr(rui_lsp.documents.text_buffer, "_MIN_PIECE", 3)


def check_against_lines(text, encoding):
    """Compare every position and offset with the core's, which indexes a text as a whole."""
    plain = str(text)
    index = LineIndex(plain)
    assert (len(text), text.line_count) == (len(plain), index.line_count)
    for offset in range(len(plain) + 1):
        if plain[offset - 1 : offset + 1] != "\r\n":
            assert text.position(offset) == index.position(offset, encoding)
            assert text.offset(*text.position(offset)) == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(SESSIONS))
def test_edit_sessions_stay_in_step_with_a_plain_model(encoding, seed, pieces):
    chance = random.Random(seed)
    start = random_text(chance, 60)
    text, model = TextBuffer(start, encoding), Model(start, encoding)
    for number in range(EDITS):
        begin, end = random_range(chance, str(text))
        new = random_text(chance, chance.choice([2, 2, 2, 8, 40]))
        text.replace(begin, end, new)
        model.replace(begin, end, new)
        assert str(text) == str(model), (number, begin, end, new)
        if number % 10 == 0:
            check_against_lines(text, encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_large_texts_are_cut_and_joined_in_step(encoding):
    chance = random.Random(encoding)
    start = random_text(chance, 2) + "x" * 5000 + random_text(chance, 9000) + "😀é" * 9000
    text, model = TextBuffer(start, encoding), Model(start, encoding)
    for _ in range(25):
        begin, end = random_range(chance, str(text))
        new = random_text(chance, chance.choice([2, 2, 4000]))
        text.replace(begin, end, new)
        model.replace(begin, end, new)
        assert str(text) == str(model)


@pytest.mark.parametrize(
    ("encoding", "before", "start", "end", "new", "after"),
    [
        pytest.param("utf-16", "a\u2028b\nc", (0, 2), (0, 3), "x", "a\u2028x\nc", id="U+2028 ends no line"),
        pytest.param("utf-16", "a\x85b\x0cc\x1cd", (0, 6), (0, 7), "x", "a\x85b\x0cc\x1cx", id="nor do others"),
        pytest.param("utf-16", "a\rb\r\nc\nd", (3, 0), (3, 1), "x", "a\rb\r\nc\nx", id="CR, CRLF and LF do"),
        pytest.param("utf-16", "ab\ncd", (0, 9), (0, 9), "x", "abx\ncd", id="past a line's end"),
        pytest.param("utf-16", "ab\r\ncd", (0, 3), (0, 9), "x", "abx\r\ncd", id="between CR and LF"),
        pytest.param("utf-16", "ab", (0, 9), (5, 0), "x", "abx", id="past an unterminated last line"),
        pytest.param("utf-16", "ab\n", (7, 3), (9, 9), "x", "ab\nx", id="past the last line"),
        pytest.param("utf-16", "abc", (0, 2), (0, 1), "x", "axc", id="backwards"),
        pytest.param("utf-16", "é😀b", (0, 3), (0, 4), "x", "é😀x", id="behind an emoji in UTF-16"),
        pytest.param("utf-8", "é😀b", (0, 6), (0, 7), "x", "é😀x", id="behind an emoji in UTF-8"),
        pytest.param("utf-32", "é😀b", (0, 2), (0, 3), "x", "é😀x", id="behind an emoji in UTF-32"),
        pytest.param("utf-8", "é😀b", (0, 3), (0, 5), "", "é😀b", id="within an emoji in UTF-8"),
        pytest.param("utf-16", "a😀b", (0, 2), (0, 3), "", "a\ud83db", id="half an emoji removed"),
        pytest.param("utf-16", "a😀b", (0, 2), (0, 2), "x", "a\ud83dx\ude00b", id="an emoji parted"),
        pytest.param("utf-16", "a\ud83dx\ude00b", (0, 2), (0, 3), "", "a😀b", id="an emoji joined"),
        pytest.param("utf-16", "a\ud83d", (0, 2), (0, 2), "\ude00", "a😀", id="an emoji in two halves"),
    ],
)
def test_one_edit(encoding, before, start, end, new, after):
    text = TextBuffer(before, encoding)
    text.replace(start, end, new)
    assert str(text) == after
    assert str(text) == joined(after)


def test_a_position_between_cr_and_lf_is_the_line_end():
    assert TextBuffer("ab\r\nc").position(3) == (0, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_wild_edits_through_the_protocol_stay_in_step_with_a_plain_model(encoding):
    for seed in range(3):
        chance = random.Random(f"{encoding} {seed}")
        notified(chance, encoding, sample_text(3000, indent=chance.choice([2, None]), seed=seed), 500)
