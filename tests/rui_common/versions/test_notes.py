"""Notes of a reviewer: reading them, and what a new version did about each."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.paths import format_path, parse_path
from rui_common.validation.validator import validate
from rui_common.versions.compare import compare
from rui_common.versions.notes import NotesError, Outcome, answers_to, read_notes
from rui_common.versions.sentences import plain
from tests.support.examples import DESK

OPEN_ORDERS = "pages[0].children[0].children[0]"
TABLE = "pages[0].children[1].children[0]"
STOCK = "pages[1]"


def written(*notes: tuple[str, str], own_hash: str = "") -> str:
    """Return notes, each given by its path and text."""
    lines = [
        "Change the RUI as these notes say, and nothing else. Keep the ids.",
        "",
        "- Spec: https://rui.example/specs/1",
    ]
    if own_hash:
        lines.append(f"- Content hash: `{own_hash}`")
    for number, (path, text) in enumerate(notes, 1):
        code = f"`{path}`" if "`" not in path else f"``` {path} ```"
        lines += ["", f"{number}. Metric **Some \\*name\\*** {code}", "   - Id: `a`", '   - Now: `{"a": 1}`']
        first, *rest = text.split("\n")
        lines += [f"   - Note: {first}", *(f"     {line}".rstrip() for line in rest)]
    return "\n".join([*lines, ""])


def outcomes(text: str, new: object, old: object = DESK) -> list[tuple[Outcome, list[str]]]:
    answers = answers_to(read_notes(text), old, "", compare(old, new))
    return [(one.outcome, [plain(change.sentence) for change in one.changes]) for one in answers.answers]


def test_reading() -> None:
    first = "Show the amount.\n\n1. **x** `pages[9]`\n- Note: still the first"
    text = written((OPEN_ORDERS, first), ("", "All of it"), own_hash="h")
    notes = read_notes(text)
    assert notes.content_hash == "h"
    assert [(one.number, format_path(one.path), one.name) for one in notes.notes] == [
        (1, OPEN_ORDERS, "Some *name*"), (2, "", "Some *name*"),
    ]  # fmt: skip
    assert notes.notes[0].text == first
    assert read_notes("\ufeff" + text.replace("\n", "\r\n")) == notes
    assert read_notes(f"\n  \n{text}- Content hash: `another`\n") == notes
    assert read_notes(f"Dear all,\n\n{text}\n\nRegards\n").notes == notes.notes


@given(st.lists(st.one_of(st.integers(0, 99), st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])))))
def test_every_path_is_read_back(steps: list[str | int]) -> None:
    path = format_path(tuple(steps))
    assert parse_path(path) == tuple(steps)
    fence = "`" * (max([0, *map(len, "".join(c if c == "`" else " " for c in path).split())]) + 1)
    text = f"1. {fence} {path} {fence}\n   - Note: x\n"
    if path.strip():
        assert read_notes(text).notes[0].path == tuple(steps)


@pytest.mark.parametrize(("text", "message"), [
    ("", "it contains no notes: copy them from the page of a spec"),
    ("# Notes\n\nAll fine.\n", "it contains no notes: copy them from the page of a spec"),
    ("{}", "it contains no notes: copy them from the page of a spec"),
    ("1. `pages[`\n   - Note: x\n", "note 1 has a path that cannot be read: pages["),
    (written((OPEN_ORDERS, "x")) * 1_001, "it contains 1,001 notes, at most 1,000 are read"),
])  # fmt: skip
def test_texts_without_readable_notes(text: str, message: str) -> None:
    with pytest.raises(NotesError, match=f"^{message.replace('[', '.')}$"):
        read_notes(text)


def test_notes_about_another_document() -> None:
    own_hash = content_hash(normalize(validate(DESK).tree))
    same = compare(DESK, DESK)
    with pytest.raises(NotesError, match=r"^the notes are about another document: its content hash is h, that of the "):
        answers_to(read_notes(written((STOCK, "x"), own_hash="h")), DESK, own_hash, same)
    assert answers_to(read_notes(written((STOCK, "x"), own_hash="h")), DESK, "", same).answers
    with pytest.raises(NotesError, match=r"^note 1 is about Some \*name\*, and the old version has no pages\[7\]$"):
        answers_to(read_notes(written(("pages[7]", "x"))), DESK, own_hash, same)
    assert answers_to(read_notes(written((STOCK, "x"), own_hash=own_hash)), DESK, own_hash, same).answers


def test_outcomes() -> None:
    new = copy.deepcopy(DESK)
    metric = new["pages"][0]["children"][0]["children"][0]
    metric["label"] = "Orders"
    metric["id"] = "renamed"
    new["pages"].pop()
    new["navigation"]["items"].pop()
    gone = "Page Stock is gone."
    paths = (OPEN_ORDERS, TABLE, STOCK, f"{STOCK}.children[0].children[0]", "pages[0]", f"{OPEN_ORDERS}.label")
    found = outcomes(written(*((path, "x") for path in (*paths, f"{OPEN_ORDERS}.binding"))), new)
    assert [outcome.value for outcome, _ in found] == [
        "changed", "untouched", "gone", "gone", "changed", "changed", "untouched",
    ]  # fmt: skip
    assert "Open orders is now called Orders." in found[0][1]
    assert gone in found[2][1]
    assert gone in found[3][1]
    assert found[5][1] == ["Open orders is now called Orders."]


def test_what_else_is_gone_is_no_answer() -> None:
    new = copy.deepcopy(DESK)
    new["pages"][0]["children"][0]["children"].pop(0)
    new["pages"].pop()
    assert outcomes(written((OPEN_ORDERS, "x")), new) == [(Outcome.GONE, ["Open orders is gone from page Today."])]


def test_a_part_that_loses_a_block_has_changed() -> None:
    new = copy.deepcopy(DESK)
    sections = new["pages"][0]["children"]
    sections[1]["children"].append(sections[0]["children"].pop(0))
    [(outcome, sentences)] = outcomes(written(("pages[0].children[0]", "x")), new)
    assert (outcome, len(sentences)) == (Outcome.CHANGED, 1)
    assert sentences[0].startswith("Open orders moves from ")


def test_a_part_that_moved_and_a_new_part_in_it() -> None:
    new = copy.deepcopy(DESK)
    sections = new["pages"][0]["children"]
    sections.reverse()
    sections[1]["children"].append({"id": "new", "type": "Text", "content": "New."})
    found = outcomes(written(("pages[0].children[0]", "Explain it"), (OPEN_ORDERS, "x")), new)
    assert [outcome for outcome, _ in found] == [Outcome.CHANGED, Outcome.UNTOUCHED]


def test_changes_without_a_note() -> None:
    new = copy.deepcopy(DESK)
    new["pages"][0]["title"] = "Now"
    new["pages"][0]["children"][0]["children"][0]["label"] = "Orders"
    answers = answers_to(read_notes(written((OPEN_ORDERS, "x"))), DESK, "", compare(DESK, new))
    assert [plain(change.sentence) for change in answers.others] == ["Page Today is now called Now."]
    assert answers.is_each_followed


def test_a_document_that_is_no_object() -> None:
    with pytest.raises(NotesError):
        answers_to(read_notes(written((STOCK, "x"))), json.loads("[]"), "", compare([], DESK))
