"""The output formats for programs: structure and escaping."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_cli.formats import FORMATS
from rui_cli.results import MAX_WITH_FIXES
from rui_common.problems.document import DUPLICATE_KEY
from rui_common.problems.lints import WARNINGS
from rui_common.vocabulary.rules import RULES
from tests.rui_cli.formats.workflow_commands import COMMAND, commands
from tests.rui_cli.running import VALID, rui

FAULTY = VALID.replace('"note"', '"home"').replace('"x"}', '"x", "a,b:c%d\\ne\\u0007<&>\\"é🎉": 1, "type": "Text"}')
"""Three diagnostics: a duplicate id, an unknown property with an awkward name, a duplicate key."""

MISSPELT = VALID.replace('"content"', '"contnet"').replace('[{"pageId": "home"}]', '{"pageId": "home"}')
"""Two diagnostics, each with a safe fix."""


def output(format_: str, *arguments: str | Path, stdin: str | bytes = b"") -> str:
    ran = rui("check", "--format", format_, *arguments, stdin=stdin, encoding="latin-1")
    assert ran.err == ""
    return ran.out


def replaced(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text after replacements at offsets."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


PIECES = st.binary(max_size=4) | st.text('{}[]",:\x1b\u202eé🎉', max_size=9).map(str.encode)


@st.composite
def incomplete(draw: st.DrawFn) -> bytes:
    """A valid document with changed bytes."""
    data = bytearray(VALID.encode())
    for _ in range(draw(st.integers(0, 4))):
        offset = draw(st.integers(0, len(data)))
        data[offset : offset + draw(st.integers(0, 12))] = draw(PIECES)
    return bytes(data)


@given(incomplete(), st.sampled_from(list(FORMATS)))
def test_every_format_shows_any_file(source: bytes, format_: str) -> None:
    ran = rui("check", "--format", format_, "-", stdin=source)
    assert ran.code in {0, 1} and ran.err == ""
    if format_ in {"full", "concise", "github"}:
        assert ran.out.replace("\n", "").isprintable()


@pytest.mark.parametrize("format_", FORMATS)
def test_agents_alone_get_the_notation_of_shapes(format_: str) -> None:
    """It takes ten lines. People have their editor, `rui explain` and the documentation."""
    text = output(format_, "-", stdin=VALID.replace('"x"}', '"x", "lable": "y"}'))
    assert ("Text: {" in text) == (format_ == "agent")


# JSON -----------------------------------------------------------------------------------------------------------------


def test_json_is_as_it_is_documented() -> None:
    def place(column: int, offset: int) -> dict[str, int]:
        return {"line": 6 if offset < second else 8, "column": column, "offset": offset}

    item, _, warning = json.loads(output("json", "-", stdin=FAULTY))
    first = FAULTY.index('"home", "type"')
    second = FAULTY.index('"home", "type"', first + 1)
    edit = {"range": {"start": place(17, second + 1), "end": place(21, second + 5)}, "text": "home-2"}
    earlier = {"start": place(12, first), "end": place(18, first + 6)}
    assert item == {
        "file": "<stdin>", "severity": "error", "rule": "R3", "code": "DUPLICATE_ID",
        "path": "pages[0].children[0].children[0].id",
        "message": 'Duplicate node id "home".',
        "hint": "Ids unique across the entire spec. First used at pages[0].id.",
        "range": {"start": place(16, second), "end": place(22, second + 6)},
        "related": [{"message": "First used here.", "range": earlier}],
        "fixes": [{"title": 'Rename to "home-2"', "applicability": "unsafe", "edits": [edit]}],
    }  # fmt: skip
    assert (warning["severity"], warning["rule"], warning["code"]) == ("warning", None, DUPLICATE_KEY.code)
    assert output("json", "-", stdin=VALID) == "[]\n"


def test_many_diagnostics_have_fixes_up_to_the_limit() -> None:
    text = json.dumps({**json.loads(VALID), **{f"a{number}": None for number in range(MAX_WITH_FIXES + 1)}})
    items = json.loads(output("json", "-", stdin=text))
    assert [bool(item["fixes"]) for item in items] == [True] * MAX_WITH_FIXES + [False]


@pytest.mark.parametrize("name", ["json", "sarif", "rdjson"])
def test_json_escapes_what_a_terminal_does_not_show(name: str) -> None:
    text = output(name, "-", stdin=VALID.replace('"note"', '"\\u001b\x85\u202e\u2028\U000e0001", "é🎉": 1'))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\U000e0001]", text)
    assert "\\u0085\\u202e\\u2028\\udb40\\udc01" in text and "é🎉" in text
    assert "\x85\u202e\u2028\U000e0001" in json.dumps(json.loads(text), ensure_ascii=False)


def safe_edits_in_json() -> list[tuple[int, int, str]]:
    fixes = [item["fixes"][0] for item in json.loads(output("json", "-", stdin=MISSPELT))]
    assert {fix["applicability"] for fix in fixes} == {"safe"}
    edits = [edit for fix in fixes for edit in fix["edits"]]
    return [(edit["range"]["start"]["offset"], edit["range"]["end"]["offset"], edit["text"]) for edit in edits]


def safe_edits_in_sarif() -> list[tuple[int, int, str]]:
    changes = [
        change for result in sarif("-", stdin=MISSPELT)["results"] for change in result["fixes"][0]["artifactChanges"]
    ]
    edits = []
    for replacement in [replacement for change in changes for replacement in change["replacements"]]:
        region = replacement["deletedRegion"]
        start = region["charOffset"]
        edits.append((start, start + region["charLength"], replacement["insertedContent"]["text"]))
    return edits


@pytest.mark.parametrize("edits_of", [safe_edits_in_json, safe_edits_in_sarif])
def test_safe_fixes_are_edits_at_offsets(edits_of: Callable[[], list[tuple[int, int, str]]]) -> None:
    assert replaced(MISSPELT, edits_of()) == VALID


# GitHub ---------------------------------------------------------------------------------------------------------------


def test_github_commands_are_escaped(tmp_path: Path) -> None:
    name = tmp_path / "a,b:c%é\x1b[31m\x9b.rui.json"
    name.write_text(FAULTY.replace("\\u0007", "\\u0007\\u202e"), encoding="utf-8")
    text = output("github", name)
    first, second, third = commands(text)
    assert [severity for severity, _, _ in (first, second, third)] == ["error", "error", "warning"]
    shown_name = str(name).replace("\x1b", "\\u001b").replace("\x9b", "\\u009b")
    assert first[1] == {"file": shown_name, "line": "8", "endLine": "8", "col": "16", "endColumn": "22",
                        "title": "R3 DUPLICATE_ID"}  # fmt: skip
    words = 'Unknown property "a,b:c%d\\u000ae\\u0007\\u202e<&>\\"é🎉".\nOnly registered properties'
    assert second[2].startswith(words.replace('\\"', '"'))
    assert third[1]["title"] == DUPLICATE_KEY.code
    assert COMMAND.sub("", text) == ""
    assert all(line.isprintable() for line in text.splitlines())
    _, properties, _ = commands(output("github", "-", stdin="{"))[0]  # a column, also at the end of the text
    assert (properties["line"], properties["col"], properties["endColumn"]) == ("1", "2", "3")


# SARIF ----------------------------------------------------------------------------------------------------------------


def sarif(*arguments: str | Path, stdin: str = "") -> Any:
    log = json.loads(rui("check", "--format", "sarif", *arguments, stdin=stdin).out)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    return run


def test_sarif_has_the_required_properties(tmp_path: Path) -> None:
    name = tmp_path / "über uns.rui.json"
    name.write_text(FAULTY, encoding="utf-8")
    run = sarif(name)
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"]
    assert [rule["id"] for rule in rules] == [*RULES, *WARNINGS]
    for rule in rules:
        assert re.fullmatch(r"([A-Z][a-z]+)+", rule["name"])
        assert all(rule[part]["text"] for part in ("shortDescription", "fullDescription", "help"))
        assert rule["defaultConfiguration"]["level"] in {"error", "warning"}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning"}
        assert result["message"]["text"]
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            check_location(location["physicalLocation"], name)
    assert [location["id"] for location in run["results"][0]["relatedLocations"]] == [0]
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["columnKind"] == "unicodeCodePoints"
    assert sarif(tmp_path / "nothing")["invocations"] == [{"executionSuccessful": False}]


def check_location(location: Any, name: Path) -> None:
    """Check the URI of the file, and that columns and offsets of the region agree."""
    uri = location["artifactLocation"]["uri"]
    assert uri.isascii()
    assert " " not in uri
    assert unquote(urlsplit(uri).path) == str(name)
    region, text = location["region"], name.read_text(encoding="utf-8")
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: region["startLine"] - 1]) + region["startColumn"] - 1
    assert start == region["charOffset"]
    assert region["endLine"] == region["startLine"]
    assert region["endColumn"] - region["startColumn"] == region["charLength"] > 0


def test_sarif_of_files_below_here_is_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.rui.json").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    location = sarif()["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "apps/a.rui.json"
