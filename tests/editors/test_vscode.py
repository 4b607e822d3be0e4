"""What only the real workbench shows. tests/rui_lsp has the features, test_vscode_first_hour.py an author's way."""

import json
import re
import time
from pathlib import Path

import pytest

from editors.build_vsix import EXTENSION
from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.convert import to_lsp
from tests.editors.documents import GOOD, place_of
from tests.editors.snippets import snippets
from tests.editors.workbench import TEXT, Workbench, opened, read_in_pages
from tests.rui_api.live import Service
from tests.rui_openapi.shop import SHOP, table

FIX = ".action-widget .monaco-list-row"
[WALKTHROUGH] = json.loads((EXTENSION / "package.json").read_text())["contributes"]["walkthroughs"]


def test_diagnostics_follow_each_change(code: Workbench) -> None:
    path = opened(code, "typed", at='"pageId": "orders')
    assert "RUI: running" in code.language_status()
    code.page.keyboard.type("x")
    found = code.diagnostics(path, until="all.length === 2")
    assert {diagnostic["code"] for diagnostic in found} == {"INVALID_NAV_PAGE_ID", "ORPHAN_PAGE"}
    assert {diagnostic["source"] for diagnostic in found} == {"rui"}
    code.wait_for(".squiggly-error")
    code.eventually(
        lambda: [label.split('"')[0] for label in code.problems()], ["Error: Navigation pageId ", "Error: Page "]
    )
    item = code.wait_for("#status\\.problems a")
    code.eventually(lambda: item.get_attribute("aria-label"), "Errors: 2")
    code.put_cursor(path, *place_of(code.text(path), '"ordersx', after=True))
    code.page.keyboard.press("Backspace")
    code.diagnostics(path, until="all.length === 0")
    code.eventually(code.problems, [])
    assert code.text(path) == GOOD


def test_diagnostics_stay_while_the_author_types(code: Workbench) -> None:
    text = GOOD.replace('"pageId": "orders"', '"pageId": "nowhere"')
    path = opened(code, "stays", text, at="Orders come in", errors=2)
    code.js(
        "globalThis.counts = [];"
        "globalThis.listener = vscode.languages.onDidChangeDiagnostics((event) => {"
        "  if (event.uris.some((one) => one.fsPath === path)) counts.push(found(path).length); })",
        path=path,
    )  # fmt: skip
    for _ in range(20):
        code.page.keyboard.type("x")
        code.page.wait_for_timeout(100)
    code.replace(path, code.text(path).replace("nowhere", "orders"))
    counts = code.js("await until(() => counts.at(-1) === 0); listener.dispose(); return counts")
    assert set(counts[:-1]) <= {2}


def test_diagnostics_come_after_an_error_of_a_request(code: Workbench) -> None:
    path = opened(code, "error-answer", at='"pageId": "orders')
    code.js(
        "const { client } = vscode.extensions.getExtension('rui-toolkit.rui').exports.server;"
        "globalThis.refused = new Set();"
        "client.sendRequest = function (type, ...rest) {"
        "  const method = type.method ?? type;"
        "  if (!method.endsWith('/diagnostic') || refused.has(method)) {"
        "    return Object.getPrototypeOf(client).sendRequest.call(client, type, ...rest); }"
        "  refused.add(method);"
        "  return Promise.reject(new Error('one of those days')); }"
    )
    code.page.keyboard.type("x")
    code.js("await until(() => refused.has('textDocument/diagnostic') && refused.has('workspace/diagnostic'))")
    code.page.keyboard.type("y")
    code.diagnostics(path, until="all.length === 2")
    other = code.write("error-answer-other.rui.json", "{")
    code.diagnostics(other, until="all.length === 1")
    code.js("delete vscode.extensions.getExtension('rui-toolkit.rui').exports.server.client.sendRequest")


