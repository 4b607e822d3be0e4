"""The code frames of `rui check`, compared with expected frames."""

import re

import pytest

from rui_cli.output import width
from tests.rui_cli.running import VALID, rui

# Text to replace in VALID, its replacement, and the diagnostic.
FRAMES = {
    "one place": (
        '"content": "x"', '"content": "x", "colour": "red"',
        """\
error[R7 UNKNOWN_PROP]: Unknown property "colour".
 --> <stdin>:8:56
  |
8 |         {"id": "note", "type": "Text", "content": "x", "colour": "red"}
  |                                                        ^^^^^^^^
  |
  = path: pages[0].children[0].children[0].colour
  = help: HINT
"""),
    "a place further up": (
        '"note"', '"home"',
        """\
error[R3 DUPLICATE_ID]: Duplicate node id "home".
 --> <stdin>:8:16
  |
6 |     {"id": "home", "type": "Page", "title": "Home", "children": [
  |            ------ First used here.
...
8 |         {"id": "home", "type": "Text", "content": "x"}
  |                ^^^^^^
  |
  = path: pages[0].children[0].children[0].id
  = help: HINT
"""),
    "a place below, line numbers of two digits": (
        '"type": "Text", "content": "x"}', '"type": "Text", "content": "x",\n\n\n"content":\n "y"}',
        """\
warning[DUPLICATE_KEY]: Property "content" is repeated below; only the last one counts.
  --> <stdin>:8:40
   |
 8 |         {"id": "note", "type": "Text", "content": "x",
   |                                        ^^^^^^^^^
...
11 | "content":
   | --------- This one counts.
   |
   = path: pages[0].children[0].children[0].content
   = help: HINT
"""),
    "two places on one line": (
        '"x"}', '"x"}, {"id": "note", "type": "Text", "content": "x"}',
        """\
error[R3 DUPLICATE_ID]: Duplicate node id "note".
 --> <stdin>:8:64
  |
8 |         {"id": "note", "type": "Text", "content": "x"}, {"id": "note", "type": "Text", "content": "x"}
  |                                                                ^^^^^^
  |                ------ First used here.
  |
  = path: pages[0].children[0].children[1].id
  = help: HINT
"""),
    "tabs, wide characters, and characters that would move the cursor or turn the line around": (
        '        {"id": "note", "type": "Text", "content": "x"',
        '\t\t{\t"id":\t"note", "type": "Text", "content": "日本🎉 \u202ex\x7f\u2028👩\u200d🚀", "\u202e名": 1',
        """\
error[R7 UNKNOWN_PROP]: Unknown property "\\u202e名".
 --> <stdin>:8:61
  |
8 |         {   "id":   "note", "type": "Text", "content": "日本🎉 \\u202ex\\u007f\\u2028👩\\u200d🚀", "\\u202e名": 1}
  |                                                                                                ^^^^^^^^^^
  |
  = path: pages[0].children[0].children[0]["\\u202e名"]
  = help: HINT
"""),
    "the end of the text": (
        VALID, '{\n  "version": "0.1",\n  "meta": {\n',
        """\
error[R0 INVALID_JSON]: 2 objects and arrays are never closed: expected }}
 --> <stdin>:4:1
  |
4 |
  | ^
  |
  = help: HINT
"""),
}  # fmt: skip


def check(text: str, expected: str) -> None:
    """Compare the output of `rui check` for one diagnostic, without signatures; HINT in `expected` is any hint."""
    ran = rui("check", "-", stdin=text)
    frame, _, summary = ran.out.rpartition("\n1 ")
    assert summary.startswith(("error in 1 file; 1 file checked\n", "warning in 1 file; 1 file checked\n"))
    assert re.sub(r"(= help:) .*", r"\1 HINT", re.sub(r"\n *= note: .*", "", frame)) == expected


