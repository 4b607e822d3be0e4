"""Hostile files in a workspace: no request waits for one, and links that lead out of the folder are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rui_common.document_files import MAX_FILE_BYTES
from tests.hostile_files import UNREADABLE
from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import Client, ResponseError

PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
PUBLISH = "textDocument/publishDiagnostics"
REASONS = {
    "link": "it leads out of the folder",
    "device": "it leads out of the folder",
    "pipe": "it is no regular file",
    "socket": "it is no regular file",
    "huge": f"it has more than {MAX_FILE_BYTES:,} bytes",
}
"""The reason in the log, by the name of the file."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one hostile file of each kind, between two documents."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for kind, make in UNREADABLE.items():
        make(folder / f"{kind}.rui.json")
    (tmp_path / "secret.json").write_text("{")
    (folder / "link.rui.json").symlink_to("../secret.json")
    (folder / "bad.rui.json").write_text("{")
    (folder / "lines.rui.json").write_text("{" + "\n" * 250_000 + "}")
    (folder / "valid.rui.json").write_text(sample_text(3000))
    return folder


@contextmanager
def opened(folder: Path, **capabilities: Any) -> Iterator[Client]:
    """Open a workspace; afterwards, assert that the log has the reasons, and nothing else."""
    client = Client.start(initialize=False)
    try:
        client.request("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities})
        client.notify("initialized", {})
        yield client
        assert client.shut_down() == 0
    finally:
        client.kill()
    lines = [line.partition(f"{folder}/")[2] for line in client.stderr]
    assert {line.partition(".")[0]: line.rpartition(": ")[2] for line in lines} == REASONS


def uris(items: list[Any]) -> set[str]:
    return {item["uri"].rpartition("/")[2].partition(".")[0] for item in items}


def test_all_documents_are_checked_on_request(folder: Path) -> None:
    with opened(folder, **PULLS) as client:
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert uris(reports) == {"bad", "valid", "huge", "lines"}
    assert uris([report for report in reports if report["items"]]) == {"bad", "lines"}


def test_files_that_are_not_open_are_checked(folder: Path) -> None:
    names = [path.name for path in folder.iterdir()]
    with opened(folder) as client:
        client.wait_for(lambda message: message.get("method") == PUBLISH)
        client.received.clear()
        changes = [{"uri": (folder / name).as_uri(), "type": 2} for name in sorted(names, reverse=True)]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.wait_for(lambda message: message.get("method") == PUBLISH and "/bad." in message["params"]["uri"])
    published = [message["params"] for message in client.received if message.get("method") == PUBLISH]
    assert uris([params for params in published if params["diagnostics"]]) == {"bad", "lines"}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_request_about_a_hostile_file(kind: str, tmp_path: Path) -> None:
    UNREADABLE[kind](tmp_path / "a.rui.json")
    client = Client.start()
    try:
        arguments = {"command": "rui.preview", "arguments": [(tmp_path / "a.rui.json").as_uri()]}
        with pytest.raises(ResponseError, match="not open"):
            client.request("workspace/executeCommand", arguments)
    finally:
        client.kill()
