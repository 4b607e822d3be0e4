"""`rui check`: files, exit codes, messages and fixes."""

import codecs
import html
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rui_cli.formats import FORMATS
from rui_common.fixes import fix_all
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_cli.running import FAULTY, VALID, rui
from tests.support.small import block, with_copy

HOPELESS = VALID.replace('"direction": "stack"', '"direction": "diagonal"')
WARNED = VALID.replace('"id": "note"', '"id": "x", "id": "note"')


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with documents in several subfolders."""
    for name in ("b/z.rui.json", "b/a.rui.json", "a.rui.json", "b.rui.json", "b-c/x.rui.json",
                 ".hidden/h.rui.json", "node_modules/p/n.rui.json", "b/.git/g.rui.json",
                 "b/._a.rui.json", ".a.rui.json", ".rui.json", ".a.rui.json.swp", "b/#a.rui.json#"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(FAULTY)
    (tmp_path / "other.json").write_text(FAULTY)
    (tmp_path / "b" / ".#a.rui.json").symlink_to("author@desk.4711:1700000000")  # Emacs: a.rui.json is being edited
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


BELOW = ["a.rui.json", "b/a.rui.json", "b/z.rui.json", "b-c/x.rui.json", "b.rui.json"]
# Arguments → the documents that are checked, in order.
FOUND = {
    "nothing is here": ([], BELOW),
    "a folder with a slash": (["b/"], ["b/a.rui.json", "b/z.rui.json"]),
    "a file of any name": (["other.json"], ["other.json"]),
    "a hidden folder that is named": ([".hidden"], [".hidden/h.rui.json"]),
    "a hidden file that is named": (["b/._a.rui.json", "b/#a.rui.json#"], ["b/._a.rui.json", "b/#a.rui.json#"]),
    "in the order of the arguments": (["b.rui.json", "a.rui.json"], ["b.rui.json", "a.rui.json"]),
    "each once": (["a.rui.json", "./a.rui.json", "."], ["a.rui.json", *BELOW[1:]]),
    "after --": (["--", "a.rui.json"], ["a.rui.json"]),
    "options between files": (["a.rui.json", "--format=concise", "b.rui.json"], ["a.rui.json", "b.rui.json"]),
}


@pytest.mark.parametrize(("arguments", "expected"), FOUND.values(), ids=FOUND)
def test_documents_are_found(arguments: list[str], expected: list[str], tree: Path) -> None:
    ran = rui("check", "--format", "concise", *arguments)
    seen = [line.partition(":")[0] for line in ran.out.splitlines()]
    assert list(dict.fromkeys(seen)) == expected
    assert (ran.code, ran.err) == (1, "")


# Arguments → the line on standard error, the number of documents that are checked nevertheless.
TROUBLE = {
    "no such file": (["nothing", "b"], "rui check: cannot read nothing: no such file or directory", 2),
    "a glob that fits nothing": (["b", "empty/*"], "rui check: no *.rui.json fits empty/*", 2),
    "a name that moves the cursor": (["\x1b[2J"], "rui check: cannot read \\u001b[2J: no such file or directory", 0),
    "a file as a folder": (["a.rui.json/b"], "rui check: cannot read a.rui.json/b: not a directory", 0),
    "a name like an option": (["--", "--fix"], "rui check: cannot read --fix: no such file or directory", 0),
}


@pytest.mark.parametrize(("arguments", "error_message", "checked"), TROUBLE.values(), ids=TROUBLE)
def test_unreadable_files_are_reported_and_others_checked(
    arguments: list[str], error_message: str, checked: int, tree: Path
) -> None:
    ran = rui("check", *arguments)
    assert (ran.code, ran.err) == (2, error_message + "\n")
    assert f"{checked} files checked; 1 problem with files or folders" in ran.out


USAGE = {
    "unknown option": (["--fromat", "json"], "unknown option --fromat (did you mean --format?)"),
    "unknown short option": (["-x"], "unknown option -x"),
    "no value": (["--format"], "argument --format: expected one argument"),
    "wrong value": (["--format=jsno"], "argument --format: invalid choice: 'jsno' "),
    "value for a flag": (["--fix=yes"], "argument --fix: ignored explicit argument 'yes'"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "error_message"), USAGE.values(), ids=USAGE)
def test_wrong_command_lines_get_one_line(arguments: list[str], error_message: str) -> None:
    ran = rui("check", *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"rui check: {error_message}") and ran.err.endswith("; see rui check --help\n")


def test_the_summary_counts_everything(tree: Path) -> None:
    (tree / "b" / "a.rui.json").write_text(WARNED)
    assert rui("check").out.endswith(
        "8 errors and 1 warning in 5 files; 5 files checked\nSome of these can be fixed: rui check --fix\n"
    )


METRIC = '{"id": "m", "type": "Metric", "label": "x"}'  # What it lacks, only the author knows.
UNFIXABLE = {
    "no safe fix": '"type": "Gizmo", "content": "x"',
    "what only the author knows": '"type": "Metric", "label": "x"',
    "an object for the text": '"type": "Text", "body": {"a": 1}',
}
FIXABLE = {
    "an unknown property that is next": '"type": "text", "body": "x"',
    "the same, with a further property": '"type": "text", "body": "x", "title": "y"',
    "a type, before an object for the text": '"type": "TEXT", "body": {"a": 1}',
    "a type, before a property that is absent": '"type": "table"',
    "a type, before two that are absent": '"type": "metric", "format": "number"',
    "a property after many errors without a fix": '"type": "Text", "body": "x"}, ' + ", ".join([METRIC] * 40)[:-1],
    "a type": '"type": "text", "content": "x"',
    "a property": '"type": "Text", "body": "x"',
    "an absent type": '"content": "x"',
}


@pytest.mark.parametrize("members", [*UNFIXABLE.values(), *FIXABLE.values()], ids=[*UNFIXABLE, *FIXABLE])
def test_fix_is_mentioned_only_if_it_changes_the_file(members: str, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    source = block(f'{{"id": "a", {members}}}')
    file.write_text(source)
    is_mentioned = "rui check --fix" in rui("check", file).out
    rui("check", "--fix", file)
    assert is_mentioned == (members in FIXABLE.values())
    assert is_mentioned == (file.read_text() != source)


# Fixing --------------------------------------------------------------------------------------------------------------


def test_fix_changes_files_and_reports_what_remains(tree: Path) -> None:
    source = HOPELESS.replace('"title": "Home"', '"titel": "Home"')
    (tree / "a.rui.json").write_text(source)
    ran = rui("check", "--fix", "a.rui.json", "b")
    assert (tree / "a.rui.json").read_text() == HOPELESS
    assert (tree / "b" / "z.rui.json").read_text() == VALID
    assert (ran.code, ran.err.splitlines()) == (1, [f"rui check: fixed {name}" for name in BELOW[:3]])
    assert ran.out.endswith("1 error in 1 file; 6 errors fixed in 3 files; 3 files checked\n")
    ran = rui("check", "--fix", "--format", "json", "b.rui.json")
    assert ran == (0, "[]\n", "rui check: fixed b.rui.json\nrui check: 2 errors fixed in 1 file\n")
    ran = rui("check", "--fix", "-", stdin=source)
    assert (ran.code, ran.out) == (1, HOPELESS)
    assert 'Must be one of "stack", "row"' in ran.err
    assert ran.err.endswith("1 error in 1 file; 2 errors fixed in 1 file; 1 file checked\n")


def test_fix_renames_the_ids_of_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(with_copy())
    ran = rui("check", "--fix", file)
    assert (ran.code, "3 errors fixed" in ran.out) == (0, True)
    assert file.read_text() == with_copy("-2")


@pytest.mark.parametrize("format_", FORMATS)
def test_standard_error_is_the_report_alone_if_a_document_is_on_standard_output(format_: str) -> None:
    """A program can parse it; formats in lines have one further line."""
    ran = rui("check", "--fix", "--format", format_, "-", stdin=FAULTY.replace("stack", "diagonal"))
    again = rui("check", "--format", format_, "-", stdin=ran.out)
    report = ran.err
    if format_ in {"concise", "github"}:
        report = report.removesuffix("rui check: 2 errors fixed in 1 file\n")
    if format_ not in {"full", "agent"}:
        assert report == again.out
    if format_ in {"json", "sarif", "rdjson"}:
        json.loads(ran.err)
    assert (ran.code, again.code) == (1, 1)


PARSERS: dict[str, Callable[[str], object]] = {
    "json": json.loads, "sarif": json.loads, "rdjson": json.loads, "junit": ElementTree.fromstring,
}  # fmt: skip
TOML = '[rules]\nMARKUPS = "off"\n'


@pytest.mark.parametrize("format_", PARSERS)
@pytest.mark.parametrize(("arguments", "toml", "problem"), [
    (["missing"], "", "cannot read missing: no such file or directory"),
    (["missing\x1b"], "", "missing"),
    (["none/*"], "", "no *.rui.json fits none/*"),
    ([], TOML, "cannot use rui.toml: [rules] `MARKUPS` is unknown (did you mean MARKUP?)"),
    (["--openapi", "none.yaml"], "", "cannot read none.yaml"),
    (["a.rui.json", "empty"], "", ""),
    ([], '[per-file-ignores]\n"x" = ["MARKUP"]', ""),
])  # fmt: skip
def test_what_is_wrong_with_files_is_in_a_report_on_standard_error(
    format_: str, arguments: list[str], toml: str, problem: str, tree: Path
) -> None:
    """No line is added to a report that is one value. What is no problem is left out."""
    (tree / "rui.toml").write_text(toml)
    ran = rui("check", "--fix", "--format", format_, "-", *arguments, stdin=FAULTY)
    PARSERS[format_](ran.err)
    assert (ran.code, ran.out) == (2 if problem else 0, VALID)
    assert problem in html.unescape(ran.err).replace("\\u0060", "`")
    named = rui("check", "--format", format_, *(arguments or ["a.rui.json"]))
    PARSERS[format_](named.out)
    assert problem in named.err


@pytest.mark.parametrize(("work", "note"), [(10, fix_all.NONE_IS_SAFE), (600, fix_all.FIXED_IN_PART)])
def test_fix_says_that_there_is_more(work: int, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_all, "MAX_CHARACTERS", work)
    file = tmp_path / "a.rui.json"
    source = FAULTY.replace('"stack"', '"Stack"').replace('"Text"', '"text"')
    file.write_text(source)
    ran = rui("check", "--fix", "--quiet", file)
    assert ran.code == 1
    written = [f"rui check: fixed {file}"] if file.read_text() != source else []
    assert ran.err.splitlines() == [*written, f"rui check: {file}: {note}"]
    assert bool(written) == (note == fix_all.FIXED_IN_PART)
    assert rui("check", "--fix", "-", stdin=source).err.count(note) == 1


@pytest.mark.parametrize(("mark", "line_end"), [(b"", "\r"), (b"\xef\xbb\xbf", "\r\n")])
def test_fix_keeps_the_bytes_around(mark: bytes, line_end: str, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_bytes(mark + FAULTY.replace("\n", line_end).encode())
    assert rui("check", "--fix", file).code == 0
    assert file.read_bytes() == mark + VALID.replace("\n", line_end).encode()


UNKNOWN_BYTES = "This is binary data or an unknown encoding: one of the first four bytes is NUL"
LEFT = {
    "broken": (b"{", "INVALID_JSON"),
    "Latin-1": (FAULTY.replace("Home", "Höme").encode("latin-1"), "The byte 0xF6 is not UTF-8 here"),
    "Windows-1252": (FAULTY.replace("Home", "“Home”").encode("cp1252"), "The byte 0x93 is not UTF-8 here"),
    "Shift JIS": (FAULTY.replace("Home", "日本").encode("shift_jis"), "The byte 0x93 is not UTF-8 here"),
    "ISO-2022-JP": (FAULTY.replace("Home", "日本").encode("iso-2022-jp"), "Unknown escape \\\\u001b"),
    "EBCDIC": (FAULTY.encode("cp037"), "The byte 0xC0 is not UTF-8 here"),
    **{
        f"{name} {with_mark} mark": (mark + FAULTY.encode(name), f"This is {name}, expected UTF-8")
        for name, bom in {
            "UTF-16 LE": codecs.BOM_UTF16_LE, "UTF-16 BE": codecs.BOM_UTF16_BE,
            "UTF-32 LE": codecs.BOM_UTF32_LE, "UTF-32 BE": codecs.BOM_UTF32_BE,
        }.items()
        for with_mark, mark in (("with", bom), ("without", b""))
    },
    "UTF-16 after the mark of UTF-8": (codecs.BOM_UTF8 + FAULTY.encode("utf-16-le"), "This is UTF-16 LE"),
    "half of a UTF-16 character": (FAULTY.encode("utf-16-be")[:-1], "This is UTF-16 BE, expected UTF-8"),
    "UTF-16 after UTF-8": (FAULTY.encode() + "// x\r\n".encode("utf-16-le"), "after the end of the document"),
    "UTF-16 after a line in UTF-8": (b"// x\n" + FAULTY.encode("utf-16-le"), "Unexpected character U+0000"),
    "NULs at the end, after a crash": (FAULTY.encode() + b"\0" * 64, "Unexpected character U+0000"),
    "NUL in a string": (FAULTY.replace("Home", "Ho\0me").encode(), "Control character U+0000 in a string"),
    "NUL at the start": (b"\0" + FAULTY.encode(), UNKNOWN_BYTES),
    "one NUL": (b"\0", UNKNOWN_BYTES),
    "BSON": (b"\x16\0\0\0\x02hello\0\x06\0\0\0world\0\0", UNKNOWN_BYTES),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "The byte 0x89 is not UTF-8 here"),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0\0", UNKNOWN_BYTES),
    "SQLite": (b"SQLite format 3\0\x10\0\x01\x01", "Unknown value"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "message"), LEFT.values(), ids=LEFT)
def test_what_cannot_be_written_back_is_named_and_left(source: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_bytes(source)
    before = file.stat()
    assert "rui check --fix" not in rui("check", file).out
    ran = rui("check", "--fix", "--format", "concise", file)
    assert (ran.code, ran.err) == (1, "")
    assert sum(message in line for line in ran.out.splitlines()) >= 1
    ran = rui("format", file)
    assert (ran.code, ran.out, ran.err.count("not formatted: ")) == (1, "", 1)
    assert rui("check", "--fix", "-", stdin=source).out == source.decode(errors="backslashreplace")
    assert file.read_bytes() == source
    assert file.stat().st_ino == before.st_ino


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "byte-order mark"])
def test_a_document_that_is_too_large_for_a_service_is_a_warning(tmp_path: Path, mark: bytes) -> None:
    file = tmp_path / "a.rui.json"
    most = mark + VALID.replace('"meta": {}', f'"meta": {{"title": "{"xé日😀" * 20_000}"}}').encode()
    file.write_bytes(most.ljust(MAX_BODY_BYTES))
    assert rui("check", "--format", "concise", file) == (0, "", "")
    file.write_bytes(most.ljust(MAX_BODY_BYTES + 1))
    ran = rui("check", "--format", "concise", file)
    assert (ran.code, ran.err) == (0, "")
    words = f"warning[TOO_LARGE] The document has {MAX_BODY_BYTES + 1} bytes; a service accepts {MAX_BODY_BYTES}"
    assert words in ran.out


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize(("old", "new", "codes"), [
    ("", "", (0, 0)), ('"content": "x"', '"content": "TODO"', (0, 1)), ('"content": "x"', '"content": 1', (1, 1)),
    ("{", "", (1, 1)),
])  # fmt: skip
def test_warnings_fail_on_request(
    old: str, new: str, codes: tuple[int, int], output_format: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(VALID.replace(old, new, 1))
    plain = rui("check", "--format", output_format, file)
    strict = rui("check", "--error-on-warnings", "--format", output_format, file)
    assert (plain.code, strict.code) == codes
    assert (strict.out, strict.err) == (plain.out, plain.err)


def test_placeholders_of_a_fix_are_warnings(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    binding = '{"type": "read", "method": "GET", "path": "/TODO", "valuePath": "TODO"}'
    metric = f'{{"id": "m", "type": "Metric", "lable": "M", "binding": {binding}}}'
    file.write_text(VALID.replace('{"id": "note", "type": "Text", "content": "x"}', metric))
    ran = rui("check", "--fix", "--format", "concise", file)
    assert (ran.code, ran.err) == (0, f"rui check: fixed {file}\nrui check: 2 errors fixed in 1 file\n")
    assert [line.split()[1] for line in ran.out.splitlines()] == ["warning[PLACEHOLDER]"] * 2
    assert '"/TODO"' in file.read_text()
    file.write_text(VALID.replace('{"id": "note", "type": "Text", "content": "x"}', metric))
    ran = rui("check", "--fix", "--quiet", "--format", "concise", file)
    assert (ran.code, ran.err) == (0, f"rui check: fixed {file}\n")


# Writing --------------------------------------------------------------------------------------------------------------


def test_writing_keeps_permissions_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "real" / "a.rui.json", tmp_path / "link.rui.json"
    file.parent.mkdir()
    file.write_text(FAULTY)
    file.chmod(0o640)
    link.symlink_to(os.path.relpath(file, tmp_path))
    assert rui("check", "--fix", link).code == 0
    assert link.is_symlink()
    assert file.read_text() == VALID
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [*tmp_path.rglob("*.tmp")] == []


@pytest.mark.parametrize("call", ["fsync", "replace", "access"])
def test_a_file_that_cannot_be_written_stays_as_it_was(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, (lambda *_: False) if call == "access" else full)  # root may write everything
        ran = rui("check", "--fix", file)
    why = "permission denied" if call == "access" else "no space left on device"
    assert (ran.code, ran.err) == (2, f"rui check: cannot write {file}: {why}\n")
    assert "titel" in ran.out
    assert file.read_text() == FAULTY
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(("text", "fixed"), [
    ('{"version": "0.1", "meta": {},', 0), ('{"version": "0.1", "meta": {},}', 1),
    ('{"version": "0.1", "meta": {}, "titel": 1,}', 1),
    ('{"version": "0.1", "meta": {},, "pages": [],}', 2), ('{"version": "0.1", "meta": {}, // a\n}', 1),
])  # fmt: skip
def test_repaired_syntax_errors_count_beside_others(tmp_path: Path, text: str, fixed: int) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(text)
    mention = "Some of these can be fixed: rui check --fix"
    assert (mention in rui("check", file).out) == (fixed > 0)
    summary = rui("check", "--fix", file).out.splitlines()[-1]
    assert (f"{fixed} error{'s' * (fixed != 1)} fixed" in summary) == (fixed > 0)
