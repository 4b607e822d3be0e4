"""The pages over HTTP: forms, redirects, comparisons, documentation, error messages and links."""

import copy
import html
import json
import re
import sqlite3
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
from litestar.testing import TestClient

from rui_api.app import create_app
from rui_api.commands.store import main as store_command
from rui_api.config.options import Settings
from rui_api.http.limits import MAX_FORM_BYTES
from rui_common.describe import minimal_example
from rui_common.problems.lints import WARNINGS
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MESSAGES, RULES
from tests.rui_api.live import UUID, Down, Service, patient_app, running
from tests.rui_inspector.pages import HOSTILE, check
from tests.support.examples import DESK

VALID = json.dumps(minimal_example(), indent=2)
WRONG = VALID.replace('"0.1"', '"0.2"')
TEXT = json.dumps(DESK, indent=2)
LATER = TEXT.replace("every five minutes", "every ten minutes")
HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
RULE_PATHS = {f"/docs/rules/{name}" for name in (*RULES, *WARNINGS, *MESSAGES)}


def check_page(answer: httpx.Response, status: int, *words: str) -> str:
    """The response is a page of this status with these words; return its HTML."""
    assert answer.status_code == status, answer.text[:300]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    for word in words:
        assert word in answer.text
    return answer.text


def send(service: Service, text: str | bytes, do: str) -> httpx.Response:
    """Send the form of the front page."""
    return service.client.post("/", data={"do": do}, files={"rui": (None, text)})


@pytest.mark.parametrize(("do", "text", "words"), [
    ("check", VALID, ["<h2>Valid</h2>"]), ("check", WRONG, ["1 error", "VERSION_MISMATCH"]),
    ("check", "{", ["INVALID_JSON"]), ("check", "  \n", ["nothing in the editor"]), ("check", "[]", ["INVALID_JSON"]),
    ("check", VALID.replace("\n", "\r\n"), ["<h2>Valid</h2>"]), ("check", b"\xff\xfe", ["INVALID_JSON"]),
    ("check", VALID.ljust(MAX_BODY_BYTES), ["<h2>Valid</h2>"]), ("inspect", VALID, ["not stored", 'id="TREE"']),
    ("inspect", "{", ["not valid yet"]), ("store", WRONG, ["VERSION_MISMATCH"]),
])  # fmt: skip
def test_the_form_of_the_front_page(service: Service, do: str, text: str | bytes, words: list[str]) -> None:
    check_page(send(service, text, do), 200, *words)


@pytest.mark.parametrize(("files", "words"), [
    ({"file": ("a.rui.json", WRONG), "rui": (None, VALID)}, "VERSION_MISMATCH"),
    ({"file": ("", b""), "rui": (None, VALID)}, "<h2>Valid</h2>"),
    ({"file": ("a.rui.json", b"\xff\xfe\x00")}, "INVALID_JSON"),
])  # fmt: skip
def test_the_file_of_the_form_precedes_its_text(service: Service, files: dict[str, object], words: str) -> None:
    check_page(service.client.post("/", files=files), 200, words)


@pytest.mark.parametrize("action", ["", "store", "inspect"])
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_no_form_has_a_text_that_has_lost_characters(service: Service, action: str, encoding: str) -> None:
    """A file that is not UTF-8 is not stored, and neither is what is left of it in the page that says so."""
    document = minimal_example()
    document["pages"][0]["title"] = "Caf\xe9"
    content = json.dumps(document, ensure_ascii=False).encode(encoding)
    if encoding == "utf-16":
        content = content[:-1]  # half a character
    files = {"file": ("a.rui.json", content), "rui": (None, '{"mine": 1}'), "do": (None, action)}
    text = check_page(service.client.post("/", files=files), 200, "INVALID_JSON")
    assert [
        field for field in re.findall(r"<(?:textarea|input)[^>]*name=\"rui\"[^<]*", text) if "\ufffd" in field
    ] == []
    if action != "inspect":
        assert "not in the editor" in text
        assert (
            html.unescape(re.findall(r"<textarea id=\"RUI\"[^>]*>\n(.*?)</textarea>", text, re.DOTALL)[0])
            == '{"mine": 1}'
        )


def test_a_file_in_utf_16_can_be_stored_from_the_box(service: Service) -> None:
    content = VALID.encode("utf-16")
    text = check_page(service.client.post("/", files={"file": ("a.rui.json", content)}), 200, "This is UTF-16")
    assert html.unescape(re.findall(r"<textarea id=\"RUI\"[^>]*>\n(.*?)</textarea>", text, re.DOTALL)[0]) == VALID


def test_storing_leads_to_the_page_of_the_spec(service: Service) -> None:
    stored = send(service, VALID, "store")
    assert stored.status_code == 303
    check_page(service.client.get(stored.headers["location"]), 200, 'id="TREE"')
    spec_id = stored.headers["location"].rpartition("/")[2]
    assert service.client.get(f"/api/specs/{spec_id}").json()["normalizedRui"] == minimal_example()


