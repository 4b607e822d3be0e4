"""The code frames of `rui check`, compared with expected frames."""

from __future__ import annotations

import re

import pytest

from rui_cli.terminal_text import width
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


@pytest.mark.parametrize(("old", "new", "expected"), FRAMES.values(), ids=FRAMES)
def test_frames(old: str, new: str, expected: str) -> None:
    text = VALID.replace(old, new, 1)
    check(text, expected)
    colored = rui("check", "-", "--color", "always", stdin=text).out
    assert colored.startswith(("\x1b[1;31merror[", "\x1b[1;33mwarning["))
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == rui("check", "-", stdin=text).out


def check(text: str, expected: str) -> None:
    """Compare the output of `rui check` for one diagnostic, without signatures; HINT in `expected` is any hint."""
    ran = rui("check", "-", stdin=text)
    frame, _, summary = ran.out.rpartition("\n1 ")
    assert summary.startswith(("error in 1 file; 1 file checked\n", "warning in 1 file; 1 file checked\n"))
    assert re.sub(r"(= help:) .*", r"\1 HINT", re.sub(r"\n *= note: .*", "", frame)) == expected


def test_lines_that_end_otherwise_look_the_same() -> None:
    old, new, expected = FRAMES["one place"]
    for line_end in ("\r\n", "\r"):
        check(VALID.replace(old, new).replace("\n", line_end), expected)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    old, new, _ = FRAMES["one place"]
    head, tail = VALID.replace(old, new).replace("\n", " ").split('"colour"')
    text = f'{head}{" " * 150_000}"colour"{tail.rstrip()}{" " * 100_000}'
    check(text, """\
error[R7 UNKNOWN_PROP]: Unknown property "colour".
 --> <stdin>:1:COLUMN
  |
1 | …                                      "colour": "red"}       ]}     ]}   ] }                                      …
  |                                        ^^^^^^^^
  |
  = path: pages[0].children[0].children[0].colour
  = help: HINT
""".replace("COLUMN", str(text.index('"colour"') + 1)))  # fmt: skip


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


def test_a_place_longer_than_the_line_is_marked_to_the_end() -> None:
    ran = rui("check", "-", stdin=VALID.replace('"stack"', f'"{"x" * 500}"'))
    row, marks = ran.out.split("\n")[3:5]
    assert row.endswith("xxx…")
    assert marks.endswith("^^^")
    assert len(marks) == len(row)


# Arguments, whether there is a terminal, environment → whether there is colour.
COLORS = {
    "pipe": ("auto", False, {}, False),
    "terminal": ("auto", True, {}, True),
    "dumb terminal": ("auto", True, {"TERM": "dumb"}, False),
    "NO_COLOR": ("auto", True, {"NO_COLOR": "1"}, False),
    "empty NO_COLOR": ("auto", True, {"NO_COLOR": ""}, True),
    "FORCE_COLOR": ("auto", False, {"FORCE_COLOR": "1"}, True),
    "FORCE_COLOR=0": ("auto", False, {"FORCE_COLOR": "0"}, False),
    "both": ("auto", False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    "always": ("always", False, {"NO_COLOR": "1"}, True),
    "never": ("never", True, {"FORCE_COLOR": "1"}, False),
}


@pytest.mark.parametrize(("wish", "is_terminal", "environment", "expected"), COLORS.values(), ids=COLORS)
def test_use_of_colors(wish: str, is_terminal: bool, environment: dict[str, str], expected: bool) -> None:
    ran = rui("check", "-", "--color", wish, stdin="[]", is_terminal=is_terminal, environment=environment)
    assert ("\x1b[" in ran.out) == expected


def test_a_terminal_of_another_encoding_gets_escapes() -> None:
    ran = rui("check", "-", stdin=VALID.replace('"content"', '"größe 🎉"'), encoding="ascii")
    assert "gr\\xf6\\xdfe \\U0001f389" in ran.out
    assert ran.code == 1
