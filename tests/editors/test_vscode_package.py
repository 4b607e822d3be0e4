"""The content of the .vsix, and its manifest compared with the server."""

import json
import posixpath
import re
import zipfile
from pathlib import Path

import pytest

from editors.build_vsix import EXTENSION, ROOT
from editors.make_settings import FILES
from editors.strip_docstrings import strip_docstrings
from rui_lsp.session.settings import SETTINGS

PACKAGE_JSON = json.loads((EXTENSION / "package.json").read_text())
PROPERTIES = PACKAGE_JSON["contributes"]["configuration"]["properties"]
LIBS = "extension/bundled/libs/"


def files_in(vsix: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(vsix) as package:
        return {name: package.read(name) for name in package.namelist()}


def test_other_files_are_excluded(vsix: Path) -> None:
    """No byte code, compiled modules or local paths; and the size is limited."""
    inside = files_in(vsix)
    assert not [name for name in inside if re.search(r"\.(pyc|so|pyd|map|ts)$|__pycache__|node_modules", name)]
    assert not [name for name, content in inside.items() if str(ROOT).encode() in content]
    with zipfile.ZipFile(vsix) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert len(vsix.read_bytes()) < 1_000_000
    licensed = {
        name.removeprefix(f"{LIBS}licenses/").partition("-")[0].lower() for name in inside if "/licenses/" in name
    }
    assert licensed >= {"attrs", "cattrs", "jinja2", "lsprotocol", "markupsafe", "pygls", "pyyaml"}


def test_pictures_are_in_the_package(vsix: Path) -> None:
    """VS Code shows them in the walkthrough; on the page of the extension it shows only those of the network."""
    inside = files_in(vsix)
    pages = {name: content.decode() for name, content in inside.items() if name.endswith(".md") and LIBS not in name}
    shown = {(name, address) for name, text in pages.items() for address in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)}
    assert {name.rpartition("/")[2] for name, _ in shown} == {"write.md", "preview.md"}
    assert {posixpath.normpath(f"{posixpath.dirname(name)}/{address}") for name, address in shown} <= {*inside}


def test_docstrings_and_comments_are_removed_and_lines_stay() -> None:
    source = 'class A:\n    """é\n    words."""\n\nb = "# no comment"; x = 1  # why\n'
    assert strip_docstrings(source) == 'class A:\n    0\n\n\nb = "# no comment"; x = 1\n'


def test_files_in_the_manifest_exist(vsix: Path) -> None:
    inside = files_in(vsix)
    names = set(re.findall(r'"(?:\./)?((?:media|syntaxes|dist)/[\w./-]+)"', json.dumps(PACKAGE_JSON)))
    assert names
    assert {f"extension/{name}" for name in names} <= set(inside)
    assert PACKAGE_JSON["activationEvents"] == ["workspaceContains:**/*.rui.json"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_settings_are_those_of_the_server(path: Path) -> None:
    text = path.read_text()
    assert text == FILES[path](text), "run make docs"
    assert all(setting.name in text for setting in SETTINGS.values())


def test_settings_that_name_programs_files_or_services_are_restricted() -> None:
    restricted = set(PACKAGE_JSON["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])
    sensitive = {name for name in PROPERTIES if re.search(r"server\.command|interpreter|server\.url|openapi", name)}
    assert len(sensitive) == 4
    assert restricted == sensitive


def test_commands_are_documented() -> None:
    page = (EXTENSION / "README.md").read_text()
    titles = [command["title"] for command in PACKAGE_JSON["contributes"]["commands"]]
    # The first cell of a row names one or more commands.
    rows = {re.sub(r"\s*\(.*?\)", "", title) for cell in re.findall(r"^\| (\*RUI: .*?) \|", page, re.MULTILINE)
            for title in re.findall(r"\*(?:RUI: )?(.*?)\*", cell)}  # fmt: skip
    assert rows == {*titles}
    assert f"## {PACKAGE_JSON['version']}" in (EXTENSION / "CHANGELOG.md").read_text()
