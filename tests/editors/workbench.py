"""Drives the VS Code workbench in a browser, with the .vsix installed and an HTTP interface to its extension host."""

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, sync_playwright

from editors.build_vsix import write_package
from tests.editors import tools
from tests.editors.documents import GOOD, place_of
from tests.support.ports import free_port

HARNESS = Path(__file__).parent / "harness"
SIZE = {"width": 1400, "height": 900}
START_TIMEOUT = 240_000
"""Milliseconds for the start of a workbench. Generous, for busy machines."""

TIMEOUT = 120_000
"""Milliseconds to wait for changes in the workbench."""

SETTINGS: dict[str, object] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.tips.enabled": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "files.hotExit": "off",
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
    "files.autoSave": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}


TOAST = ".notification-toast .monaco-list-row[aria-label*='source: RUI']"
"""A notification of the extension, not of VS Code itself."""


class Workbench:
    """A workbench with an open folder.

    Attributes:
        folder: the open folder, for the documents of tests.
        page: the page of the browser.
        before_trust: whether the extension was active without a document, and the options of its server then.
    """

    def __init__(self, folder: Path, page: Page, port: int) -> None:
        self.folder, self.page, self._port = folder, page, port
        self._used_names: set[str] = set()
        self.before_trust: dict[str, object] = {}

    def js(self, body: str, **values: object) -> Any:
        """Run the body of an async function in the extension host (harness/index.js) and return its result."""
        content = json.dumps({"body": body, "values": values}, default=str).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}", content, timeout=240) as response:
            answer = json.load(response)
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def write(self, name: str, text: str) -> Path:
        """Write a file in the open folder. Names must be unique, since VS Code caches the texts of closed files."""
        assert name not in self._used_names, f"{name} is used by another test"
        path = self.folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def show(self, path: Path) -> None:
        """Open a file in the editor."""
        self.js("await show(path)", path=path)

    def diagnostics(self, path: Path, *, until: str = "true") -> list[dict[str, Any]]:
        """Wait until an expression of the diagnostics, named ``all``, is true. Return the diagnostics."""
        body = f"return until(() => {{ const all = found(path); return ({until}) && all; }})"
        return list(self.js(body, path=path))

    def text(self, path: Path) -> str:
        """Return the text in the editor."""
        return str(self.js("return (await vscode.workspace.openTextDocument(uri(path))).getText()", path=path))

    def replace(self, path: Path, text: str) -> None:
        """Replace the text in the editor by one edit. Tries again if the editor rejects it."""
        self.js(
            "const all = new vscode.Range(0, 0, 99999, 0);"
            "await until(async () => (await show(path)).edit((edit) => edit.replace(all, text)))",
            path=path, text=text,
        )  # fmt: skip

    def command(self, name: str, *arguments: object) -> Any:
        """Run a command of VS Code."""
        return self.js("return vscode.commands.executeCommand(name, ...list)", name=name, list=arguments)

    def put_cursor(self, path: Path, line: int, character: int, anchor: tuple[int, int] | None = None) -> None:
        """Focus a file and set the cursor, or a selection from `anchor` to it."""
        self.js(
            "const editor = await show(path);"
            "editor.selection = new vscode.Selection(at(...anchor), at(...place));"
            "editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter)",
            path=path, place=(line, character), anchor=anchor or (line, character),
        )  # fmt: skip
        self.command("workbench.action.focusActiveEditorGroup")

    def set(self, name: str, value: object) -> None:
        """Change a user setting; None removes it."""
        body = "await vscode.workspace.getConfiguration().update(name, value ?? undefined, true)"
        self.js(body, name=name, value=value)

    def problems(self) -> list[str]:
        """Show the Problems panel; return the accessible labels of its errors and warnings."""
        self.command("workbench.panel.markers.view.focus")
        rows = self.page.locator(".markers-panel .monaco-list-row")
        labels = rows.evaluate_all("rows => rows.map((row) => row.ariaLabel).filter(Boolean)")
        return sorted(label for label in labels if label.startswith(("Error: ", "Warning: ")))

    def eventually(self, function: Callable[[], object], expected: object) -> None:
        """Wait until a function returns the expected value."""
        deadline = time.monotonic() + TIMEOUT / 1000
        while (value := function()) != expected:
            assert time.monotonic() < deadline, value
            self.page.wait_for_timeout(50)

    def open_fixes(self) -> None:
        """Open the menu of fixes at the cursor."""
        rows = self.page.locator(".action-widget .monaco-list-row.action").first
        self.retry(lambda: self.page.keyboard.press("Control+."), rows.is_visible)

    def act(self, title: str) -> None:
        """Choose an action at the cursor whose title contains `title` and that changes the document."""
        before = self.js(VERSION)

        def choose() -> None:
            self.open_fixes()
            self.page.locator(".action-widget .monaco-list-row", has_text=title).first.click()

        # VS Code may draw the menu again at the moment of the click, which is lost then.
        self.retry(choose, lambda: self.js(VERSION) != before, pause=20)

    def retry(self, act: Callable[[], object], is_done: Callable[[], bool], pause: float = 3) -> None:
        """Act again after `pause` seconds, twice as many, and so on, until it is done.

        After the cursor moves or a marker appears, VS Code requests fixes itself and cancels a pending request.
        A click on an editor that is drawn again at that moment is lost. Acting again also cancels what a slow machine
        has not done in the time before.
        """
        end = time.monotonic() + TIMEOUT / 1000
        while time.monotonic() < end:
            act()
            next_attempt = time.monotonic() + pause
            pause *= 2
            while time.monotonic() < next_attempt:
                if is_done():
                    return
                self.page.wait_for_timeout(50)
        raise AssertionError("VS Code did not react to any attempt")

    def wait_for(self, selector: str, **options: Any) -> Locator:
        """Wait for an element of the page."""
        found = self.page.locator(selector).first
        found.wait_for(timeout=TIMEOUT, **options)
        return found

    def toasts(self) -> list[str]:
        """Return the texts of the notifications of the extension."""
        return self.page.locator(TOAST).all_text_contents()

    def notification(self, *words: str) -> Locator:
        """Wait for a notification that contains all the words.

        The notification center lists all of them: VS Code hides a toast after some seconds, and shows at most three.
        """
        listed = self.page.locator(".notifications-center .notification-list-item")
        for each in words:
            listed = listed.filter(has_text=each)
        found = listed.first
        # VS Code may close the notification center before the notification comes.
        self.retry(lambda: self.js("await vscode.commands.executeCommand('notifications.showList')"), found.is_visible)
        return found

    def language_status(self) -> str:
        """Return the text of the language status."""
        self.page.locator("#status\\.languageStatus").first.hover()
        text = str(self.wait_for(".hover-language-status").text_content())
        self.page.keyboard.press("Escape")
        return text

    def trust(self) -> None:
        """Trust the folder."""
        self.command("workbench.trust.manage")
        button = self.page.locator(".workspace-trust-editor").get_by_role("button", name="Trust").first
        self.retry(button.click, lambda: bool(self.js("return vscode.workspace.isTrusted")))

    def tidy(self) -> None:
        """Close all editors and notifications, and delete all files."""
        self.page.keyboard.press("Escape")
        self.js("await vscode.commands.executeCommand('notifications.clearAll')")
        body = (
            "for (const document of vscode.workspace.textDocuments) {"
            "  if (document.isDirty) { await vscode.window.showTextDocument(document);"
            "    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'); } }"
            "await vscode.commands.executeCommand('workbench.action.closeAllEditors')"
        )
        self.js(body)
        # First the configuration: the server warns if the description that it names is missing.
        for path in sorted(self.folder.iterdir(), key=lambda path: path.name != "rui.toml"):
            self._used_names.add(path.name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def workbench(
    vsix: Path, where: Path, browser: Browser, settings: dict[str, object] | None = None
) -> Iterator[Workbench]:
    """Start a workbench with the extension installed and a folder that is not trusted.

    Args:
        vsix: the package of the extension.
        where: the folder for all its files.
        browser: a running browser. Playwright can start only one in a thread.
        settings: user settings in addition to `SETTINGS`.
    """
    folder, data = where / "folder", where / "data"
    folder.mkdir(parents=True)
    (data / "User").mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(SETTINGS | (settings or {})))
    with _server(tools.workbench(), vsix, where) as port:
        page = browser.new_page(viewport=SIZE, permissions=["clipboard-read", "clipboard-write"])  # type: ignore[arg-type]
        page.set_default_timeout(TIMEOUT)
        try:
            page.goto(f"http://127.0.0.1:{port}/?folder={folder}")
            yield Workbench(folder, page, _port_of(where / "extensions", page))
        finally:
            page.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=tools.chromium(), args=[*tools.CHROMIUM_FLAGS])
        try:
            yield browser
        finally:
            browser.close()