def test_the_json_server_does_not_report_diagnostics(code: Workbench) -> None:
    """VS Code's JSON server ignores these files, even if a schema is configured for them."""
    code.set("json.schemas", [{"fileMatch": ["*.rui.json"], "schema": {"type": "array"}}])
    path = code.write("broken.rui.json", GOOD.replace('"0.1",', '"0.1"'))
    code.show(path)
    found = code.diagnostics(path, until="all.length")
    # When the JSON server has reported an error of another file, it would also have reported those of this file.
    other = code.write("other.json", '{"a": 1,}')
    code.show(other)
    assert {diagnostic["source"] for diagnostic in code.diagnostics(other, until="all.length")} == {"json"}
    assert {diagnostic["source"] for diagnostic in [*found, *code.diagnostics(path)]} == {"rui"}
    code.set("json.schemas", None)


def test_nothing_is_proposed_in_prose(code: Workbench) -> None:
    opened(code, "prose", at="every five minutes.")
    for letter in " Ord":
        code.page.keyboard.type(letter)
        code.page.wait_for_timeout(150)
        assert code.page.locator(".suggest-widget.visible").count() == 0
    code.page.keyboard.press("Tab")
    code.page.keyboard.type("x")
    code.eventually(lambda: bool(re.search(r'minutes\. Ord +x" }', str(code.js(TEXT)))), True)


def test_enter_after_a_bracket_is_a_new_line(code: Workbench) -> None:
    opened(code, "bracket", at='"content": "Orders come in every five minutes." }')
    code.page.keyboard.type(", {")
    code.page.wait_for_timeout(400)
    code.page.keyboard.press("Enter")
    code.eventually(lambda: str(code.js(TEXT)).count("\n"), GOOD.count("\n") + 2)
    assert "metric-1" not in str(code.js(TEXT))


def test_a_comma_is_added_while_the_next_keys_are_typed(code: Workbench) -> None:
    text = GOOD.replace('"direction": "stack",\n', '"direction": "stack"\n', 1)

    def lines() -> set[str]:
        return {line.strip() for line in str(code.js(TEXT)).split("\n")}

    for pause in (0, 30):
        opened(code, f"fast-{pause}", text, at='"direction": "stack"', errors=1)
        code.page.keyboard.press("Enter")
        code.page.wait_for_timeout(pause)
        code.page.keyboard.type('"title": "T",', delay=pause)
        code.eventually(lambda: {'"direction": "stack",', '"title": "T",'} <= lines(), True)


UNBOUND = GOOD.replace('{ "id": "w', '{ "id": "m", "type": "Metric", "label": "M" },\n            { "id": "w', 1)


def test_an_added_binding_asks_for_its_addresses_and_is_marked_until_they_are_set(code: Workbench) -> None:
    path = opened(code, "binding", UNBOUND, at='"Metri', errors=1)
    code.act('Add "binding"')
    code.js("await until(() => vscode.window.activeTextEditor.document.getText().includes('\"binding\"'))")
    code.page.keyboard.type("/api/x")
    found = code.diagnostics(path, until="all.length === 1 && all[0].code === 'PLACEHOLDER'")
    assert found[0]["severity"] == "Warning"
    code.page.keyboard.press("Tab")
    code.page.keyboard.type("data.b")
    code.eventually(lambda: '"path": "/api/x", "valuePath": "data.b"' in str(code.js(TEXT)), True)
    code.diagnostics(path, until="all.length === 0")


def test_the_references_to_an_id_change_while_it_is_typed(code: Workbench) -> None:
    opened(code, "linked", at='"id": "orders')
    code.wait_for(".linked-editing-decoration")
    code.page.keyboard.type("-2")
    code.eventually(lambda: str(code.js(TEXT)).count('"orders-2"'), 2)


def test_fix_all_and_format_on_save(code: Workbench) -> None:
    code.set("editor.codeActionsOnSave", {"source.fixAll": "explicit"})
    code.set("editor.formatOnSave", True)
    text = GOOD.replace('"Text"', '"Txt"', 1).replace('  "version"', '"version"').replace("      ", "   ")
    path = opened(code, "saved", text, errors=1)
    before = code.js("return vscode.window.activeTextEditor.document.version")
    code.page.keyboard.type(" ")
    code.page.keyboard.press("Control+s")
    # The document is also not dirty before the extension host has received the first key.
    body = "const { document } = vscode.window.activeTextEditor; return document.version > before && !document.isDirty"
    code.js(f"await until(() => {{ {body} }})", before=before)
    assert path.read_text() == code.text(path)
    assert path.read_text().split("\n")[1] == '  "version": "0.1",'
    assert Analysis(read(path.read_bytes())).diagnostics == []
    code.set("editor.codeActionsOnSave", None)
    code.set("editor.formatOnSave", None)


