"""What goes wrong in a day with Neovim: one sentence each, and no text is lost."""

import ast
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from rui_common.describe import minimal_example
from tests.editors.neovim import DESK, ROOT, Neovim

pytestmark = pytest.mark.usefixtures("installed_neovim")

BINARY = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
NO_JSON = {
    "prose": "Dear diary,\n\ntoday was a day like any other.\n",
    "a program": "import sys\n\n\ndef main():\n    return 0\n",
    "a page": "<!doctype html>\n<html><body><p>Hello</p></body></html>\n",
    "a picture": BINARY,
    "empty": "",
}


@pytest.mark.parametrize("package", ["rui_lsp", "rui_cli"])
def test_an_old_python_is_named(tmp_path: Path, package: str) -> None:
    source = (ROOT / package / "__main__.py").read_text()
    ast.parse(source, feature_version=(3, 4))  # Older ones can read it.
    code = f"import sys, runpy; sys.version_info = (3, 9, 0); runpy.run_module({package!r}, run_name='__main__')"
    config = f"vim.g.rui_cmd = vim.json.decode({json.dumps(json.dumps([sys.executable, '-c', code]))})\n"
    with Neovim(tmp_path, config) as nvim:
        path = nvim.folder / "desk.rui.json"
        path.write_text(DESK)
        nvim.command(f"edit {path}")
        message = nvim.until(lambda: "exited immediately" in nvim.messages() and nvim.messages())
        assert f"requires Python 3.11 or newer; {sys.executable} is Python 3.9" in message
        assert message.count("cannot be started") == 1
        assert "Traceback" not in message
        nvim.type("Gofurther<Esc>")
        nvim.until(lambda: nvim.text() == f"{DESK}further\n", "the text can be edited")


def test_a_server_that_is_killed_while_typing(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    nvim.put_cursor("Orders are refreshed")
    nvim.type("iOne ")
    nvim.until(lambda: "One Orders" in nvim.text())
    [server] = nvim.server_pids()
    for number, word in enumerate("two three four five six seven".split()):
        nvim.type(f"{word} ")
        if number == 2:
            os.kill(server, signal.SIGKILL)
    nvim.until(lambda: "One two three four five six seven Orders are refreshed" in nvim.text())
    assert nvim.request("nvim_get_mode")["mode"] == "i"
    nvim.until(lambda: nvim.client() and nvim.server_pids() != [server], "another server")
    nvim.type('"')
    nvim.until(lambda: "INVALID_JSON" in nvim.codes(), "it has the text of the buffer")
    nvim.type("<BS>")
    nvim.until(lambda: nvim.findings() == [])
    [message] = [line for line in nvim.messages().split("\n") if not line.startswith("Client rui quit")]  # Neovim's own
    assert message == "RUI: the language server crashed (signal 9) and is restarted."


def test_a_folder_that_cannot_be_written(nvim: Neovim) -> None:
    """A folder that does not exist: root may write into folders without permission."""
    nvim.edit("desk.rui.json", DESK)
    nvim.command("file nowhere/desk.rui.json")
    nvim.put_cursor("Orders are refreshed")
    nvim.type("iWow! <Esc>")
    nvim.until(lambda: "Wow!" in nvim.text())
    nvim.command("RuiPublish")
    message = nvim.until(nvim.messages)
    assert message.startswith("RUI: desk.rui.json is not published, as it cannot be saved: E212: Can't open file")
    assert "\n" not in message
    assert nvim.lua("return vim.bo.modified")
    assert nvim.text() == DESK.replace("Orders are refreshed", "Wow! Orders are refreshed")


def test_a_file_of_2_mb(nvim: Neovim) -> None:
    example = minimal_example()
    page = json.dumps(example["pages"][0])
    count = 2_000_000 // len(page)
    pages = [json.loads(page.replace('"id": "', f'"id": "p{number}-')) for number in range(count)]
    items = [{"pageId": page["id"], "label": "P"} for page in pages]
    text = json.dumps({**example, "navigation": {"items": items}, "pages": pages}, indent=1) + "\n"
    assert len(text) > 2_000_000
    nvim.edit("large.rui.json", text)
    nvim.until(lambda: nvim.codes() == ["TOO_LARGE"], "only its size is wrong")
    nvim.type("Go}<Esc>")
    nvim.until(lambda: "INVALID_JSON" in nvim.codes())
    nvim.type("u")
    nvim.until(lambda: nvim.codes() == ["TOO_LARGE"])
    assert nvim.text() == text
    assert nvim.messages() == ""


@pytest.mark.parametrize("text", NO_JSON.values(), ids=NO_JSON)
def test_a_file_that_is_no_json(nvim: Neovim, text: str) -> None:
    path = nvim.folder / "a.rui.json"
    path.write_bytes(text.encode("latin-1"))
    nvim.edit("a.rui.json")
    nvim.until(nvim.findings)
    assert nvim.codes() == ["INVALID_JSON"]
    for command in ("RuiFix", "RuiPublish", "RuiPreview"):
        nvim.command(command)
    nvim.until(nvim.opened, "a preview")
    nvim.until(lambda: "is not published, as it is not valid" in nvim.messages())
    assert "Traceback" not in nvim.messages() + nvim.request("nvim_exec2", "messages", {"output": True})["output"]
    assert path.read_bytes() == text.encode("latin-1")
    assert not nvim.lua("return vim.bo.modified")
