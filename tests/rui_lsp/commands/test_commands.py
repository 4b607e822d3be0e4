"""Commands: with and without a service, in editors with many and with few capabilities."""

import json
import threading

import pytest

from rui_common.client import Client as Service
from rui_common.describe import full_example, minimal_example
from rui_common.describe.rule_pages import pages_of
from rui_common.editing.formatter import format_document
from rui_common.fixes import fix_all
from rui_common.problems.lints import WARNINGS
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rules import MESSAGES, RULES
from rui_lsp.commands import COMMANDS
from tests.rui_api.live import UUID
from tests.rui_common.client.hostile import answers, hostile
from tests.rui_lsp.conversation import Conversation
from tests.support.ports import free_port

URI = "file:///nowhere/shop%20a.rui.json"
NEW = "file:///w/new.rui.json"
VALID = json.dumps(minimal_example(), indent=2)
NOWHERE = "http://127.0.0.1:9"
ABLE = {
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
}
SHOW, EDIT = "window/showDocument", "workspace/applyEdit"


def author_of(url=NOWHERE, text=VALID, capabilities=ABLE, **diagnostics):
    """Return an editor that uses a service, with an open document."""
    options = {"server": {"url": url}, "diagnostics": {"delay": 0, **diagnostics}}
    author = Conversation(capabilities, options)
    author.results = {SHOW: {"success": True}, EDIT: {"applied": True}, "window/workDoneProgress/create": None}
    author.open(text, uri=URI)
    return author


# rui.publish


def test_a_valid_document_is_stored_and_shown(service):
    author = author_of(service.url)
    result = author.run("rui.publish", URI)
    assert result.pop("published") is True
    stored = Service(service.url).fetch(result["specId"])
    assert stored.normalized_rui == minimal_example()
    assert result == {
        "server": service.url, "specId": stored.spec_id, "url": stored.url, "viewUrl": stored.view_url,
        "createdAt": stored.created_at, "contentHash": stored.content_hash, "replaces": "",
    }  # fmt: skip
    assert author.received(SHOW) == [{"uri": stored.view_url, "external": True, "takeFocus": False}]
    assert author.shown() == []
    assert [params["value"]["kind"] for params in author.received("$/progress")] == ["begin", "end"]
    author = author_of(service.url, capabilities={})  # This editor cannot show pages.
    result = author.run("rui.publish", {"uri": URI})
    assert author.shown() == [f"shop a.rui.json is published: {result['viewUrl']}"]
    assert author.received("$/progress") == []


def test_a_file_is_published_as_it_is_open_or_else_as_it_is_on_disk(service, tmp_path):
    path = tmp_path / "b ü.rui.json"
    path.write_text(json.dumps(full_example()))
    author = author_of(service.url)
    for expected in (full_example(), minimal_example()):
        result = author.run("rui.publish", path.as_uri())
        assert Service(service.url).fetch(result["specId"]).normalized_rui == expected
        author.open(VALID, uri=path.as_uri())


@pytest.mark.parametrize("text", [VALID.replace('"title"', '"titel"'), "{"])
def test_an_invalid_document_is_refused_with_error_and_line(service, text):
    author = author_of(service.url, text)
    result = author.run("rui.publish", URI)
    assert result["published"] is False
    [published] = author.received("textDocument/publishDiagnostics")
    line = published["diagnostics"][0]["range"]["start"]["line"] + 1
    [message] = author.shown()
    first = Analysis(read(text)).diagnostics[0].message
    assert f"shop a.rui.json is not published, as it is not valid. line {line}: {first}" in message
    assert author.received(SHOW) == []
    author = author_of(service.url, text, severity=dict.fromkeys(MESSAGES, "off"))
    assert author.run("rui.publish", URI) == result


def test_an_error_that_only_the_service_finds_has_its_line():
    items = [{"path": "pages[0].title", "code": "NEW_RULE", "message": "Too plain.", "hint": "Say more."}]
    with hostile(answers(200, json.dumps({"valid": False, "errors": items}).encode())) as server:
        result = author_of(server.url).run("rui.publish", URI)
    line = VALID[: VALID.rindex('"title"')].count("\n") + 1
    assert result["message"].endswith(f"line {line}: Too plain.")