def test_pages_about_the_vocabulary(code: Workbench) -> None:
    opened(code, "rule", GOOD.replace('"Text"', '"Txt"', 1), errors=1)
    code.problems()
    code.wait_for(".markers-panel a:has-text('UNKNOWN_TYPE')").click()
    code.eventually(lambda: read_in_pages(code, "h1"), ["R5 UNKNOWN_TYPE"])
    code.command("workbench.action.closeAllEditors")
    code.command("rui.showVocabulary")
    code.eventually(lambda: read_in_pages(code, "h1"), [f"The vocabulary of RUI {VOCABULARY.version}"])


def test_the_walkthrough_leads_to_a_first_document(code: Workbench) -> None:
    code.command("workbench.action.openWalkthrough", f"rui-toolkit.rui#{WALKTHROUGH['id']}")
    steps = code.page.locator(".getting-started-step .step-title")
    code.eventually(steps.all_text_contents, [step["title"] for step in WALKTHROUGH["steps"]])
    code.page.locator(".getting-started-step", has_text=WALKTHROUGH["steps"][0]["title"]).first.click()
    code.page.get_by_role("button", name="New RUI").click()
    code.wait_for(".quick-input-list .monaco-list-row:has-text('With everything')").click()
    code.wait_for(".quick-input-widget .quick-input-message:has-text('Title of the app')")
    field = code.page.locator(".quick-input-widget .quick-input-box input")
    field.fill("First")
    field.press("Enter")
    code.js("await until(() => vscode.window.activeTextEditor?.document.isUntitled)")
    code.js("await until(() => vscode.window.activeTextEditor.document.getText())")
    assert code.js("return vscode.window.activeTextEditor.document.languageId") == "rui-json"
    document = read(str(code.js(TEXT)))
    assert Analysis(document).diagnostics == []
    assert document.value["meta"]["title"] == "First"
    code.command("workbench.action.previousEditor")
    code.wait_for(".getting-started-step .complete.codicon-getting-started-step-checked")


def test_a_letter_below_a_line_without_a_comma_shows_properties(code: Workbench) -> None:
    path = opened(code, "below", GOOD.replace('{ "title": "Orders" }', '{\n    "title": "Orders"\n  }'), at='"Orders"')
    code.page.keyboard.press("Enter")
    code.page.keyboard.type("d")
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused:has-text('description')")
    code.page.keyboard.press("Enter")
    expected = GOOD.replace('{ "title": "Orders" }', '{\n    "title": "Orders",\n    "description": ""\n  }')
    code.eventually(lambda: code.text(path), expected)


def create(code: Workbench, title: str) -> str:
    """Run the command *New RUI…*; return the path of the new document."""
    before = code.js("return vscode.window.activeTextEditor?.document.uri.path ?? ''")
    code.js("void vscode.commands.executeCommand('rui.new')")
    code.wait_for(".quick-input-list .monaco-list-row:has-text('Small')").click()
    code.wait_for(".quick-input-widget .quick-input-message:has-text('Title of the app')")
    field = code.page.locator(".quick-input-widget .quick-input-box input")
    field.fill(title)
    field.press("Enter")
    body = (
        "const active = () => vscode.window.activeTextEditor?.document;"
        "await until(() => active()?.isUntitled && active().uri.path !== before && active().getText());"
        "return active().uri.path"
    )
    return str(code.js(body, before=before))


def test_a_new_document_is_saved_under_its_title(code: Workbench) -> None:
    code.write("stock.rui.json", GOOD)
    names = {"Order/desk: Größe": "order-desk-größe", "Stock": "stock-2", "con": "con-app", "": "new"}
    for title, stem in names.items():
        path = code.folder / f"{stem}.rui.json"
        assert create(code, title) == str(path)
        code.page.keyboard.press("Control+s")
        code.js("await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'file')")
        assert code.js("return vscode.window.activeTextEditor.document.languageId") == "rui-json"
        assert Analysis(read(path.read_bytes())).diagnostics == []
    assert (code.folder / "stock.rui.json").read_text() == GOOD
    first, second = create(code, "Twice"), create(code, "Twice")
    assert [Path(path).name for path in (first, second)] == ["twice.rui.json", "twice-2.rui.json"]