@pytest.mark.parametrize(("old", "new", "expected"), FRAMES.values(), ids=FRAMES)
def test_frames(old: str, new: str, expected: str) -> None:
    text = VALID.replace(old, new, 1)
    for line_end in ("\n", "\r\n", "\r"):
        check(text.replace("\n", line_end), expected)
    colored = rui("check", "-", stdin=text, environment={"FORCE_COLOR": "1"}).out
    assert colored.startswith(("\x1b[1;31merror[", "\x1b[1;33mwarning["))
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == rui("check", "-", stdin=text).out


WIDTHS = {"ascii": "lorem ipsum ", "wide": "日本語🎉", "tabs": "\t", "escapes": "\x85", "combining": "e\u0301"}


@pytest.mark.parametrize("filler", WIDTHS.values(), ids=WIDTHS)
def test_no_line_of_a_frame_is_wider_than_it_may_be(filler: str) -> None:
    for length in (5, 60, 3000):
        # A tab is allowed between strings only.
        within, between = ("", filler * length) if filler == "\t" else (filler * length, "")
        line = f'"{within}", {between}"colour": {between}"{within}"'
        text = VALID.replace('"x"', line).replace("\n", " ")
        ran = rui("check", "-", stdin=text)
        lines = ran.out.split("\n")
        row = next(line for line in lines if line.startswith("1 |"))
        marks = lines[lines.index(row) + 1]
        assert sum(map(width, row)) <= 120
        # The marks are under the marked columns.
        before = marks.index("^")
        shown, columns = 0, 0
        while columns < before:
            columns += width(row[shown])
            shown += 1
        while width(row[shown]) == 0:
            shown += 1
        assert row[shown:].startswith('"colour"')
        assert marks[before:] == "^" * len('"colour"')


@pytest.mark.parametrize(("is_terminal", "environment", "expected"), [
    (False, {}, False), (True, {}, True), (True, {"TERM": "dumb"}, False), (True, {"NO_COLOR": "1"}, False),
    (True, {"NO_COLOR": ""}, True), (False, {"FORCE_COLOR": "1"}, True), (False, {"FORCE_COLOR": "0"}, False),
    (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), (False, {"GIT_PAGER_IN_USE": "true"}, True),
    (False, {"FORCE_COLOR": "2"}, True), (False, {"FORCE_COLOR": "3"}, True), (False, {"FORCE_COLOR": "true"}, True),
    (False, {"FORCE_COLOR": "yes"}, True), (True, {"FORCE_COLOR": "0"}, False), (True, {"FORCE_COLOR": "false"}, False),
    (False, {"FORCE_COLOR": "false"}, False), (True, {"FORCE_COLOR": "False"}, False),
    (True, {"FORCE_COLOR": ""}, True), (False, {"FORCE_COLOR": ""}, False), (True, {"NO_COLOR": "0"}, False),
    (False, {"FORCE_COLOR": "1", "NO_COLOR": ""}, True), (False, {"CLICOLOR_FORCE": "1"}, True),
    (False, {"CLICOLOR_FORCE": "0"}, False), (True, {"CLICOLOR_FORCE": "0"}, True), (True, {"CLICOLOR": "0"}, False),
    (True, {"CLICOLOR": "1"}, True), (False, {"CLICOLOR": "1"}, False), (True, {"CLICOLOR": ""}, True),
    (False, {"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, True), (False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    (False, {"CLICOLOR_FORCE": "1", "FORCE_COLOR": "0"}, False),
    (False, {"GIT_PAGER_IN_USE": "1", "CLICOLOR": "0"}, False),
])  # fmt: skip
def test_use_of_colors(is_terminal: bool, environment: dict[str, str], expected: bool) -> None:
    ran = rui("check", "-", stdin="[]", is_terminal=is_terminal, environment=environment)
    assert ("\x1b[" in ran.out) == expected


def test_a_terminal_of_another_encoding_gets_escapes() -> None:
    ran = rui("check", "-", stdin=VALID.replace('"content"', '"größe 🎉"'), encoding="ascii")
    assert "gr\\xf6\\xdfe \\U0001f389" in ran.out
    assert ran.code == 1