def test_an_unavailable_service_is_reported():
    url = f"http://127.0.0.1:{free_port()}"
    author = author_of(url)
    result = author.run("rui.publish", URI)
    assert (result["published"], result["server"]) == (False, url)
    assert author.shown() == [result["message"]]
    assert f"cannot reach {url}: Connection refused" in result["message"]
    assert "rui.server.url" in result["message"]


@pytest.mark.parametrize(("treatment", "is_unclear"), [
    (answers(502, b'{"error": "OVERLOADED", "message": "Busy."}'), True), (answers(413, b"<html>"), False),
])  # fmt: skip
def test_a_document_that_may_be_published_is_not_said_to_be_unpublished(treatment, is_unclear):
    with hostile(treatment) as server:
        result = author_of(server.url).run("rui.publish", URI)
    expected = (
        "It is not known whether shop a.rui.json is published: " if is_unclear else "shop a.rui.json is not published: "
    )
    assert result["message"].startswith(expected)
    assert ("the spec may be stored" in result["message"]) == is_unclear


def test_other_requests_do_not_wait_for_the_service():
    arrived, released = threading.Event(), threading.Event()

    def hang(_):
        arrived.set()
        released.wait()

    with hostile(hang) as server:
        author = author_of(server.url)
        params = {"command": "rui.publish", "arguments": [URI]}
        author.say({"id": "p", "method": "workspace/executeCommand", "params": params})
        arrived.wait()
        assert author.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
        author.say({"method": "$/cancelRequest", "params": {"id": "p"}})
        [response] = [message for message in author.sent if message.get("id") == "p"]
        released.set()
    assert response["error"]["code"] == -32800


REPLACED = json.dumps(minimal_example() | {"meta": {"title": "Orders", "replaces": UUID}}, indent=2)


@pytest.mark.parametrize("text", [VALID, REPLACED], ids=["without", "with"])
def test_a_new_version_replaces_the_last_one_unless_the_content_is_the_same(service, text):
    author = author_of(service.url, text)
    first = author.run("rui.publish", URI)
    changed = text.replace('"Orders"', '"Sales"')
    author.change(changed, 2, uri=URI)
    second = author.run("rui.publish", {"uri": URI, "last": first["specId"]})
    assert (second["published"], second["replaces"]) == (True, first["specId"])
    stored = Service(service.url).fetch(second["specId"]).normalized_rui
    meta = json.loads(changed)["meta"] | {"replaces": first["specId"]}
    assert stored == json.loads(changed) | {"meta": meta}
    author.sent.clear()
    # Another layout and other spellings are the same content.
    for version, same in enumerate((changed, json.dumps(json.loads(changed), sort_keys=True)), 3):
        author.change(same, version, uri=URI)
        result = author.run("rui.publish", {"uri": URI, "last": second["specId"]})
        assert (result["published"], result["unchanged"]) == (False, True)
        assert result["viewUrl"] == second["viewUrl"]
        assert author.shown()[-1] == result["message"]
        assert f"unchanged since it was published at {second['createdAt']}: {second['viewUrl']}" in result["message"]
    assert author.received(SHOW) == []
    author.change(text, 5, uri=URI)
    assert author.run("rui.publish", {"uri": URI, "last": second["specId"]})["replaces"] == second["specId"]


def test_a_new_version_of_a_spec_that_the_service_does_not_have_replaces_nothing(service):
    author = author_of(service.url)
    for last in (UUID, "x", "../../health", "\0"):
        result = author.run("rui.publish", {"uri": URI, "last": last})
        assert (result["published"], result["replaces"]) == (True, "")
        assert Service(service.url).fetch(result["specId"]).normalized_rui == minimal_example()
        assert author.run("rui.published", {"uri": URI, "last": last}) == -32803
        assert f"{service.url} does not have the last publication of shop a.rui.json any more" in error_of(author)
    gone = answers(410, json.dumps({"error": "GONE", "specId": UUID}).encode())
    with hostile(gone, gone) as server:
        author = author_of(server.url)
        assert "410" in author.run("rui.publish", {"uri": URI, "last": UUID})["message"]  # the second answer
        assert [request.split(b" ")[0] for request in server.requests] == [b"GET", b"POST"]