def test_the_button_asks_and_a_refusal_to_publish_has_a_button_to_its_reason(code: Workbench) -> None:
    code.set("rui.server.url", "http://127.0.0.1:9")
    opened(code, "refused")
    for answer in ("Cancel", "Publish"):
        code.wait_for(".editor-actions a[aria-label^=Publish]").click()
        question = code.wait_for(".monaco-dialog-box:has-text('Publish refused.rui.json to http://127.0.0.1:9?')")
        question.get_by_role("button", name=answer, exact=True).click()
        question.wait_for(state="detached")
        if answer == "Cancel":
            assert code.toasts() == []
    message = code.notification("127.0.0.1:9")
    assert "rui serve" in str(message.text_content())
    assert message.get_by_role("button", name="Change Address").count() == 1
    code.set("rui.server.url", None)
    code.command("notifications.clearAll")
    opened(code, "invalid", GOOD.replace('"Text"', '"Txt"', 1), errors=1)
    assert code.command("rui.publishDocument") is None
    code.notification("invalid.rui.json is not published, as it is not valid. line ")


CHOICES = ".quick-input-list .monaco-list-row"


def publish_again(code: Workbench, choice: str, words: str) -> str:
    """Publish a document that was published before; return its address, which a notification has after some words."""
    # The center gives the focus back when it closes, as does a notification. A list of choices that loses the focus
    # closes without a choice: then nothing is published, and the author chooses again.
    address = None
    for pause in (0, 1, 3, 9):  # in seconds
        time.sleep(pause)
        code.command("notifications.clearAll")
        code.page.locator(".notifications-center").wait_for(state="hidden")
        code.command("workbench.action.focusActiveEditorGroup")
        code.js("globalThis.publishing = vscode.commands.executeCommand('rui.publishDocument')")
        code.wait_for(CHOICES)
        code.page.keyboard.type(choice)
        code.wait_for(f"{CHOICES}.focused:has-text('{choice}')")
        code.page.keyboard.press("Enter")
        # The list of notifications can still show earlier ones, which have other addresses.
        address = code.js("return globalThis.publishing")
        if address is not None:
            break
    assert isinstance(address, str), code.toasts()
    code.notification(words, address)
    return address


def use_service(code: Workbench, path: Path, url: str) -> None:
    """Set the service, and wait until the server knows it."""
    code.set("rui.server.url", url)
    code.js(
        "const { server } = vscode.extensions.getExtension('rui-toolkit.rui').exports;"
        "const options = [{ uri: uri(path).toString() }];"
        "await until(async () => (await server.request('rui.published', options)).server === url)",
        path=path, url=url,
    )  # fmt: skip


def test_publishing_remembers_the_last_publication_on_each_service(code: Workbench, service: Service) -> None:
    path = opened(code, "remembered")
    use_service(code, path, service.url)
    assert code.command("rui.openLastVersion") is None
    where = f"{service.url} from this workspace"
    code.notification(f"remembered.rui.json has not been published to {where}. RUI: Publish… publishes it.")
    first = str(code.command("rui.publishDocument"))
    assert publish_again(code, "Publish as New Version", "Unchanged since ") == first
    code.replace(path, GOOD.replace("Orders come in", "Orders come in!"))
    second = publish_again(code, "Publish as New Version", "Published: ")
    stored = service.client.get(second.replace("/specs/", "/api/specs/")).json()["normalizedRui"]
    assert stored["meta"] == {"title": "Orders", "replaces": first.rpartition("/")[2]}
    assert path.read_text() == code.text(path) == GOOD.replace("Orders come in", "Orders come in!")
    # Another service has another memory, and a renamed folder keeps it.
    use_service(code, path, service.url.replace("127.0.0.1", "localhost"))
    assert code.command("rui.publishDocument") != second
    use_service(code, path, service.url)
    (code.folder / "before").mkdir()
    rename(code, path, code.folder / "before" / "renamed.rui.json")
    rename(code, code.folder / "before", code.folder / "after")
    path = code.folder / "after" / "renamed.rui.json"
    code.replace(path, GOOD)
    code.js("void vscode.commands.executeCommand('rui.compareWithLastVersion')")
    body = "return (await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input?.original)).toString()"
    original = str(code.js(body))
    published = code.js("return (await vscode.workspace.openTextDocument(vscode.Uri.parse(it))).getText()", it=original)
    assert published == format_document(Analysis(read(path.read_text())))
    code.show(path)
    separate = publish_again(code, "Publish Separately", "Published: ")
    stored = service.client.get(separate.replace("/specs/", "/api/specs/")).json()["normalizedRui"]
    assert stored == json.loads(GOOD)
    code.set("rui.server.url", None)


