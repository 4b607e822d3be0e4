"""An entry that is written into a `rui.toml` as text: comments and layout stay."""

import random
import tomllib

import pytest

from rui_common.editing.edits import apply
from rui_common.project.ignore_edit import ignore_edits

GLOB, ENTRY = "./a.rui.json", "MARKUP at note"

WRITTEN = {
    "": '[per-file-ignores]\n"./a.rui.json" = ["MARKUP at note"]\n',
    'exclude = ["x"] # why': 'exclude = ["x"] # why\n\n[per-file-ignores]\n"./a.rui.json" = ["MARKUP at note"]\n',
    "# only\r\n": '# only\r\n\r\n[per-file-ignores]\r\n"./a.rui.json" = ["MARKUP at note"]\r\n',
    '[per-file-ignores] # old\n"b" = ["X"]  # b\n\n# the API\n[api]\nstrict = true\n': (
        '[per-file-ignores] # old\n"b" = ["X"]  # b\n"./a.rui.json" = ["MARKUP at note"]\n\n# the API\n[api]\n'
        "strict = true\n"
    ),
    "[per-file-ignores]": '[per-file-ignores]\n"./a.rui.json" = ["MARKUP at note"]\n',
    '["per-file-ignores"]\n\n[rules]\n': '["per-file-ignores"]\n"./a.rui.json" = ["MARKUP at note"]\n\n[rules]\n',
    '[per-file-ignores]\n"./a.rui.json" = []\n': '[per-file-ignores]\n"./a.rui.json" = ["MARKUP at note"]\n',
    "[per-file-ignores]\n'./a.rui.json' = ['X at y', ] # z\n": (
        "[per-file-ignores]\n'./a.rui.json' = ['X at y', \"MARKUP at note\", ] # z\n"
    ),
    '[per-file-ignores]\n"./a.rui.json" = [\n  "X",  # why\n  # end\n]\n[api]\n': (
        '[per-file-ignores]\n"./a.rui.json" = [\n  "X",  # why\n  "MARKUP at note",\n  # end\n]\n[api]\n'
    ),
    '[per-file-ignores]\n"./a.rui.json" = [\n\t"X]"  # [why]\n]\n': (
        '[per-file-ignores]\n"./a.rui.json" = [\n\t"X]",  # [why]\n\t"MARKUP at note"\n]\n'
    ),
    '[per-file-ignores]\r\n"./a.rui.json" = [\r\n  "X"\r\n]\r\n': (
        '[per-file-ignores]\r\n"./a.rui.json" = [\r\n  "X",\r\n  "MARKUP at note"\r\n]\r\n'
    ),
    '[api.overrides]\n"./a.rui.json" = ["X"]\n[per-file-ignores]\n"./a.rui.json" = ["X"]': (
        '[api.overrides]\n"./a.rui.json" = ["X"]\n[per-file-ignores]\n"./a.rui.json" = ["X", "MARKUP at note"]'
    ),
    'x = """\n[per-file-ignores]\n"""\n': (
        'x = """\n[per-file-ignores]\n"""\n\n[per-file-ignores]\n"./a.rui.json" = ["MARKUP at note"]\n'
    ),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_an_entry_is_added_as_text(text: str) -> None:
    edits = ignore_edits(text, GLOB, ENTRY)
    assert edits is not None
    assert apply(text, edits) == WRITTEN[text]


NOT_WRITTEN = ["[", "per-file-ignores = 1", 'per-file-ignores = {"a" = ["X"]}', "per-file-ignores.b = ['X']\n[api]\n"]


@pytest.mark.parametrize("text", [*NOT_WRITTEN, "a = " + "[" * 10_000])
def test_a_text_that_is_not_understood_stays(text: str) -> None:
    assert ignore_edits(text, GLOB, ENTRY) is None


def test_names_that_need_escapes() -> None:
    for glob in ('a"b\\c.rui.json', "größe 😀.rui.json", "a#b]c'.rui.json", "[[]x].rui.json"):
        text = ""
        for number in range(3):
            edits = ignore_edits(text, glob, f"MARKUP at n{number}")
            assert edits is not None
            text = apply(text, edits)
        assert tomllib.loads(text) == {"per-file-ignores": {glob: [f"MARKUP at n{number}" for number in range(3)]}}
    assert ignore_edits("", "a\x7fb", ENTRY) is None
    assert ignore_edits("", "a\nb", ENTRY) is None


PIECES = (
    'exclude = ["a"]\n|# note\n|\n|[per-file-ignores]\n|"b.json" = ["X"]\n|"./a.rui.json" = ["Y"]\n|'
    '"./a.rui.json" = [\n  "Y", # y\n]\n|[rules]\n|MARKUP = "off"\n|[api]\n|strict = true\n'
).split("|")


def test_what_is_added_is_exactly_the_entry() -> None:
    chance = random.Random(54)
    offered = 0
    for _ in range(500):
        text = "".join(chance.choices(PIECES, k=chance.randrange(10)))
        edits = ignore_edits(text, GLOB, ENTRY)
        if edits is None:
            continue
        offered += 1
        after = tomllib.loads(apply(text, edits))
        entries = after["per-file-ignores"][GLOB]
        assert entries.pop() == ENTRY
        before = tomllib.loads(text)
        before.setdefault("per-file-ignores", {}).setdefault(GLOB, [])
        assert after == before
        assert {*text.splitlines()} <= {*apply(text, edits).replace('["Y", "MARKUP at note"]', '["Y"]').splitlines()}
    assert offered > 100
