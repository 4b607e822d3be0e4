"""The bundle of CodeMirror is what its sources build, and names the licences of its packages."""

import json
import shutil

import pytest

from editors.build_codemirror import OUTPUT, SOURCES, build
from tests.editors.tools import MissingToolError, or_skip


def test_the_bundle_can_be_rebuilt() -> None:
    with or_skip():
        if shutil.which("npm") is None:
            raise MissingToolError("npm is not installed")
    assert build() == OUTPUT.read_bytes()


def test_versions_are_exact() -> None:
    package = json.loads((SOURCES / "package.json").read_text())
    lock = json.loads((SOURCES / "package-lock.json").read_text())["packages"]
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert all(version[0].isdigit() for version in wanted.values())
    assert {name: lock[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in entry for name, entry in lock.items() if name)


@pytest.mark.parametrize(
    "words", ["MIT License", "Permission is hereby granted", "@codemirror/view 6.", "@lezer/json 1."]
)
def test_the_bundle_contains_the_licences(words: str) -> None:
    assert words in OUTPUT.read_text(encoding="utf-8")[:20_000]