def test_a_copy_of_a_spec_is_in_the_box(service: Service) -> None:
    text = check_page(service.client.get(f"/?copy={service.store()['specId']}"), 200)
    [copied] = re.findall(r"<textarea id=\"RUI\"[^>]*>\n(.*?)</textarea>", text, re.DOTALL)
    assert json.loads(html.unescape(copied)) == minimal_example()
    assert "&#34;version&#34;: &#34;0.1&#34;,\n" in copied


@pytest.mark.parametrize(("content", "media_type", "words"), [
    (b"x", "text/plain", "cannot be read"), (b"x", "multipart/form-data", "cannot be read"),
    (b"x", "multipart/form-data; boundary=y", "cannot be read"),
    (b"&".join([b"a=1"] * 99), "application/x-www-form-urlencoded", "cannot be read"),
    (b"rui=" + b"x" * (MAX_BODY_BYTES + 1), "application/x-www-form-urlencoded", "262,145 bytes"),
    (b" " * (MAX_FORM_BYTES + 1), "application/json", str(MAX_FORM_BYTES)),
])  # fmt: skip
def test_forms_that_cannot_be_read(service: Service, content: bytes, media_type: str, words: str) -> None:
    check_page(service.client.post("/", content=content, headers={"Content-Type": media_type}), 400, words)


@pytest.mark.parametrize("charset", ["foo", "utf-8", "utf-16"])
def test_the_charset_of_a_field_does_not_matter(service: Service, charset: str) -> None:
    head = f'--X\r\nContent-Disposition: form-data; name="rui"\r\nContent-Type: text/plain; charset={charset}\r\n\r\n'
    form = head.encode() + '{"x": "100 € für Büro"}'.encode() + b"\r\n--X--\r\n"
    answer = service.client.post("/", content=form, headers={"Content-Type": "multipart/form-data; boundary=X"})
    assert "100 € für Büro" in check_page(answer, 200)


@pytest.mark.parametrize(("path", "status", "words"), [
    ("/?example=minimal", 200, "<h2>Valid"), ("/?example=full", 200, "<h2>Valid"), ("/?example=wrong", 200, "1 error"),
    ("/?example=broken", 200, "INVALID_JSON"), ("/?example=none", 200, "<h2"), ("/nothing", 404, "404"),
    ("/?example=full&do=inspect", 200, "Wireframe"), ("/?do=inspect", 200, "Describe an app as data"),
    ("/specs/x", 400, "UUID"), (f"/specs/{UUID}", 404, "404"), (f"/specs/{UUID}/compare/x", 400, "400"),
    (f"/specs/{UUID}/compare/{UUID}", 404, "404"), (f"/specs/{UUID}/compare?with=x", 404, "404"),
    (f"/specs/{UUID}/compare", 404, "404"), (f"/?copy={UUID}", 404, "no such spec"), 
    (f"/?version-of={UUID}", 404, "no such spec"), ("/?copy=", 400, "UUID"),
    ("/docs/rules/%3Cscript%3E", 404, "There is no such rule"),
])  # fmt: skip
def test_people_get_pages(service: Service, path: str, status: int, words: str) -> None:
    check_page(service.client.get(path, headers=HTML), status, words)


def test_the_store_is_down() -> None:
    with TestClient(create_app(Settings(), Down())) as client:
        for path in (f"/specs/{UUID}", f"/specs/{UUID}/compare/{UUID}", f"/?copy={UUID}"):
            answer = client.get(path, headers=HTML)
            check_page(answer, 503, "The store does not answer")
            assert answer.headers["retry-after"]
        check_page(client.post("/", data={"rui": VALID, "do": "store"}), 503, "still in the editor", "page-1")


# Comparisons --------------------------------------------------------------------------------------------------------


TEN = "says “every ten minutes.” instead of “every five minutes.”"


@pytest.mark.parametrize(("after", "words"), [(LATER, TEN), (TEXT, "the same content")])
def test_comparisons(service: Service, after: str, words: str) -> None:
    old_id, new_id = (service.store(json.loads(text))["specId"] for text in (TEXT, after))
    check_page(service.client.get(f"/specs/{old_id}/compare/{new_id}"), 200, words)


