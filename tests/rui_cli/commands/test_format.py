"""`rui format`: files, reports and exit codes. The layout is tested in tests/rui_common."""

import codecs
import os
from pathlib import Path

import pytest

from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.rui_cli.running import rui

MESSY = '{"meta": {}, "version": "0.1"}'
CANONICAL = '{\n  "version": "0.1",\n  "meta": {}\n}\n'
REPEATED = '{"meta": {"a": 1, "a": 2}}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"messy": MESSY, "neat": CANONICAL, "broken": "{,}", "repeated": REPEATED}.items():
        (tmp_path / f"{name}.rui.json").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_can_be_formatted_is_and_the_rest_is_left(folder: Path) -> None:
    before = (folder / "neat.rui.json").stat()
    ran = rui("format")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines() == [
        f"rui format: broken.rui.json:1:2: not formatted: {read('{,}').syntax[0].message}",
        "rui format: formatted messy.rui.json",
        'rui format: repeated.rui.json:1:11: not formatted: The property "a" occurs twice, '
        "and one of the two would be lost",
        "1 file formatted; 1 file in canonical form already; 2 files not formatted",
    ]
    texts = {file.name: file.read_text() for file in folder.iterdir()}
    assert texts == {"messy.rui.json": CANONICAL, "neat.rui.json": CANONICAL, "broken.rui.json": "{,}",
                     "repeated.rui.json": REPEATED}  # fmt: skip
    after = (folder / "neat.rui.json").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_check_lists_what_would_change(folder: Path) -> None:
    ran = rui("format", "--check", "messy.rui.json", "neat.rui.json")
    assert ran == (1, "messy.rui.json\n", "1 file would change; 1 file in canonical form already\n")
    assert rui("format", "--check", "neat.rui.json").code == 0
    assert rui("format", "--check", "-", stdin=MESSY) == (1, "<stdin>\n", "")
    assert (folder / "messy.rui.json").read_text() == MESSY


FILTERED = {
    "messy": (MESSY, 0, CANONICAL),
    "neat": (CANONICAL, 0, CANONICAL),
    "with faults": ('{"b": 1, "a": 2}', 0, '{\n  "a": 2,\n  "b": 1\n}\n'),
    "broken": ("{", 1, ""),
    "not UTF-8": (b'{"a": "\xff"}', 1, ""),
    "crlf": ('{\r\n"meta": {}}', 0, '{\r\n  "meta": {}\r\n}\r\n'),
    "crlf only later": ('{\n"meta": \r\n{}}', 0, '{\n  "meta": {}\n}\n'),
    "byte-order mark": (b'\xef\xbb\xbf{"meta": {}}', 0, '\ufeff{\n  "meta": {}\n}\n'),
    "other letters": ('{"meta": {"é🎉": "日本"}}', 0, '{\n  "meta": {\n    "é🎉": "日本"\n  }\n}\n'),
}


@pytest.mark.parametrize(("source", "code", "expected"), FILTERED.values(), ids=FILTERED)
def test_standard_input_goes_to_standard_output(source: str | bytes, code: int, expected: str) -> None:
    ran = rui("format", "-", stdin=source, encoding="ascii")
    assert (ran.code, ran.out, bool(ran.err)) == (code, expected, bool(code))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("text", [MESSY, CANONICAL, '{"b": 1}'])
def test_a_byte_order_mark_is_kept(text: str, line_end: str, folder: Path) -> None:
    file = folder / "a.rui.json"
    file.write_bytes(codecs.BOM_UTF8 + text.replace("\n", line_end).encode())
    canonical = text == CANONICAL
    assert rui("format", "--check", file).code == (0 if canonical else 1)
    assert rui("format", file).code == 0
    assert file.read_bytes().startswith(codecs.BOM_UTF8 + b"{")
    assert rui("format", "--check", file).code == 0
    before = file.read_bytes()
    # An editor has the mark in the text, or before it: the text is the same.
    decoded = before.decode("utf-8-sig")
    assert format_document(Analysis(read(decoded))) == decoded
    assert format_document(Analysis(read(before.decode()))) == before.decode()


def test_files_that_cannot_be_read_or_written_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    ran = rui("format", "nothing.rui.json", "messy.rui.json", "neat.rui.json")
    assert (ran.code, ran.err.splitlines()) == (2, [
        "rui format: cannot read nothing.rui.json: no such file or directory",
        "rui format: cannot write messy.rui.json: permission denied",
        "1 file in canonical form already",
    ])  # fmt: skip
    assert (folder / "messy.rui.json").read_text() == MESSY
    reason = "rui format: cannot read nothing.rui.json: no such file or directory"
    assert rui("format", "nothing.rui.json") == (2, "", f"{reason}\n0 files formatted\n")
