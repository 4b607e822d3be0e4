"""Reading notes of a reviewer: as they are copied, and as people send them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.paths import format_path, parse_path
from rui_common.versions.notes import Note, NotesError, read_notes
from tests.support.senders import SENDERS

OPEN_ORDERS = "pages[0].children[0].children[0]"

FIRST, *PARTS = Path(__file__).with_name("sent_notes.txt").read_text(encoding="utf-8").split("\n== ")
SENT = {name: text for name, _, text in (part.partition("\n") for part in PARTS)}
COPIED = SENT["as they are copied"]


def same(notes: list[Note]) -> list[Note]:
    """Return notes without what a formatter changes in a text: white space, and the marks of lists."""
    return [note._replace(text=" ".join(re.sub(r"[*+•-]|\d[.)]|_+|\*+", "", note.text).split())) for note in notes]


@pytest.mark.parametrize("name", SENT)
def test_formatters(name: str) -> None:
    assert same(read_notes(SENT[name])) == same(read_notes(COPIED))


@pytest.mark.parametrize("name", SENDERS)
def test_senders(name: str) -> None:
    assert same(read_notes(SENDERS[name](COPIED))) == same(read_notes(COPIED))


@given(st.lists(st.sampled_from([*SENDERS]), max_size=3, unique=True))
def test_what_is_sent_on_is_read(names: list[str]) -> None:
    text = COPIED
    for name in names:
        text = SENDERS[name](text)
    expected = [(note.path, note.node_id) for note in read_notes(COPIED)]
    assert [(note.path, note.node_id) for note in read_notes(text)] == expected, text


def test_what_a_note_has() -> None:
    first, second, third = read_notes(COPIED)
    own_hash = "sha256:4f1bd28c47a6a6d8a9f6a1d44d4d7d7d6a3a7a2e13f5a1c1b1d2e3f405162738"
    assert first == Note(1, ("pages", 0), "Today", "Shorter", "today", own_hash)
    assert (second.number, format_path(second.path), second.node_id) == (2, OPEN_ORDERS, "open-orders")
    assert second.name.endswith("look at them *now*")
    assert second.text.split("\n")[1:] == [
        "1. **x** `pages[9]`", "   - Note: is no note, but a part of this one", "", "And `code`.",
    ]  # fmt: skip
    assert (third.path, third.text) == (("pages", 0, "a`b c"), "The newest first")


def test_notes_on_several_documents() -> None:
    other = COPIED.replace("sha256:4f", "sha256:00")
    notes = read_notes(f"{COPIED}\n{other}\n- Content hash: `of-nothing`\n")
    assert [note.number for note in notes] == [1, 2, 3, 4, 5, 6]
    assert [note.document_hash[:9] for note in notes] == ["sha256:4f"] * 3 + ["sha256:00"] * 3


def test_some_of_the_notes() -> None:
    [note] = read_notes(COPIED[COPIED.index("3. ") :])
    assert (note.number, note.document_hash, note.text) == (3, "", "The newest first")
    assert read_notes("1. `pages`")[0].title == "pages"
    assert [read_notes(f"1. {root}\n  - Note: All of it")[0] for root in ("``", "`` ``")] == [
        Note(1, (), "", "All of it")
    ] * 2


@given(st.lists(st.one_of(st.integers(0, 99), st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])))))
def test_every_path_is_read_back(steps: list[str | int]) -> None:
    path = format_path(tuple(steps))
    assert parse_path(path) == tuple(steps)
    fence = "`" * (max([0, *map(len, "".join(c if c == "`" else " " for c in path).split())]) + 1)
    text = f"1. {fence} {path} {fence}\n   - Note: x\n"
    if path.strip():
        assert read_notes(text)[0].path == tuple(steps)


@pytest.mark.parametrize(("text", "message"), [
    ("", "it contains no notes: copy them from the page of a spec"),
    ("# Notes\n\nAll fine.\n", "it contains no notes: copy them from the page of a spec"),
    ("1. Say `hello` to all.\n2. Go on.\n", "it contains no notes: copy them from the page of a spec"),
    ("{}", "it contains no notes: copy them from the page of a spec"),
    ("1. `pages[`\n   - Note: x\n", "note 1 has a path that cannot be read: pages["),
    ("1. `pages`\n" * 1_001, "it contains 1,001 notes, at most 1,000 are read"),
])  # fmt: skip
def test_texts_without_readable_notes(text: str, message: str) -> None:
    with pytest.raises(NotesError, match=f"^{re.escape(message)}$"):
        read_notes(text)