LOGINS = ((401, []), (407, []), (403, []), (302, ["Location: https://login.example.org/"]))


@pytest.mark.parametrize(("status", "headers"), LOGINS)
def test_a_login_is_named(status, headers):
    with hostile(answers(status, b"", *headers)) as server:
        author = author_of(server.url)
        for options in ({}, {"last": UUID}):
            message = author.run("rui.publish", {"uri": URI, **options})["message"]
            assert message.endswith("The editor sends no login; rui publish --header sends one.")
        assert author.run("rui.published", {"uri": URI, "last": UUID}) == -32803
        assert error_of(author).endswith("rui publish --header sends one.")


@pytest.mark.parametrize("text", [VALID, REPLACED], ids=["without", "with"])
def test_the_last_publication_has_the_layout_of_a_formatted_document(service, text):
    author = author_of(service.url, text.replace("\n", ""))
    for uri in (URI, "untitled:new"):
        assert author.run("rui.published", uri) == {"server": service.url}
    first = author.run("rui.publish", URI)
    author.change(text.replace('"Orders"', '"Sales"'), 2, uri=URI)
    second = author.run("rui.publish", {"uri": URI, "last": first["specId"]})
    result = author.run("rui.published", {"uri": URI, "last": second["specId"]})
    expected = json.loads(author.server.documents.find(URI).source)
    if text is REPLACED:
        expected["meta"]["replaces"] = first["specId"]
    assert json.loads(result["text"]) == expected
    assert result["text"] == format_document(Analysis(read(result["text"])))
    assert (result["viewUrl"], result["createdAt"]) == (second["viewUrl"], second["createdAt"])


SPEC = (
    '{"specId": "%s", "url": "http://e/", "viewUrl": "http://e/", "createdAt": "2026", "contentHash": 5,'
    ' "validationVersion": "", "registryVersion": "", "normalizedRui": %s}'
)
DEEP = '{"meta":' + '{"x":' * 300 + "0" + "}" * 301


NO_DOCUMENT = {
    "[1]": False,
    "null": False,
    '{"meta": 5}': True,
    '{"meta": {"replaces": "\\ud800"}}': True,
    '{"meta": {"a": NaN}}': False,
    DEEP: False,
}
"""Values of `normalizedRui`, and whether they can be formatted."""


@pytest.mark.parametrize(("value", "is_formatted"), NO_DOCUMENT.items(), ids=range(len(NO_DOCUMENT)))
def test_a_last_publication_that_is_no_document_is_no_internal_error(value, is_formatted):
    spec = (SPEC % (UUID, value)).encode()
    with hostile(answers(200, spec)) as server:
        author = author_of(server.url)
        result = author.run("rui.publish", {"uri": URI, "last": UUID})
        assert (result["published"], result["replaces"]) == (True, UUID)
        result = author.run("rui.published", {"uri": URI, "last": UUID})
    if is_formatted:
        assert "meta" in json.loads(result["text"])
    else:
        assert result == -32803
        assert "has no JSON as the last publication of shop a.rui.json: " in error_of(author)


def error_of(author):
    return author.sent[-1]["error"]["message"]


# rui.explainRule


@pytest.mark.parametrize("word", ["r7B", "UNKNOWN_PROP", "missing_required_prop", *WARNINGS])
def test_rules_are_explained(word):
    author = author_of()
    result = author.run("rui.explainRule", word)
    rules = [rule.number for rule in RULES.values() if word.upper() in {rule.number.upper(), rule.code}]
    assert result["markdown"] == "\n".join(page.markdown() for page in pages_of(word))
    number = rules[0] if rules else word
    assert result["markdown"].startswith((f"# {number} ", f"# {number}\n"))
    assert result["url"] == f"{NOWHERE}/docs/rules/{number}"
    assert [rule["number"] for rule in author.run("rui.explainRule")["rules"]] == [*RULES, *WARNINGS]


