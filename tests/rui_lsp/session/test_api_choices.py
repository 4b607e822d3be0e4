"""The choice of the OpenAPI description of a document, and the result of the worker process that reads it."""

import re
from pathlib import Path

import pytest

from rui_common.project.discovery import ApiChoice
from rui_lsp.session.api_choices import Choices
from rui_lsp.session.api_worker import read_description
from rui_lsp.session.files import document_paths
from rui_lsp.session.settings import ClientSettings, Configuration
from rui_lsp.session.uris import path_from_uri
from rui_openapi.errors import OpenApiError

UNTRUSTED = {"isWorkspaceTrusted": False}


def choose(folder: Path, *, toml: str = "", openapi: str = "", is_trusted: bool = True) -> ApiChoice:
    (folder / "rui.toml").write_text(f"[api]\nopenapi = '{toml}'\n" if toml else "")
    uri = (folder / "a.rui.json").as_uri()
    settings = ClientSettings.parse({"rui.openapi": openapi} if openapi else {})
    choices = Choices(is_trusted=is_trusted)
    folders = [folder.as_uri()]
    return choices.choose(uri, settings, folders, choices.project(uri, folders))


def test_rui_toml_of_an_untrusted_workspace_is_ignored(tmp_path: Path) -> None:
    assert choose(tmp_path, toml="api.yaml") == ApiChoice(str(tmp_path / "api.yaml"))
    assert choose(tmp_path, toml="api.yaml", is_trusted=False) == ApiChoice()
    (tmp_path / "rui.toml").write_text("invalid")
    assert choose(tmp_path, is_trusted=False) == ApiChoice()
    own = str(tmp_path / "own" / "api.yaml")
    assert choose(tmp_path, toml="api.yaml", openapi=own, is_trusted=False) == ApiChoice(own)


def test_the_client_says_whether_the_workspace_is_trusted() -> None:
    for options in (None, {}, {"isWorkspaceTrusted": True}, UNTRUSTED):
        configuration = Configuration(options)
        configuration.replace({"rui": {"isWorkspaceTrusted": True}, "isWorkspaceTrusted": True})
        assert configuration.is_trusted is (options is not UNTRUSTED)


def test_a_description_on_another_computer_is_refused(tmp_path: Path) -> None:
    for path in ("//host/share/api.yaml", r"\\host\share\api.yaml"):
        with pytest.raises(OpenApiError, match=re.escape(f"{path} in rui.openapi is on another computer")):
            choose(tmp_path, openapi=path)
    where = re.escape(str(tmp_path / "rui.toml"))
    with pytest.raises(OpenApiError, match=f"//host/share/api.yaml in {where} is on another computer"):
        choose(tmp_path, toml="//host/share/api.yaml")


@pytest.mark.parametrize(
    "uri", ["file://host/share/a.rui.json", "file:////host/share/a.rui.json", "file:///%5C%5Chost/share/a.rui.json"]
)
def test_documents_on_another_computer_have_no_path(uri: str) -> None:
    folder = uri.rpartition("/")[0]
    assert path_from_uri(uri) is None
    assert document_paths([uri], [folder], None) == {uri: None}


def test_deep_nesting_is_a_sentence(tmp_path: Path) -> None:
    for depth in (20, 100, 400, 5_000, 100_000):
        schema = '{"properties": {"a": ' * depth + "{}" + "}}" * depth
        responses = f'{{"200": {{"content": {{"application/json": {{"schema": {schema}}}}}}}}}'
        path = tmp_path / "openapi.json"
        path.write_text(f'{{"openapi": "3.0.0", "paths": {{"/a": {{"get": {{"responses": {responses}}}}}}}}}')
        found = read_description(str(path))
        assert isinstance(found, bytes) if depth <= 100 else "too many levels of nesting" in str(found)
