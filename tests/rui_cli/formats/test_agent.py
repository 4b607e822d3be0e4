"""`rui check --format agent`: one line an error or warning with its hint, small and the same each time."""

import json
from pathlib import Path

import pytest

from rui_cli.formats import WITH_SUMMARY
from rui_common.vocabulary.rules import MAX_ERRORS
from tests.inputs.sample import sample_text
from tests.rui_cli.running import FAULTY, VALID, rui


def lines(*arguments: str | Path, stdin: str = "") -> list[str]:
    ran = rui("check", "--format", "agent", *arguments, stdin=stdin, environment={"FORCE_COLOR": "1"})
    assert ran.err == ""
    assert "\x1b" not in ran.out
    return ran.out.splitlines()


def test_a_line_has_place_path_message_and_hint() -> None:
    first, second, last = lines("-", stdin=FAULTY)
    place = "<stdin>:6:28: error R6 MISSING_REQUIRED_PROP at pages[0].title: "
    assert first.startswith(f'{place}Missing required property "title". Add the property. ')
    assert 'Got "titel"; did you mean "title"?' in first
    assert "error R7 UNKNOWN_PROP at pages[0].titel: " in second
    assert last == "2 errors in 1 file; 1 file checked"


def test_each_signature_is_shown_once() -> None:
    found = lines("-", stdin=VALID.replace('"content"', '"a"'))
    assert "\n".join(found).count('Text: {"id": ID') == 1
    other = VALID.replace('"content"', '"b"')
    assert "\n".join(lines("-", stdin=other)).count("Every ID is unique") == 1


def test_warnings() -> None:
    text = VALID.replace('{"pageId": "home"}', '{"pageId": "home", "title": "Home"}')
    warning, last = lines("-", stdin=text)
    assert warning.startswith('<stdin>:4:47: warning NOT_SHOWN at navigation.items[0].title: "title" is not shown; did')
    assert last == "1 warning in 1 file; 1 file checked"
    assert lines("-", stdin=VALID) == ["no errors; 1 file checked"]


def test_fifty_broken_tokens_are_one_line(tmp_path: Path) -> None:
    text = sample_text(9_000)
    for _ in range(50):
        text = text.replace('"type": "', '"type" "', 1)
    file = tmp_path / "broken.rui.json"
    file.write_text(text)
    broken, rules, last = lines(file)
    assert broken.startswith(f"{file}: error R0 INVALID_JSON: Line ")
    assert "The same at line:column" in broken
    assert rules.startswith("JSON has double quotes")
    assert last == "50 errors in 1 file; 1 file checked"
    assert len("\n".join((broken, rules, last))) < 2_000


def test_what_can_be_read_of_a_broken_text_is_checked() -> None:
    found = lines("-", stdin=FAULTY.replace('"0.1",', '"0.1"'))
    assert [line.split(": ")[1].split(" ")[-1] for line in found[:1]] == ["INVALID_JSON"]
    assert any("UNKNOWN_PROP at pages[0].titel" in line for line in found)


def test_a_root_that_is_no_object() -> None:
    assert lines("-", stdin="[1]")[0].startswith("<stdin>:1:1: error R0 INVALID_JSON: The root of a RUI is an object")


def test_more_than_fifty_are_counted() -> None:
    value = json.loads(VALID) | {f"extra{number}": 1 for number in range(MAX_ERRORS + 7)}
    found = lines("-", stdin=json.dumps(value))
    assert found[-2:] == ["<stdin>: and 7 more", "57 errors in 1 file; 1 file checked"]
    assert len(found) == MAX_ERRORS + 2


def test_what_is_fixed_is_in_the_last_line(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)
    ran = rui("check", "--format", "agent", "--fix", file)
    assert ran.out == "no errors; 2 errors fixed in 1 file; 1 file checked\n"
    assert ran.err == f"rui check: fixed {file}\n"


@pytest.mark.parametrize("format_", WITH_SUMMARY)
def test_quiet_is_without_the_counts(format_: str, tmp_path: Path) -> None:
    loud, quiet = (rui("check", "--format", format_, *more, "-", stdin=FAULTY).out for more in ((), ("--quiet",)))
    assert loud.startswith(quiet)
    assert "file checked" in loud and "file checked" not in quiet
    assert rui("check", "-q", "--format", format_, "-", stdin=VALID) == (0, "", "")
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)
    assert rui("check", "-q", "--fix", "--format", format_, file) == (0, "", f"rui check: fixed {file}\n")
