"""How the server is started, what is said when it cannot be, and that it comes back."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench

LAUNCHED = "return vscode.extensions.getExtension('rui-toolkit.rui').exports.server.launched"
RUNNING = "return vscode.extensions.getExtension('rui-toolkit.rui').exports.server.isRunning"
FAULTY = GOOD.replace('"Text"', '"Txt"', 1)


@pytest.fixture
def broken(code: Workbench, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A document with one fault, which whoever runs finds; afterwards the bundled server runs again."""
    path = code.write(f"{abs(hash(request.node.name))}.rui.json", FAULTY)
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    yield path
    for name in ("rui.interpreter", "rui.server.command", "rui.importStrategy"):
        code.set(name, None)
    code.command("rui.restart")
    assert code.js(RUNNING) is True


def test_the_bundle_runs_alone(code: Workbench, broken: Path) -> None:
    launched = code.js(LAUNCHED)
    assert launched["args"][:2] == ["-I", "-S"]
    assert launched["args"][2].endswith("/bundled/rui_server.py")
    assert launched["from"].startswith("the bundled server, under Python 3.")


def test_a_server_that_is_killed_comes_back(code: Workbench, broken: Path) -> None:
    def server() -> int:
        parts = (b"/bundled/rui_server.py", str(code.folder.parent).encode())
        found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if all(part in _read(path) for part in parts)]
        return int(found[0].parent.name) if found else 0

    first = server()
    assert first
    os.kill(first, signal.SIGKILL)
    code.eventually(lambda: server() not in (0, first) and code.js(RUNNING), True)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("rui.interpreter", "/no/such/python", "rui.interpreter names /no/such/python, but there is no such program"),
        ("rui.interpreter", "/bin/true", "rui.interpreter names /bin/true, but it did not say its version"),
        ("rui.server.command", ["/no/such/rui", "lsp"], "rui.server.command names /no/such/rui, and there is no such"),
        ("rui.server.command", ["/bin/false"], "RUI cannot start the setting rui.server.command: /bin/false"),
    ],
)
def test_a_setting_that_is_wrong_is_told(
    code: Workbench, broken: Path, setting: str, value: object, words: str
) -> None:
    code.set(setting, value)
    told = code.notification(words)
    assert code.js(RUNNING) is False
    status = code.wait_for("#rui-toolkit\\.rui\\.rui\\.findings a")
    code.eventually(lambda: words in str(status.get_attribute("aria-label")), True)
    told.get_by_role("button", name="Open Settings").click()
    search = code.wait_for(".settings-editor .suggest-input-container")
    code.eventually(lambda: setting in str(search.text_content()), True)
    # Once it is right, the server starts by itself, though the start before has failed.
    code.set(setting, None)
    code.eventually(lambda: code.js(RUNNING), True)
    code.show(broken)
    code.diagnostics(broken, until="all.length === 1")


def test_no_python_is_told_with_what_to_do(code: Workbench, broken: Path, tmp_path: Path) -> None:
    before = code.js("const path = process.env.PATH; process.env.PATH = empty; return path", empty=tmp_path)
    try:
        code.js("void vscode.commands.executeCommand('rui.restart')")
        told = code.notification("RUI needs Python 3.11 or newer, and found none")
        words = str(told.text_content())
        assert "python3: there is no such program" in words
        assert "Install it, or set rui.interpreter." in words
    finally:
        code.js("process.env.PATH = path", path=before)
    told.get_by_role("button", name="Try Again").click()
    code.eventually(lambda: code.js(RUNNING), True)


def test_the_environment_is_used_when_that_is_wanted(code: Workbench, broken: Path) -> None:
    code.set("rui.interpreter", sys.executable)
    code.set("rui.importStrategy", "fromEnvironment")
    code.eventually(lambda: (code.js(LAUNCHED) or {}).get("args", [])[-2:], ["rui_cli", "lsp"])
    code.eventually(lambda: code.js(RUNNING), True)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
