"""Start and restart of the server, and the messages if it cannot be started."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench, read_in_pages

SERVER = "vscode.extensions.getExtension('rui-toolkit.rui').exports.server"
RUNNING, LAUNCHED = f"{SERVER}.isRunning", f"{SERVER}.launched"
FAULTY = GOOD.replace('"Text"', '"Txt"', 1)


@pytest.fixture
def broken(code: Workbench, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A document with one error. Restores the bundled server after the test."""
    path = code.write(f"{abs(hash(request.node.name))}.rui.json", FAULTY)
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    yield path
    code.tidy()  # A file that is deleted in the first second of a new server would keep its diagnostics.
    code.set("rui.interpreter", None)
    code.js(f"await until(() => {RUNNING})")


def server_of(code: Workbench) -> int:
    """Return the process id of the language server; 0 if it does not run."""
    parts = (b"/bundled/rui_server.py", str(code.folder.parent).encode())
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_bytes()
        except OSError:
            continue
        if all(part in command for part in parts):
            return int(file.parent.name)
    return 0


def test_the_server_starts_with_the_first_document_and_knows_that_the_folder_is_not_trusted(code: Workbench) -> None:
    before = code.before_trust
    assert (before["was active"], before["options"]) == (False, {"isWorkspaceTrusted": False})
    assert "Restricted Mode: rui.toml, and workspace settings that name a program" in str(before["status"])


def test_the_bundle_runs_alone_and_outside_of_the_workspace(code: Workbench, broken: Path) -> None:
    launched = code.js(f"return {LAUNCHED}")
    assert launched["args"][:2] == ["-I", "-S"]
    assert launched["args"][2].endswith("/bundled/rui_server.py")
    assert launched["origin"].startswith("the bundled server with Python 3.")
    assert Path(launched["command"]).is_absolute()
    folder = Path(f"/proc/{server_of(code)}/cwd").readlink()
    assert (folder / "bundled" / "rui_server.py").exists()


def test_typing_goes_on_while_the_server_is_killed(code: Workbench, broken: Path) -> None:
    code.put_cursor(broken, *place_of(FAULTY, "five minutes", after=True))
    words = " and at noon, on each working day"
    first = 0
    for number, letter in enumerate(words):
        code.page.keyboard.type(letter)
        if number == 5:
            first = server_of(code)
            os.kill(first, signal.SIGKILL)
    expected = FAULTY.replace("five minutes", f"five minutes{words}")
    code.eventually(lambda: code.text(broken), expected)
    code.eventually(lambda: server_of(code) not in (0, first) and code.js(f"return {RUNNING}"), True)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")
    assert code.toasts() == []


def test_after_six_crashes_a_button_restarts_the_server(code: Workbench, broken: Path) -> None:
    before = server_of(code)
    code.command("rui.restart")  # which forgets the crashes of other tests
    for _ in range(6):
        code.eventually(lambda before=before: server_of(code) not in (0, before) and code.js(f"return {RUNNING}"), True)
        before = server_of(code)
        os.kill(before, signal.SIGKILL)
    message = "The RUI language server crashed 6 times in 3 minutes."
    code.notification(message)
    code.show(broken)
    assert "RUI: not running" in code.language_status()
    assert server_of(code) == 0
    code.command("rui.openPreview")
    reason = "No preview. The RUI language server is not running. Its log shows the reason."
    code.eventually(lambda: read_in_pages(code, "p"), [reason])
    code.notification(message).get_by_role("button", name="Restart").press("Enter")
    code.eventually(lambda: code.js(f"return {RUNNING}"), True)
    code.show(broken)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")


def test_a_virtual_document_has_the_true_reason(code: Workbench, broken: Path) -> None:
    """For example the other side of a comparison, or an earlier version of the file."""
    body = (
        "const page = uri(path).with({ scheme: 'rui-page' });"
        "await vscode.window.showTextDocument(page);"
        "await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'rui-page')"
    )
    for command in ("rui.openPreview", "rui.openPreviewInBrowser", "rui.publishDocument", "rui.compareWithLastVersion"):
        code.js(body, path=broken)
        code.command("notifications.clearAll")
        code.command(command)
        code.notification('RUI does not read documents of "rui-page:". Open the file itself.')


def test_an_invalid_setting_is_reported(code: Workbench, broken: Path) -> None:
    code.set("rui.interpreter", "/no/such/python")
    message = code.notification("rui.interpreter: /no/such/python cannot be used: program not found")
    assert code.js(f"return {RUNNING}") is False
    message.get_by_role("button", name="Open Settings").press("Enter")  # a tooltip may cover it
    search = code.wait_for(".settings-editor .suggest-input-container")
    code.eventually(lambda: "rui.interpreter" in str(search.text_content()), True)
    code.show(broken)
    assert "RUI: not running" in code.language_status()
    # After the setting is corrected, the server starts.
    code.set("rui.interpreter", None)
    code.eventually(lambda: code.js(f"return {RUNNING}"), True)
    code.show(broken)
    code.diagnostics(broken, until="all.length === 1")
