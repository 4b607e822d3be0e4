"""What a new version did about notes on the old one."""

import copy
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from rui_common.hashing import content_hash
from rui_common.syntax.paths import format_path, parse_path, value_at
from rui_common.versions.answers import answers_to
from rui_common.versions.compare import compare
from rui_common.versions.elements import elements_of
from rui_common.versions.notes import Note, NotesError, OtherDocumentError
from rui_common.versions.replaced import version_hash
from rui_common.versions.sentences import plain
from tests.inputs.noting import check, check_chain
from tests.rui_common.versions.truths import CLINIC, edited
from tests.support.examples import DESK
from tests.support.nightly import seeds
from tests.support.strategies import Json

OUTCOMES = ("followed", "untouched", "gone")


class Case(NamedTuple):
    """Two versions, the notes, and what is said about each."""

    name: str
    old: Json
    new: Json
    notes: list[tuple[str, str, list[str] | None]]  # outcome, path, and the sentences that are expected, if any are
    others: list[str] | None  # the sentences without a note, if they are expected


def cases() -> Iterator[Case]:
    for part in Path(__file__).with_name("answers.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = part.strip().split("\n")
        old = copy.deepcopy(CLINIC)
        new = copy.deepcopy(CLINIC)
        notes: list[tuple[str, str, list[str] | None]] = []
        others = None
        for line in lines:
            command, _, rest = line.partition(" ")
            if command in OUTCOMES:
                notes.append((command, path_of(old, rest), None))
            elif command == ">" and others is None:
                outcome, path, sentences = notes[-1]
                notes[-1] = outcome, path, [*(sentences or []), *filter(None, [rest])]
            elif command == "others":
                others = []
            elif command == ">":
                others.append(rest)
            elif command == "to-old":
                command, _, rest = rest.partition(" ")
                old = changed(old, command, rest)
                new = copy.deepcopy(old)
            else:
                new = changed(new, command, rest)
        yield Case(name, old, new, notes, others)


def path_of(document: Json, text: str) -> str:
    """Return a path that may begin with the id of a node."""
    node_id = re.match(r"#([\w-]+)", text)
    if node_id is None:
        return text
    [path] = [element.path for element in elements_of(document) if element.is_node and element.name == node_id[1]]
    return format_path(path) + text[node_id.end() :]


def changed(document: Json, command: str, rest: str) -> Json:
    path, *more = rest.split(" ", 1)
    path = path_of(document, path)
    if command == "renew":
        return renewed(document, path)
    if command == "move":
        more = [path_of(document, more[0])]
    return edited(document, command, " ".join([path, *more]))


def renewed(document: Json, path: str) -> Json:
    steps = parse_path(path)
    nodes = [element for element in elements_of(document) if element.is_node and element.path[: len(steps)] == steps]
    for number, node in enumerate(nodes, 1):
        document = edited(document, "rename", f"{node.name} new-{number}")
    return document


CASES = [*cases()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_answers(case: Case) -> None:
    notes = [Note(number, parse_path(path), "x") for number, (_, path, _) in enumerate(case.notes, 1)]
    found = answers_to(notes, compare(case.old, case.new))
    assert [(answer.outcome.value, format_path(answer.note.path)) for answer in found.answers] == [
        note[:2] for note in case.notes
    ]
    for answer, (outcome, path, sentences) in zip(found.answers, case.notes, strict=True):
        assert sentences is None or answer.lines == sentences, path
        assert answer.path is None or (outcome != "gone" and value_at(case.new, answer.path) is not None)
    if case.others is not None:
        assert [*dict.fromkeys(change.sentence for change in found.others)] == case.others


FOUND = (
    64, 84, 133, 136, 395, 491, 544, 698, 1017, 1371, 1474, 1563, 1587, 1800, 1991, 2093, 3571, 3635, 4318, 5743, 8593,
    11267,
)  # fmt: skip
"""Seeds that have found a fault."""


@pytest.mark.parametrize("numbers", [seeds(40), FOUND], ids=["random", "found"])
def test_random_pairs(numbers: Sequence[int]) -> None:
    verdicts = [check(seed) for seed in numbers]
    assert [line for verdict in verdicts for line in verdict.wrong] == []
    assert sum(verdict.right.total() for verdict in verdicts) > 2 * sum(verdict.unknown for verdict in verdicts)


def test_random_chains_of_three_versions() -> None:
    verdicts = [check_chain(seed) for seed in range(15)]
    assert [line for verdict in verdicts for line in verdict.wrong] == []
    assert sum(verdict.right.total() for verdict in verdicts) > 400


def test_what_changes_without_a_note() -> None:
    new = copy.deepcopy(DESK)
    new["pages"][0]["title"] = "Now"
    new["pages"][0]["children"][0]["children"][0]["label"] = "Orders"
    notes = [Note(1, parse_path("pages[0].children[0].children[0]"), "x")]
    found = answers_to(notes, compare(DESK, new))
    assert [plain(change.sentence) for change in found.others] == ["Page Today is now called Now."]
    assert found.is_each_followed


# Which document the notes are about -----------------------------------------------------------------------------------

REPLACED = "0b2e7f0e-97a4-4a6b-8a6e-0dbb9c9f3a11"
STOCK = parse_path("pages[1]")


def with_meta(**meta: object) -> Json:
    return {**DESK, "meta": {**DESK["meta"], **meta}}


def without_meta() -> Json:
    return {name: value for name, value in DESK.items() if name != "meta"}


EMPTY = {**DESK, "meta": {}}


@pytest.mark.parametrize(("stored", "old"), [
    (DESK, DESK),
    (with_meta(replaces=REPLACED), DESK),
    (with_meta(replaces=REPLACED), with_meta(replaces="another")),
    (DESK, with_meta(replaces=REPLACED)),
    (with_meta(replaces=REPLACED), with_meta(replaces=None)),
    ({**DESK, "meta": {"replaces": REPLACED}}, EMPTY),
    ({**DESK, "meta": {"replaces": REPLACED}}, without_meta()),
    (EMPTY, without_meta()),
    (DESK, json.loads(json.dumps(DESK, sort_keys=True))),
])  # fmt: skip
def test_the_same_document(stored: Json, old: Json) -> None:
    note = Note(1, STOCK, "x", document_hash=version_hash(stored))
    assert answers_to([note], compare(old, DESK)).answers


@pytest.mark.parametrize("old", [
    with_meta(title="Another"), with_meta(owner="x"), EMPTY, without_meta(), CLINIC, {"pages": [1, 2]}, [], {"meta": 1},
])  # fmt: skip
def test_another_document(old: Json) -> None:
    note = Note(1, STOCK, "x", document_hash=version_hash(DESK))
    with pytest.raises(
        OtherDocumentError, match=f"its content hash is {version_hash(DESK)}, that of the old version is "
    ):
        answers_to([note], compare(old, CLINIC))


def test_earlier_notes_have_the_hash_with_the_replaced_spec() -> None:
    stored = with_meta(replaces=REPLACED)
    note = Note(1, STOCK, "x", document_hash=content_hash(stored))
    assert answers_to([note], compare(stored, DESK)).answers


def test_notes_on_the_new_version() -> None:
    note = Note(1, STOCK, "x", document_hash=version_hash(CLINIC))
    with pytest.raises(OtherDocumentError, match=r"^the notes are about the new version: "):
        answers_to([note], compare(DESK, CLINIC))


def test_notes_on_several_documents() -> None:
    notes = [
        Note(number, STOCK, "x", document_hash=version_hash(document))
        for number, document in enumerate((DESK, CLINIC), 1)
    ]
    found = answers_to(notes, compare(CLINIC, CLINIC))
    assert ([answer.note.number for answer in found.answers], found.foreign_count) == ([2], 1)


def test_notes_without_a_hash_have_ids() -> None:
    notes = [Note(1, STOCK, "Stock", node_id="stock")]
    assert answers_to(notes, compare(DESK, DESK)).answers
    with pytest.raises(OtherDocumentError, match=r"id stock, and the old version has ward at pages\[1\]$"):
        answers_to(notes, compare(CLINIC, DESK))
    inner = [Note(1, parse_path("pages[1].title"), "Stock", node_id="stock")]
    assert answers_to(inner, compare(DESK, DESK)).answers


@pytest.mark.parametrize("old", [DESK, [], {}])
def test_a_part_that_the_old_version_does_not_have(old: Json) -> None:
    with pytest.raises(NotesError, match=r"^note 1 is about x, and the old version has no pages\[7\]$"):
        answers_to([Note(1, parse_path("pages[7]"), "x")], compare(old, DESK))
