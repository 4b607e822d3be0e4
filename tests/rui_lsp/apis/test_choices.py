"""Which description applies to a document: nothing of an untrusted workspace, nothing of another computer."""

from pathlib import Path

import pytest

from rui_lsp.apis.choices import Choice, Choices
from rui_lsp.client.configuration import Configuration
from rui_lsp.client.settings import Settings
from rui_lsp.documents.files_on_disk import document_paths, path_from_uri

UNTRUSTED = {"isWorkspaceTrusted": False}


def choose(folder: Path, *, toml: str = "", openapi: str = "", is_trusted: bool = True) -> Choice:
    (folder / "rui.toml").write_text(f"[api]\nopenapi = '{toml}'\n" if toml else "")
    uri = (folder / "a.rui.json").as_uri()
    settings = Settings.parse({"rui.openapi": openapi} if openapi else {})
    return Choices(is_trusted=is_trusted).choose(uri, settings, [folder.as_uri()])


def test_rui_toml_of_an_untrusted_workspace_is_ignored(tmp_path: Path) -> None:
    assert choose(tmp_path, toml="api.yaml") == Choice(str(tmp_path / "api.yaml"))
    assert choose(tmp_path, toml="api.yaml", is_trusted=False) == Choice()
    (tmp_path / "rui.toml").write_text("invalid")
    assert choose(tmp_path, is_trusted=False) == Choice()
    chosen = choose(tmp_path, toml="api.yaml", openapi="/own/api.yaml", is_trusted=False)
    assert chosen == Choice("/own/api.yaml")


@pytest.mark.parametrize(
    ("options", "is_trusted"), [(None, True), ({}, True), ({"isWorkspaceTrusted": True}, True), (UNTRUSTED, False)]
)
def test_the_client_says_whether_the_workspace_is_trusted(options: object, is_trusted: bool) -> None:
    configuration = Configuration(options)
    configuration.replace({"rui": {"isWorkspaceTrusted": True}, "isWorkspaceTrusted": True})
    assert configuration.is_trusted is is_trusted


@pytest.mark.parametrize("path", ["//host/share/api.yaml", r"\\host\share\api.yaml"])
def test_a_setting_on_another_computer_is_refused(tmp_path: Path, path: str) -> None:
    assert choose(tmp_path, openapi=path) == Choice(problem=f"{path} in rui.openapi is on another computer")


def test_a_file_on_another_computer_in_rui_toml_is_refused(tmp_path: Path) -> None:
    chosen = choose(tmp_path, toml="//host/share/api.yaml")
    assert chosen == Choice(problem=f"//host/share/api.yaml in {tmp_path}/rui.toml is on another computer")


@pytest.mark.parametrize(
    "uri", ["file://host/share/a.rui.json", "file:////host/share/a.rui.json", "file:///%5C%5Chost/share/a.rui.json"]
)
def test_documents_on_another_computer_have_no_path(uri: str) -> None:
    folder = uri.rpartition("/")[0]
    assert path_from_uri(uri) is None
    assert document_paths([uri], [folder]) == {uri: None}