def rename(code: Workbench, path: Path, target: Path) -> None:
    """Rename a file or folder, as the explorer does."""
    code.js(
        "const edit = new vscode.WorkspaceEdit(); edit.renameFile(uri(path), uri(target));"
        "await vscode.workspace.applyEdit(edit)",
        path=path, target=target,
    )  # fmt: skip
    assert target.exists()


def test_bindings_are_compared_with_a_description_in_yaml(code: Workbench) -> None:
    """The server of the extension reads YAML without libyaml."""
    description = code.folder / "openapi.yaml"
    description.write_text(SHOP)
    (code.folder / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    text = table("/orders", "items", "id", "stats").replace('"columns"', '\n"columns"')
    path = opened(code, "api", text, errors=1)
    code.wait_for(".squiggly-warning")
    code.put_cursor(path, *place_of(text, '"stats'))
    code.act('Rename to "status"')
    code.diagnostics(path, until="all.length === 0")
    assert code.text(path) == text.replace('"stats"', '"status"')
    description.write_text(SHOP.replace("/orders", "/sales"))
    code.diagnostics(path, until="all.length === 1 && all[0].code === 'UNKNOWN_PATH'")
    # Later tests, which share the server, have no description.
    (code.folder / "rui.toml").unlink()
    code.diagnostics(path, until="all.length === 0")


@pytest.mark.parametrize("kind", ["none", "closed", "unsaved"])
def test_a_warning_is_ignored_at_once(code: Workbench, kind: str) -> None:
    """The `rui.toml` is created, or is changed as it is open, with what is typed and not saved in it."""
    policy = code.folder / "rui.toml"
    if kind != "none":
        policy.write_text("# ours\n")
    if kind == "unsaved":
        code.show(policy)
        code.put_cursor(policy, 0, 0)
        code.page.keyboard.type("# typed\n")
    text = GOOD.replace('"Orders come in', '"<b>Orders</b> come in').replace('"title": "Orders"', '"title": "TODO"', 1)
    path = opened(code, f"ignored-{kind}", text, errors=2)
    for words, left in {"<b>": 1, '"TODO': 0}.items():
        code.put_cursor(path, *place_of(text, words))
        code.retry(
            lambda: (code.open_fixes(), code.page.locator(FIX, has_text="Ignore here").first.click()),
            lambda left=left: len(code.diagnostics(path)) == left,
            pause=20,
        )
    shown = code.text(policy)
    entries = f'[per-file-ignores]\n"./ignored-{kind}.rui.json" = ["MARKUP at welcome", "PLACEHOLDER at meta.title"]\n'
    assert shown == {"none": "", "closed": "# ours\n\n", "unsaved": "# typed\n# ours\n\n"}[kind] + entries
    # A busy editor may still be writing the text of the first choice.
    code.retry(lambda: code.js("await vscode.workspace.saveAll()"), lambda: policy.read_text() == shown, pause=5)
    code.diagnostics(path, until="all.length === 0")
    policy.unlink()  # Later tests share the server.
    code.diagnostics(path, until="all.length === 2")


def test_any_text_comes_back_from_a_snippet(code: Workbench) -> None:
    path = code.write("snippets.txt", "")
    for snippet in snippets():
        code.replace(path, "")
        code.js(
            "const editor = await show(path);"
            "await editor.insertSnippet(new vscode.SnippetString(text), at(0, 0), { keepWhitespace: true })",
            path=path, text=to_lsp(snippet),
        )  # fmt: skip
        assert code.text(path) == snippet.text