def test_before_is_the_older_spec_at_both_addresses(service: Service) -> None:
    later = copy.deepcopy(DESK)
    later["pages"].pop()
    later["navigation"]["items"].pop()
    old_id, new_id = (service.store(document)["specId"] for document in (DESK, later))
    for path in (f"/specs/{old_id}/compare/{new_id}", f"/specs/{new_id}/compare/{old_id}"):
        page = check_page(service.client.get(path), 200, 'Page <strong dir="auto">Stock</strong> is gone.')
        assert page.index(f'<b>Before</b> <a href="/specs/{old_id}">') < page.index(
            f'<b>After</b> <a href="/specs/{new_id}">'
        )
    address = f"{service.url}/specs/{new_id}"
    addresses = [f" {address}/ ", f"{address}?q=a%2Fb&open=none#text-1", f"{service.url}/api/specs/{new_id}"]
    for given in (new_id, new_id.upper(), f"/specs/{old_id}/compare/{new_id}#changes", *addresses):
        answer = service.client.get(f"/specs/{old_id}/compare", params={"with": given})
        assert answer.status_code == 303
        assert answer.headers["location"].lower() == f"/specs/{old_id}/compare/{new_id}"


# A spec that replaces another one opens with what changed since -------------------------------------------------------


def replacing(spec_id: object) -> dict[str, object]:
    document = json.loads(LATER)
    document["meta"]["replaces"] = spec_id
    return document


def test_a_page_opens_with_the_changes_since_the_spec_that_it_replaces(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'rui.db'}"
    with running(patient_app(Settings(store=store))) as service:
        old = service.store(DESK)["specId"]
        path = f"/specs/{service.store(replacing(old))['specId']}"
        before = service.client.get(path)
        words = ("What changed since", f'href="/specs/{old}"', TEN, f"/specs/{old}/compare/")
        text = check_page(before, 200, *words)
        check(text)
        assert text.index("What changed since") < text.index('id="SCREENS"')
        assert store_command(["delete", str(old), "--reason", "a complaint", "--store", store]) == 0
        after = service.client.get(path, headers={"If-None-Match": before.headers["etag"]})
        check_page(after, 200, "the operator of this service deleted this spec")


def test_before_is_the_replaced_spec_also_if_it_is_newer(tmp_path: Path) -> None:
    """As after a restore, or on a copy of a service."""
    with running(patient_app(Settings(store=f"sqlite:///{tmp_path / 'rui.db'}"))) as service:
        old = service.store(DESK)["specId"]
        new = service.store(replacing(str(old).upper()))["specId"]
        with sqlite3.connect(tmp_path / "rui.db") as database:
            database.execute("UPDATE specs SET created_at = '2100-01-01T00:00:00.000Z' WHERE spec_id = ?", (old,))
        for path in (f"/specs/{old}/compare/{new}", f"/specs/{new}/compare/{old}"):
            page = check_page(service.client.get(path), 200, TEN)
            assert page.index(f'<b>Before</b> <a href="/specs/{old}">') < page.index("<b>After</b>")


@pytest.mark.parametrize(("value", "words"), [
    (UUID, "there is no such spec here"),
    *((value, "this is no id of a spec") for value in ("", 5, {"id": UUID}, *HOSTILE) if value != "\ud800"),
])  # fmt: skip
def test_what_cannot_be_compared_is_named(service: Service, value: object, words: str) -> None:
    page = service.client.get(f"/specs/{service.store(replacing(value))['specId']}")
    assert "What changed since" not in check_page(page, 200, "Replaces <code", words)
    check(page.text)


# Documentation and links --------------------------------------------------------------------------------------------


def links_of(text: str) -> set[str]:
    return {html.unescape(link) for link in re.findall(r'(?:href|src|action)="([^"]*)"', text)}


def test_no_link_is_dead(service: Service) -> None:
    """All pages that can be reached from the front page and from a spec, with their anchors."""
    spec = service.store(DESK)["viewUrl"].removeprefix(service.url)
    pending = ["/", spec, f"{spec}/compare/{spec.rpartition('/')[2]}", "/docs/rules/R99", *RULE_PATHS]
    pages: dict[str, str] = {}
    anchors: dict[str, set[str]] = {}
    while pending:
        path = pending.pop()
        answer = service.client.get(path, follow_redirects=False)
        pages[path] = answer.text
        if not answer.headers["content-type"].startswith("text/html"):
            assert answer.status_code == 200, path
            continue
        check_page(answer, 404 if path == "/docs/rules/R99" else 200)
        for link in links_of(answer.text):
            target, _, anchor = urljoin(path, link).partition("#")
            assert target.startswith("/"), (path, link)
            if target.endswith("/compare"):  # a form, which has a parameter
                continue
            if anchor:
                anchors.setdefault(target, set()).add(anchor)
            if target not in pages and target not in pending:
                pending.append(target)
    for path, names in anchors.items():
        assert names <= set(re.findall(r'id="([^"]*)"', pages[path])), path
    assert {"/docs", "/docs/vocabulary", "/docs/rules", "/docs/api", "/llms.txt"} <= pages.keys()
    assert "/api/docs" not in links_of(pages["/"]), "people get pages"
    for number, rule in RULES.items():
        example = service.client.get(f"/?example={number}").text
        assert rule.code in example
        assert f'href="/docs/rules/{number}"' in example