# rui.newDocument


def test_a_new_document_is_valid():
    author = author_of()
    assert json.loads(author.run("rui.newDocument")["text"]) == minimal_example()
    assert json.loads(author.run("rui.newDocument", {"full": True})["text"]) == full_example()
    for title in ("Größe 😀", {"title": "Größe 😀"}):
        text, name = author.run("rui.newDocument", title).values()
        assert name == "größe.rui.json"
        assert json.loads(text)["meta"]["title"] == "Größe 😀"


NAMES = {
    "": "new",
    "My app": "my-app",
    "  ../../etc/passwd ": "etc-passwd",
    "C:\\Temp\\x": "c-temp-x",
    "Orders/Returns: 50 % <new>?": "orders-returns-50-new",
    ".hidden": "hidden",
    "注文デスク": "注文デスク",
    "हिन्दी ऐप": "हिन्दी-ऐप",
    "e\u0301te\u0301": "\u00e9t\u00e9",
    "😀": "new",
    "\0\n\u202e": "new",
    "CON": "con-app",
    "nul.": "nul-app",
    "COM¹": "com1-app",
    "console": "console",
    "x" * 1000: "x" * 60,
    "𝒳" * 1000: "x" * 60,
    "y" * 59 + " " + "z" * 9: "y" * 59,
    "𠀀" * 1000: "𠀀" * 60,
}


@pytest.mark.parametrize(("title", "stem"), NAMES.items(), ids=range(len(NAMES)))
def test_a_new_document_has_a_file_name_for_every_system(title, stem):
    assert author_of().run("rui.newDocument", {"title": title})["name"] == f"{stem}.rui.json"
    assert len(f"{stem}-999.rui.json".encode()) <= 255


# rui.preview; tests/rui_lsp/preview/test_live.py has the one in a browser

HOSTED = {"stylesheet": "https://e/x.css", "script": "https://e/x.js", "policy": "default-src 'none'", "nonce": "n0"}


def test_a_preview_for_a_webview(tmp_path):
    author = author_of(text='{"pages": [{"id": "home", "type": "Page", "title": "Anfang", "children": [')
    html = author.run("rui.preview", {"uri": URI, **HOSTED})["html"]
    for part in ("Anfang", 'data-offset="11"', "default-src &#39;none&#39;", '<script src="https://e/x.js" nonce="n0"'):
        assert part in html
    path = tmp_path / "latin.rui.json"
    path.write_bytes(VALID.replace("Orders", "Größe").encode("latin-1"))
    assert "UTF-8" in author.run("rui.preview", {"uri": path.as_uri(), **HOSTED})["html"]
    assert author.received(SHOW) == []


# rui.fixAll and rui.showNode


def test_everything_safe_is_fixed():
    text = VALID.replace('"Page"', '"Paeg"').replace('"stack"', '"Stack"')
    author = author_of(text=text)
    for arguments in ([URI], [{"uri": URI}], []):
        author.results[EDIT] = {"applied": True}
        assert author.run("rui.fixAll", *arguments) == {"fixed": 2}
        edit = author.received(EDIT)[-1]["edit"]["documentChanges"]
        assert edit[0]["textDocument"] == {"uri": URI, "version": 1}
        assert [text_edit["newText"] for text_edit in edit[0]["edits"]] == ['"Page"', '"stack"']
        author.results[EDIT] = {"applied": False, "failureReason": "It is read-only."}
        assert author.run("rui.fixAll", *arguments) == -32803
        assert author.sent[-1]["error"]["message"] == "shop a.rui.json is not fixed: It is read-only."
    assert author_of(text=text, capabilities={}).run("rui.fixAll", URI) == -32803


def test_where_no_fix_is_safe_the_author_is_told():
    author = author_of(text='{"version": "0.2", "meta": {}}')
    assert author.run("rui.fixAll", URI) == {"fixed": 0}
    assert author.shown() == ["No change: choose a fix for each error, as none is safe to apply without review."]
    assert author.run("rui.fixAll", NEW) == -32602
    author = author_of(text=VALID)
    assert author.run("rui.fixAll", URI) == {"fixed": 0}
    assert author.shown() == ["No change: the document has no errors."]


