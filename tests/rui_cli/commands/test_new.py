"""`rui new`: documents to start from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rui_cli.running import rui


@pytest.mark.parametrize(
    "options", [[], ["--full"], ["--title", 'Die "Größe" 🎉'], ["--full", "--title=x"]], ids=" ".join
)
def test_a_new_document_is_valid_and_in_canonical_form(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / "new.rui.json"
    ran = rui("new", file, *options)
    assert ran == (0, f"{file} written; check it with: rui check {file}\n", "")
    assert rui("check", file).out == "no errors; 1 file checked\n"
    assert rui("format", "--check", file).code == 0
    assert rui("new", *options).out == rui("new", "-", *options).out == file.read_text(encoding="utf-8")
    if "--title" in options:
        assert json.loads(file.read_text(encoding="utf-8"))["meta"]["title"] == options[-1]


def test_a_new_document_overwrites_no_file(tmp_path: Path) -> None:
    file = tmp_path / "new.rui.json"
    file.write_text("mine")
    assert rui("new", file) == (2, "", f"rui new: {file} exists already; --force overwrites it\n")
    assert file.read_text() == "mine"
    assert rui("new", file, "--force").code == 0
    assert rui("check", file).code == 0


def test_a_name_that_check_does_not_find_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    ran = rui("new", file)
    assert ran.code == 0
    assert ran.err == f"rui new: {file} does not end in .rui.json: `rui check` does not find it in a folder\n"


def test_a_new_document_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "no" / "new.rui.json"
    assert rui("new", file) == (2, "", f"rui new: cannot write {file}: no such file or directory\n")
    assert rui("new", tmp_path, "--force").err == f"rui new: cannot write {tmp_path}: it is no regular file\n"
    assert rui("new", "a", "b").err == "rui new: unexpected argument b; see rui new --help\n"