def _port_of(extensions: Path, page: Page) -> int:
    """Wait until the harness listens, and return its port."""
    deadline = time.monotonic() + START_TIMEOUT / 1000
    while time.monotonic() < deadline:
        for file in extensions.glob("tests.harness-*/port"):
            if written := file.read_text():
                return int(written)
        page.wait_for_timeout(50)
    raise AssertionError("the extension host did not start")


@contextmanager
def _server(installed: Path, vsix: Path, where: Path) -> Iterator[int]:
    """Start the workbench's server on a free port, with the extension and the harness installed."""
    entry = installed / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    port = free_port()
    env = os.environ | tools.node_first(installed)
    env |= {"XDG_CONFIG_HOME": str(where / "config"), "XDG_DATA_HOME": str(where / "share"), "HOME": str(where)}
    env.pop("VSCODE_IPC_HOOK_CLI", None)
    own = ["--user-data-dir", where / "data", "--extensions-dir", where / "extensions"]
    harness = where / "harness.vsix"
    write_package(HARNESS, harness)
    tools.run(["node", entry, *own, "--install-extension", vsix, "--install-extension", harness], where, env)
    command = [
        "node", entry, *own, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry",
        "--disable-update-check", "--disable-getting-started-override",
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
    deadline = time.monotonic() + START_TIMEOUT / 1000
    while time.monotonic() < deadline:
        assert process.poll() is None, "the workbench's server did not start"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the workbench's server did not respond")


TEXT = "return vscode.window.activeTextEditor.document.getText()"
VERSION = "return vscode.window.activeTextEditor.document.version"


def opened(code: Workbench, name: str, text: str = GOOD, *, at: str = "", errors: int = 0) -> Path:
    """Open a document, wait for its errors, and put the cursor after some words."""
    path = code.write(f"{name}.rui.json", text)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.diagnostics(path, until=f"all.length === {errors}")
    code.put_cursor(path, *(place_of(text, at, after=True) if at else (0, 0)))
    return path


def read_in_pages(code: Workbench, selector: str) -> list[str]:
    """Return the texts of elements in the webview that was opened last."""
    texts: list[str] = []
    for frame in code.page.frames:
        with suppress(Error):  # Frames can be detached meanwhile.
            texts = frame.locator(selector).all_text_contents() if "fake.html" in frame.url else texts
    return texts
