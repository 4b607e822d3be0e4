"""The server in the .vsix responds to all requests like the server of the sources."""

import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from rui_lsp.commands import COMMANDS as REGISTERED
from rui_lsp.features import create_server
from tests.editors.documents import place_of
from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import Client, ResponseError
from tests.rui_lsp.marked import any_params_of

URI = "file:///nowhere/bundle.rui.json"
TEXT = sample_text(3_000).replace('"direction"', '"directon"', 1)
"""With an error that can be fixed."""

START, END = {"line": 0, "character": 0}, {"line": 9999, "character": 0}
INSIDE = dict(zip(("line", "character"), place_of(TEXT, '"children": [', after=True), strict=True))
PARAMS = {
    "textDocument": {"uri": URI},
    **any_params_of(INSIDE, {"start": START, "end": END}),
    "previousResultIds": [],
}
"""Parameters for all requests about a document. Each request ignores those of the others."""

COMMANDS: dict[str, list[object]] = {
    "rui.publish": [{"uri": URI, "show": False}],
    "rui.published": [{"uri": URI, "last": "0"}],
    "rui.explainRule": ["R1"],
    "rui.newDocument": [{"title": "New", "full": True}],
    "rui.preview": [{"uri": URI, "stylesheet": "a.css"}],
    "rui.previewCursor": [{"textDocument": {"uri": URI}, "position": START}],
    "rui.fixAll": [URI],
    "rui.showNode": [{"uri": URI, "path": "pages[0]"}],
}


@pytest.fixture(scope="module")
def bundled(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extracted folder of the server."""
    folder = tmp_path_factory.mktemp("bundled")
    with zipfile.ZipFile(vsix) as package:
        package.extractall(folder)
    return folder / "extension" / "bundled"


def conversation(client: Client) -> dict[str, Any]:
    """Return the results or errors of all requests and commands. The server must not log anything."""
    answers: dict[str, Any] = {}

    def ask(method: str, params: object, name: str = "") -> None:
        try:
            answers[name or method] = client.request(method, params)
        except ResponseError as refusal:
            answers[name or method] = str(refusal)

    client.open(URI, TEXT)
    answers["diagnostics"] = client.diagnostics(URI, 1)
    for method in sorted(create_server().protocol.fm.features):
        if not re.match(r"initializ|shutdown|workspace/(did|executeCommand)|textDocument/did|.*/resolve$", method):
            ask(method, PARAMS)
    ask("codeAction/resolve", answers["textDocument/codeAction"][-1])
    ask("completionItem/resolve", answers["textDocument/completion"][0])
    for version, text in ((2, TEXT.replace("directon", "direction")), (3, "{")):
        client.change(URI, version, text)
        ask("textDocument/formatting", PARAMS, f"formatting of version {version}")
        for name, arguments in COMMANDS.items():
            ask("workspace/executeCommand", {"command": name, "arguments": arguments}, f"{name} of version {version}")
    client.shut_down()
    assert client.stderr == []
    return answers


def test_it_responds_like_the_sources(bundled: Path) -> None:
    assert COMMANDS.keys() == REGISTERED.keys()
    options = {"rui.server.url": "http://127.0.0.1:9"}
    alone = [sys.executable, "-I", "-S", str(bundled / "rui_server.py")]
    answers = conversation(Client(command=alone, options=options))
    assert len(answers) > 30
    assert [name for name, answer in answers.items() if "Internal fault" in str(answer)] == []
    assert answers == conversation(Client(options=options))