def test_the_author_is_told_that_there_is_more_to_fix(monkeypatch):
    text = VALID.replace('"Page"', '"Paeg"')
    for work, note in ((10, fix_all.NONE_IS_SAFE), (400, fix_all.FIXED_IN_PART)):
        monkeypatch.setattr(fix_all, "MAX_CHARACTERS", work)
        author = author_of(text=text.replace('"stack"', '"Stack"'))
        assert author.run("rui.fixAll", URI) == {"fixed": int(note == fix_all.FIXED_IN_PART)}
        assert author.shown() == [note]


def test_an_element_is_shown():
    text = VALID.replace("{", '{"ä": 1, ', 1)
    author = author_of(text=text)
    for path, name in {"pages[0]": "page-1", "navigation.items[0]": "page-1", "": "0.1"}.items():
        assert author.run("rui.showNode", {"uri": URI, "path": path}) == {"shown": True}
        shown = author.received(SHOW)[-1]
        assert shown["takeFocus"] is True
        start, end = shown["selection"]["start"], shown["selection"]["end"]
        assert text.splitlines()[start["line"]][start["character"] : end["character"]] == name
    assert author.run("rui.showNode", {"uri": URI, "path": "pages[7]"}) == -32602


@pytest.mark.parametrize("command", ["rui.fixAll", "rui.showNode", "rui.preview", "rui.publish"])
def test_without_an_open_document_a_command_needs_an_address(command):
    author = author_of()
    author.shut(URI)
    assert author.run(command) == -32602
    assert author.sent[-1]["error"]["message"] == "the address of a document is needed: uri"


@pytest.mark.parametrize("command", ["rui.preview", "rui.publish"])
@pytest.mark.parametrize(("uri", "reason"), [
    ("vscode-vfs://github/a/b.rui.json", "is no file of this computer"),
    ("untitled:Untitled-2", "is no file of this computer"),
    ("git:/a/b.rui.json?%7B%22ref%22%3A%22HEAD%22%7D", "is no file of this computer"),
    ("file://host/share/a.rui.json", "is no file of this computer"),
    ("file:///a%00b.rui.json", "is no file of this computer"),
    ("{folder}/none.rui.json", "its file cannot be read: "),
    ("{folder}", "its file cannot be read: it is a folder."),
    ("{folder}/file/a.rui.json", "its file cannot be read: "),
])  # fmt: skip
def test_a_document_that_cannot_be_read_has_its_reason(command, uri, reason, tmp_path):
    (tmp_path / "file").touch()
    uri = uri.replace("{folder}", tmp_path.as_uri())
    author = author_of()
    assert author.run(command, {"uri": uri, **(HOSTED if command == "rui.preview" else {})}) == -32803
    assert author.sent[-1]["error"]["message"].startswith(f"{uri} is not open, and {reason}")


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        ("rui.preview", [{"uri": URI, "nonce": 5}], -32602),
        ("rui.unheardOf", [], -32602),
        *((command, arguments, -32602) for command in COMMANDS for arguments in ([5], [URI, 5], [{"colour": "red"}])),
        ("rui.publish", [], -32602),
        ("rui.publish", [{"uri": URI, "last": None}], -32602),
        ("rui.published", [{"last": UUID}], -32602),
        ("rui.published", [{"uri": "file:///nowhere/else.rui.json", "last": UUID}], -32803),
        *((command, [uri], -32803) for command in ("rui.publish", "rui.preview") for uri in (
            "file:///nowhere/else.rui.json", "untitled:Untitled-1", "\0",
        )),
        ("rui.explainRule", ["R99"], -32602),
        ("rui.newDocument", [{"title": "\ud800"}], -32602),
    ],
)  # fmt: skip
def test_bad_arguments_are_an_error_of_the_protocol(command, arguments, code):
    assert author_of().run(command, *arguments) == code
