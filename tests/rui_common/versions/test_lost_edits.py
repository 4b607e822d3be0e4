"""Edits that a merged document has lost. `python -m tests.inputs.auditing` checks many more merges."""

import json
from itertools import islice

import pytest

from rui_common.syntax.document import read
from rui_common.versions.lost_edits import lost_edits
from tests.inputs.auditing import KINDS, false_reports, is_found, lossy_merge
from tests.support.nightly import seeds
from tests.support.small import DOCUMENT

BASE = DOCUMENT.replace("BLOCK", '{"id": "a", "type": "Text", "content": "One"}')


def test_a_lost_edit_of_each_kind_is_found() -> None:
    cases = [case for case in map(lossy_merge, range(8 * len(KINDS))) if case is not None]
    assert {case.kind for case in cases} == {*KINDS}
    assert [case.kind for case in islice(cases, 24) if not is_found(case)] == []


def test_right_merges_have_lost_nothing() -> None:
    assert [(seed, false_reports(seed)) for seed in seeds(15) if false_reports(seed)] == []


# The contents of ours, theirs and the merged document; in the base, it is One. → the number of lost edits of each side
CONTENTS = {
    "ours is lost": ("Two", "One", "One", (1, 0), (1, 0)),
    "theirs is lost": ("One", "Two", "One", (0, 1), (0, 1)),
    "ours is there": ("Two", "One", "Two", (0, 0), (0, 0)),
    "both, and the merged one has ours": ("Two", "Three", "Two", (0, 0), (0, 0)),
    "both, and the merged one has another": ("Two", "Three", "Four", (0, 0), (0, 0)),
    "both, and the merged one has that of the base": ("Two", "Three", "One", (0, 0), (1, 1)),
    "what nobody changed is another": ("One", "One", "Two", (0, 0), (0, 0)),
}


@pytest.mark.parametrize(("ours", "theirs", "merged", "lost", "strict"), CONTENTS.values(), ids=CONTENTS)
def test_who_changed_it(ours: str, theirs: str, merged: str, lost: tuple[int, int], strict: tuple[int, int]) -> None:
    versions = [read(BASE.replace("One", content)) for content in ("One", ours, theirs, merged)]
    for is_strict, expected in ((False, lost), (True, strict)):
        assert tuple(map(len, lost_edits(*versions, is_strict=is_strict))) == expected


BLOCKS = {
    name: json.dumps({"id": name, "type": "Text", "content": content})
    for name, content in (("a", "All of today"), ("b", "Behind the plan"), ("c", "Behind the rest"))
}

# The blocks of base, ours, theirs and the merged document → the number of lost edits of each side
LISTS = {
    "an added block beside one that theirs deletes": ("ab", "abc", "a", "a", (1, 0)),
    "the same, and the merged one has it": ("ab", "abc", "a", "ac", (0, 0)),
    "a deleted block beside one that theirs adds": ("ab", "a", "abc", "abc", (1, 0)),
    "the choice at a conflict: theirs has another in place of it": ("ab", "ac", "a", "a", (0, 0)),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "merged", "lost"), LISTS.values(), ids=LISTS)
def test_lost_blocks(base: str, ours: str, theirs: str, merged: str, lost: tuple[int, int]) -> None:
    versions = [
        read(DOCUMENT.replace("BLOCK", ", ".join(BLOCKS[name] for name in names)))
        for names in (base, ours, theirs, merged)
    ]
    assert tuple(map(len, lost_edits(*versions))) == lost
