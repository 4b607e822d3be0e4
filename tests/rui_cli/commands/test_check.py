"""`rui check`: files, exit codes, messages and fixes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_cli.running import VALID, rui

FAULTY = VALID.replace('"title": "Home"', '"titel": "Home"')
HOPELESS = VALID.replace('"direction": "stack"', '"direction": "diagonal"')


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with documents in several subfolders."""
    for name in ("b/z.rui.json", "b/a.rui.json", "a.rui.json", "b.rui.json", "b-c/x.rui.json",
                 ".hidden/h.rui.json", "node_modules/p/n.rui.json", "b/.git/g.rui.json"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(FAULTY)
    (tmp_path / "other.json").write_text(FAULTY)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


BELOW = ["a.rui.json", "b/a.rui.json", "b/z.rui.json", "b-c/x.rui.json", "b.rui.json"]
# Arguments → the documents that are checked, in order.
FOUND = {
    "nothing is here": ([], BELOW),
    "a folder": (["b"], ["b/a.rui.json", "b/z.rui.json"]),
    "a folder with a slash": (["b/"], ["b/a.rui.json", "b/z.rui.json"]),
    "the folder itself": (["."], BELOW),
    "a file of any name": (["other.json"], ["other.json"]),
    "a hidden folder that is named": ([".hidden"], [".hidden/h.rui.json"]),
    "in the order of the arguments": (["b.rui.json", "a.rui.json"], ["b.rui.json", "a.rui.json"]),
    "each once": (["a.rui.json", "./a.rui.json", "."], ["a.rui.json", *BELOW[1:]]),
    "after --": (["--", "a.rui.json"], ["a.rui.json"]),
}


@pytest.mark.parametrize(("arguments", "expected"), FOUND.values(), ids=FOUND)
def test_documents_are_found(arguments: list[str], expected: list[str], tree: Path) -> None:
    ran = rui("check", "--format", "concise", *arguments)
    seen = [line.partition(":")[0] for line in ran.out.splitlines()]
    assert list(dict.fromkeys(seen)) == expected
    assert (ran.code, ran.err) == (1, "")


# Arguments → exit code, the line on standard error, documents that are checked nevertheless.
TROUBLE = {
    "no such file": (["nothing.rui.json"], "rui check: cannot read nothing.rui.json: no such file or directory", 0),
    "no such file among others": (["nothing", "b"], "rui check: cannot read nothing: no such file or directory", 2),
    "nothing in a folder": (["empty"], "rui check: no *.rui.json in empty", 0),
    "nothing in a folder among others": (["b", "empty"], "rui check: no *.rui.json in empty", 2),
    "an empty name": ([""], "rui check: cannot read : no such file or directory", 0),
    "a name with a zero byte": (["a\0b"], "rui check: cannot read a\\u0000b: the name contains a zero byte", 0),
    "a name that moves the cursor": (["\x1b[2J"], "rui check: cannot read \\u001b[2J: no such file or directory", 0),
    "a file as a folder": (["a.rui.json/b"], "rui check: cannot read a.rui.json/b: not a directory", 0),
}


@pytest.mark.parametrize(("arguments", "error_message", "checked"), TROUBLE.values(), ids=TROUBLE)
def test_unreadable_files_are_reported_and_others_checked(
    arguments: list[str], error_message: str, checked: int, tree: Path
) -> None:
    ran = rui("check", *arguments)
    assert (ran.code, ran.err) == (2, error_message + "\n")
    assert f"{checked} file{'' if checked == 1 else 's'} checked; 1 problem with files or folders" in ran.out


USAGE = {
    "unknown option": (["--fromat", "json"], "unknown option --fromat; did you mean --format?"),
    "unknown short option": (["-x"], "unknown option -x"),
    "no value": (["--format"], "argument --format: expected one argument"),
    "wrong value": (["--format=jsno"], "argument --format: invalid choice: 'jsno' "),
    "value for a flag": (["--fix=yes"], "argument --fix: ignored explicit argument 'yes'"),
    "two that contradict": (["--diff", "--format", "json"],
                            "--diff has its own format and cannot be combined with --format"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "error_message"), USAGE.values(), ids=USAGE)
def test_wrong_command_lines_get_one_line(arguments: list[str], error_message: str) -> None:
    ran = rui("check", *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"rui check: {error_message}") and ran.err.endswith("; see rui check --help\n")
    assert rui("check", "--", "--fix") == (2, "0 files checked; 1 problem with files or folders\n", (
        "rui check: cannot read --fix: no such file or directory\n"
    ))  # fmt: skip


CODES = {
    "in order": (VALID, 0),
    "faulty": (FAULTY, 1),
    "broken": ("{", 1),
    "a warning alone": (VALID.replace('"id": "note"', '"id": "x", "id": "note"'), 0),
    "not UTF-8": (b'{"a": "\xff"}', 1),
    "a byte-order mark": (b"\xef\xbb\xbf" + VALID.encode(), 0),
    "UTF-16": (VALID.encode("utf-16"), 1),
}


@pytest.mark.parametrize(("source", "code"), CODES.values(), ids=CODES)
def test_exit_codes(source: str | bytes, code: int) -> None:
    assert rui("check", "-", stdin=source).code == code


def test_options_between_files(tree: Path) -> None:
    ran = rui("check", "a.rui.json", "--format", "concise", "b.rui.json", "--color=never")
    assert ran.out.count("\n") == 4


def test_the_summary_counts_everything(tree: Path) -> None:
    (tree / "b" / "a.rui.json").write_text(VALID.replace('"id": "note"', '"id": "x", "id": "note"'))
    ran = rui("check")
    assert ran.out.endswith(
        "8 errors and 1 warning in 5 files; 5 files checked\n"
        "Some of these can be fixed: rui check --fix, or --diff to see the changes\n"
    )


# Fixing --------------------------------------------------------------------------------------------------------------


def test_fix_changes_files_and_reports_what_remains(tree: Path) -> None:
    (tree / "a.rui.json").write_text(HOPELESS.replace('"title": "Home"', '"titel": "Home"'))
    ran = rui("check", "--fix", "a.rui.json", "b")
    assert (tree / "a.rui.json").read_text() == HOPELESS
    assert (tree / "b" / "z.rui.json").read_text() == VALID
    assert ran.code == 1
    assert ran.out.endswith("1 error in 1 file; 6 errors fixed in 3 files; 3 files checked\n")
    assert rui("check", "--fix", "b").code == 0


def test_fix_reports_to_standard_error_with_formats_for_programs(tree: Path) -> None:
    ran = rui("check", "--fix", "--format", "json", "a.rui.json")
    assert ran == (0, "[]\n", "rui check: 2 errors fixed in 1 file\n")


def test_fix_of_standard_input_prints_the_text_and_reports_to_standard_error() -> None:
    source = HOPELESS.replace('"title": "Home"', '"titel": "Home"')
    ran = rui("check", "--fix", "-", stdin=source)
    assert (ran.code, ran.out) == (1, HOPELESS)
    assert 'Must be one of "stack", "row"' in ran.err
    assert ran.err.endswith("1 error in 1 file; 2 errors fixed in 1 file; 1 file checked\n")


KEPT = {
    "byte-order mark": (b"\xef\xbb\xbf", "\n"),
    "crlf": (b"", "\r\n"),
    "both": (b"\xef\xbb\xbf", "\r\n"),
    "cr": (b"", "\r"),
}


@pytest.mark.parametrize(("mark", "line_end"), KEPT.values(), ids=KEPT)
def test_fix_keeps_the_bytes_around(mark: bytes, line_end: str, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_bytes(mark + FAULTY.replace("\n", line_end).encode())
    assert rui("check", "--fix", file).code == 0
    assert file.read_bytes() == mark + VALID.replace("\n", line_end).encode()


LEFT = {"not UTF-8": FAULTY.encode().replace(b"Home", b"H\xf6me"), "UTF-16": FAULTY.encode("utf-16"), "broken": b"{"}


@pytest.mark.parametrize("source", LEFT.values(), ids=LEFT)
def test_fix_leaves_what_it_cannot_write_back(source: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_bytes(source)
    before = file.stat()
    assert rui("check", "--fix", file).code == 1
    assert file.read_bytes() == source
    assert file.stat().st_ino == before.st_ino


def test_diff_changes_no_file(tree: Path) -> None:
    ran = rui("check", "--diff", "a.rui.json")
    assert ran.code == 1
    assert ran.out.splitlines()[:3] == ["--- a.rui.json", "+++ a.rui.json", "@@ -3,7 +3,7 @@"]
    changed = [line for line in ran.out.splitlines()[3:] if line[0] in "+-"]
    line = '     {"id": "home", "type": "Page", "title": "Home", "children": ['
    assert changed == ["-" + line.replace("title", "titel")[1:], "+" + line[1:]]
    assert ran.err == "2 errors would be fixed in 1 file; 0 errors would remain\n"
    assert (tree / "a.rui.json").read_text() == FAULTY
    assert rui("check", "--diff", "-", stdin=VALID).code == 0


# Length ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "byte-order mark"])
@pytest.mark.parametrize("letter", ["x", "é", "日", "😀"])
def test_a_document_that_is_too_large_for_a_service_is_a_warning(tmp_path: Path, mark: bytes, letter: str) -> None:
    file = tmp_path / "a.rui.json"
    most = mark + VALID.replace('"meta": {}', f'"meta": {{"title": "{letter * 65_000}"}}').encode()
    most += b" " * (MAX_BODY_BYTES - len(most))
    file.write_bytes(most)
    assert rui("check", "--format", "concise", file) == (0, "", "")
    file.write_bytes(most + b" ")
    ran = rui("check", "--format", "concise", file)
    assert (ran.code, ran.err) == (0, "")
    assert (
        f"warning[TOO_LARGE] The document has {MAX_BODY_BYTES + 1} bytes; a service accepts {MAX_BODY_BYTES}" in ran.out
    )


def test_placeholders_of_a_fix_are_warnings(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    binding = '{"type": "read", "method": "GET", "path": "/TODO", "valuePath": "TODO"}'
    metric = f'{{"id": "m", "type": "Metric", "lable": "M", "binding": {binding}}}'
    file.write_text(VALID.replace('{"id": "note", "type": "Text", "content": "x"}', metric))
    assert rui("check", file).code == 1
    ran = rui("check", "--fix", "--format", "concise", file)
    assert (ran.code, ran.err) == (0, "rui check: 2 errors fixed in 1 file\n")
    found = [line.partition(": ")[2] for line in ran.out.splitlines()]
    assert [line.partition(" Replace")[0] for line in found] == [
        'warning[PLACEHOLDER] "path" is still a placeholder.',
        'warning[PLACEHOLDER] "valuePath" is still a placeholder.',
    ]
    assert '"/TODO"' in file.read_text()


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
    assert sorted(tmp_path.iterdir()) == [link, file.parent]
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for call in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, call, full)
            ran = rui("check", "--fix", file)
        assert (ran.code, ran.err) == (2, f"rui check: cannot write {file}: no space left on device\n")
        assert "titel" in ran.out
        assert file.read_text() == FAULTY
        assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    ran = rui("check", "--fix", file)
    assert (ran.code, ran.err) == (2, f"rui check: cannot write {file}: permission denied\n")
    assert file.read_text() == FAULTY
