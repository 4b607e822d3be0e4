"""Hostile files in a workspace: no request waits for one, and the author sees what is not checked."""

import os
from pathlib import Path

import pytest

from rui_common.document_files import MAX_FILE_BYTES
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import REFRESHES
from tests.rui_lsp.lsp_client import PUBLISH, Client, ResponseError
from tests.support.hostile_files import UNREADABLE

REASONS = {
    "link": "it leads out of the folder",
    "device": "it leads out of the folder",
    "pipe": "it is no regular file",
    "socket": "it is no regular file",
    "huge": f"it has more than {MAX_FILE_BYTES:,} bytes",
}
"""The reason in the log, by the name of the file."""


@pytest.mark.parametrize("capabilities", [REFRESHES, {}], ids=["pull", "push"])
def test_closed_files_are_checked(capabilities: dict[str, object], tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    for kind, make in UNREADABLE.items():
        make(folder / f"{kind}.rui.json")
    (tmp_path / "secret.json").write_text("{")
    (folder / "link.rui.json").symlink_to(Path("..", "secret.json"))
    (folder / "bad.rui.json").write_text("{")
    (folder / "lines.rui.json").write_text("{" + "\n" * 250_000 + "}")
    (folder / "valid.rui.json").write_text(sample_text(3000))
    client = Client(capabilities=capabilities, root=folder)
    try:
        if capabilities:
            found = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
            assert names(found) == {"bad", "valid", "huge", "lines"}
            assert names([report for report in found if report["items"]]) == {"bad", "huge", "lines"}
            assert client.request("workspace/diagnostic", {"previousResultIds": []})["items"] == found
            shown = [report["items"] for report in found if "huge" in report["uri"]]
        else:
            for name in ("bad", "huge", "lines"):
                client.wait_for(
                    lambda message, name=name: message.get("method") == PUBLISH and f"/{name}." in str(message)
                )
            published = [message["params"] for message in client.received if message.get("method") == PUBLISH]
            assert names(published) == {"bad", "huge", "lines"}
            shown = [params["diagnostics"] for params in published if "huge" in params["uri"]]
        [[item]] = shown
        assert REASONS["huge"] in item["message"] and item["severity"] == 1
        for kind in UNREADABLE:
            uri = (folder / f"{kind}.rui.json").as_uri()
            with pytest.raises(ResponseError, match="not open"):
                client.run("rui.preview", uri)
        assert client.shut_down() == 0
    finally:
        client.kill()
    lines = [line.partition(f"{folder}{os.sep}")[2] for line in client.stderr]
    reasons = {kind: reason for kind, reason in REASONS.items() if kind in {"link", *UNREADABLE}}
    assert {line.partition(".")[0]: line.rpartition(": ")[2] for line in lines} == reasons


def names(items: list[dict[str, str]]) -> set[str]:
    return {item["uri"].rpartition("/")[2].partition(".")[0] for item in items}
