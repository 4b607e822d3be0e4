"""VS Code as a person has it: the workbench in a browser, our .vsix installed, and a way to ask its extension host."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from editors.build_vsix import write_package
from tests.editors import tools

HARNESS = Path(__file__).parent / "harness"
SIZE = {"width": 1400, "height": 900}
PATIENCE = 90_000
"""Milliseconds that a workbench may take to be there: machines may be busy."""

MOMENT = 15_000
"""Milliseconds that something may take to be seen."""

SEVERITIES = ("Error:", "Warning:", "Info:", "Hint:")
"""What the problems in the Problems panel begin with; rows of files and of what is related have other words."""

SETTINGS: dict[str, object] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.tips.enabled": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "files.hotExit": "off",
    "security.workspace.trust.startupPrompt": "never",
    "files.autoSave": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}


class Workbench:
    """A workbench with a folder open.

    Attributes:
        folder: the folder that is open, for a test's documents.
        page: what a person sees.
    """

    def __init__(self, folder: Path, page: Page, port: int) -> None:
        self.folder, self.page, self._port = folder, page, port
        self._names: set[str] = set()  # of the tests before

    def js(self, body: str, **values: object) -> Any:
        """Run the body of an async function in the extension host (see harness/index.js); what it returns."""
        content = json.dumps({"body": body, "values": values}, default=str).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}", content, timeout=120) as response:
            answer = json.load(response)
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def write(self, name: str, text: str) -> Path:
        """A file in the open folder, with a name of its own: editors keep the texts of closed files for minutes."""
        assert name not in self._names, f"{name} was another test's"
        path = self.folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def show(self, path: Path) -> None:
        """Open a file; back when the server has said what it thinks of it."""
        self.js("await show(path)", path=path)

    def diagnostics(self, path: Path, *, until: str = "true") -> list[dict[str, Any]]:
        """The diagnostics of a file, as soon as `until` holds for them, which it calls ``all``."""
        body = f"return until(() => {{ const all = found(path); return ({until}) && all; }})"
        return list(self.js(body, path=path))

    def text(self, path: Path) -> str:
        """What is in the editor, saved or not."""
        return str(self.js("return (await vscode.workspace.openTextDocument(uri(path))).getText()", path=path))

    def replace(self, path: Path, text: str) -> None:
        """Put another text in the editor, in one edit; asked again where the editor does not take it."""
        self.js(
            "const all = new vscode.Range(0, 0, 99999, 0);"
            "await until(async () => (await show(path)).edit((edit) => edit.replace(all, text)))",
            path=path, text=text,
        )  # fmt: skip

    def command(self, name: str, *arguments: object) -> Any:
        """Run a command by its name."""
        return self.js("return vscode.commands.executeCommand(name, ...list)", name=name, list=arguments)

    def put_cursor(self, path: Path, line: int, character: int, *, end: tuple[int, int] | None = None) -> None:
        """Bring a file to the front, with the cursor, or a selection, somewhere, ready to be typed in."""
        self.js(
            "const editor = await show(path);"
            "editor.selection = new vscode.Selection(at(...from), at(...to));"
            "editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter)",
            path=path, **{"from": (line, character), "to": end or (line, character)},
        )  # fmt: skip
        self.command("workbench.action.focusActiveEditorGroup")

    def set(self, name: str, value: object) -> None:
        """A setting of the user's own; None takes it back."""
        body = "await vscode.workspace.getConfiguration().update(name, value ?? undefined, true)"
        self.js(body, name=name, value=value)

    def problems(self) -> list[str]:
        """What the Problems panel reads out to somebody who does not see it, a line each."""
        self.command("workbench.panel.markers.view.focus")
        return self.rows_of(".markers-panel")

    def problems_are(self, *parts: str) -> None:
        """Wait until the Problems panel has these problems and no others, by parts of what it says, in any order."""

        def wrong() -> str:
            shown = [label for label in self.problems() if label.startswith(SEVERITIES)]
            same = len(shown) == len(parts) and all(any(part in label for label in shown) for part in parts)
            return "" if same else f"{shown}"

        self.eventually(wrong, "")

    def eventually(self, ask: Callable[[], object], answer: object) -> None:
        """Wait until `ask` answers so."""
        deadline = time.monotonic() + MOMENT / 1000
        while (given := ask()) != answer:
            assert time.monotonic() < deadline, given
            self.page.wait_for_timeout(50)

    def fix_all(self) -> None:
        """Mend what is safe in the document in front; back when it has changed."""
        changed = "return vscode.window.activeTextEditor.document.isDirty"
        self._ask_for_fixes(lambda: self.command("editor.action.fixAll"), lambda: bool(self.js(changed)))

    def open_fixes(self) -> None:
        """The menu of fixes for what is at the cursor."""
        rows = self.page.locator(".action-widget .monaco-list-row.action").first
        self._ask_for_fixes(lambda: self.page.keyboard.press("Control+."), rows.is_visible)

    def _ask_for_fixes(self, ask: Callable[[], object], answered: Callable[[], bool]) -> None:
        """Ask, and again if nothing comes of it, as a person would: a moment after the cursor moved or a marker came
        VS Code looks for fixes by itself, and with that silently cancels what was asked for and not yet answered."""
        for _ in range(5):
            ask()
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                if answered():
                    return
                self.page.wait_for_timeout(50)
        raise AssertionError("VS Code was asked for fixes five times, and none came")

    def wait_for(self, selector: str, **options: Any) -> Locator:
        """Something that a person is to see."""
        found = self.page.locator(selector).first
        found.wait_for(timeout=MOMENT, **options)
        return found

    def notification(self, words: str) -> Locator:
        """A message to the person, with its buttons."""
        found = self.page.locator(".notification-toast").filter(has_text=words).first
        found.wait_for(timeout=MOMENT)
        return found

    def language_status(self) -> str:
        """What the status of the language says when somebody points at it."""
        self.page.locator("#status\\.languageStatus").first.hover()
        said = str(self.wait_for(".hover-language-status").text_content())
        self.page.keyboard.press("Escape")
        return said

    def rows_of(self, list_of: str) -> list[str]:
        """What the rows of a list that is open say."""
        rows = self.page.locator(f"{list_of} .monaco-list-row")
        return list(rows.evaluate_all("rows => rows.map((row) => row.ariaLabel).filter(Boolean)"))

    def tidy(self) -> None:
        """Close all editors, unsaved or not, all messages, and take back all settings: the next test begins afresh."""
        self.page.keyboard.press("Escape")
        self.js("await vscode.commands.executeCommand('notifications.clearAll')")
        body = (
            "for (const document of vscode.workspace.textDocuments) {"
            "  if (document.isDirty) { await vscode.window.showTextDocument(document);"
            "    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'); } }"
            "await vscode.commands.executeCommand('workbench.action.closeAllEditors')"
        )
        self.js(body)
        for path in self.folder.iterdir():
            self._names.add(path.name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def workbench(
    vsix: Path,
    where: Path,
    settings: dict[str, object] | None = None,
    opens: dict[str, object] | None = None,
    browser: Browser | None = None,
    files: dict[str, str] | None = None,
) -> Iterator[Workbench]:
    """A workbench of its own, with the extension installed from a package and nothing else on its disk.

    Args:
        vsix: the package.
        where: a folder for all that it writes.
        settings: the user's, besides those that keep things quiet.
        opens: what a ``.code-workspace`` file says that is opened instead of a folder; it is not trusted then.
        browser: the browser, if one runs already. Playwright starts but one in a thread.
        files: the texts of files that the folder contains before it is opened.
    """
    installed = tools.workbench()
    folder, data = where / "folder", where / "data"
    folder.mkdir(parents=True)
    for name, text in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (data / "User").mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(SETTINGS | (settings or {})))
    query, trust = f"folder={folder}", ["--disable-workspace-trust"]
    if opens is not None:
        file = where / "opened.code-workspace"
        file.write_text(json.dumps(opens))
        query, trust = f"workspace={file}", []
    with _server(installed, vsix, where, trust) as port, nullcontext(browser) if browser else chromium() as shown_in:
        page = shown_in.new_page(viewport=SIZE, permissions=["clipboard-read", "clipboard-write"])  # type: ignore[arg-type]
        try:
            page.goto(f"http://127.0.0.1:{port}/?{query}")
            yield Workbench(folder, page, _port_of(where / "extensions", page))
        finally:
            page.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that workbenches are shown in."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=tools.chromium(), args=[*tools.CHROMIUM_FLAGS])
        try:
            yield browser
        finally:
            browser.close()


