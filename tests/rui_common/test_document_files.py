"""Folders that are nested deeper than a program usually expects."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_common.document_files import find_documents


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for deep ones. It is the current folder, and is removed by a program that does not recurse."""
    folder = tmp_path / "root"
    folder.mkdir()
    monkeypatch.chdir(folder)
    yield folder
    monkeypatch.undo()
    subprocess.run(["rm", "-rf", folder], check=True)


def nest(name: str, levels: int) -> None:
    """Go into new folders, one in the other, and write a document into the innermost one."""
    for _ in range(levels):
        Path(name).mkdir()
        os.chdir(name)
    Path("a.rui.json").write_text("{")


def test_a_document_is_found_in_a_folder_of_a_thousand_levels(root: Path) -> None:
    nest("d", 1_500)
    [found] = find_documents(str(root), lambda *_: None)
    assert found == str(root / Path(*["d"] * 1_500, "a.rui.json"))


def test_a_folder_whose_path_is_too_long_is_reported(root: Path) -> None:
    (root / "b.rui.json").write_text("{")
    nest("d" * 250, 20)
    errors: list[OSError] = []
    assert find_documents(str(root), lambda *_: None, errors.append) == [str(root / "b.rui.json")]
    [error] = errors
    assert str(error.filename).startswith(f"{root}/ddd")