def _port_of(extensions: Path, page: Page) -> int:
    """Where the harness listens, as soon as it does."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        for file in extensions.glob("tests.harness-*/port"):
            if written := file.read_text():
                return int(written)
        page.wait_for_timeout(50)
    raise AssertionError("the extension host did not start")


@contextmanager
def _server(installed: Path, vsix: Path, where: Path, more: list[str]) -> Iterator[int]:
    """The workbench's server on a free port."""
    entry = installed / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = os.environ | tools.node_first(installed)
    env |= {"XDG_CONFIG_HOME": str(where / "config"), "XDG_DATA_HOME": str(where / "share"), "HOME": str(where)}
    env.pop("VSCODE_IPC_HOOK_CLI", None)
    own = ["--user-data-dir", where / "data", "--extensions-dir", where / "extensions"]
    harness = where / "harness.vsix"
    write_package(HARNESS, harness)
    tools.run(["node", entry, *own, "--install-extension", vsix, "--install-extension", harness], where, env)
    command = [
        "node", entry, *own, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry",
        "--disable-update-check", "--disable-getting-started-override", *more,
    ]  # fmt: skip
    with (where / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=where, env=env, stdout=log, stderr=log, start_new_session=True)
        try:
            _wait_for(f"http://127.0.0.1:{port}/healthz", process)
            yield port
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        assert process.poll() is None, "the workbench's server did not start"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the workbench's server did not answer")
