"""The pages over HTTP: form requests, redirects, and error messages."""

import html
import json
import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

import rui_api.routes
from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.http.errors import TITLES
from rui_api.http.limits import MAX_FORM_BYTES
from rui_api.routes.home import EXAMPLES
from rui_common.describe import minimal_example
from rui_common.http_contract.endpoints import ENDPOINTS
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import UUID, Down, Service

ROUTE_FILES = Path(rui_api.routes.__file__).parent
VALID = json.dumps(minimal_example(), indent=2)
WRONG = VALID.replace('"0.1"', '"0.2"')
HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def check_page(answer, status: int, *words: str) -> str:
    assert answer.status_code == status, answer.text[:300]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    for word in words:
        assert word in answer.text
    return answer.text


def send(service: Service, text: str | bytes, do: str, **options: object):
    """Send the form of the front page."""
    return service.client.post("/", data={"do": do}, files={"rui": (None, text)}, **options)


@pytest.mark.parametrize(("text", "words"), [
    (VALID, ["<h2>Valid</h2>"]), (WRONG, ["1 error", "VERSION_MISMATCH"]), ("{", ["INVALID_JSON"]),
    ("", ["nothing in the editor"]), ("  \n", ["nothing in the editor"]), ("[]", ["INVALID_JSON"]),
    (VALID.replace("\n", "\r\n"), ["<h2>Valid</h2>"]), (b"\xff\xfe", ["INVALID_JSON"]),
])  # fmt: skip
def test_checking(service: Service, text: str | bytes, words: list[str]) -> None:
    check_page(send(service, text, "check"), 200, "<textarea", *words)


def test_a_copy_of_a_spec_is_in_the_box(service: Service) -> None:
    spec_id = service.store(minimal_example())["specId"]
    text = check_page(service.client.get(f"/?copy={spec_id}"), 200, "<textarea")
    [copied] = re.findall(r"<textarea id=\"RUI\"[^>]*>\n(.*?)</textarea>", text, re.DOTALL)
    assert json.loads(html.unescape(copied)) == minimal_example()
    assert "&#34;version&#34;: &#34;0.1&#34;,\n" in copied
    check_page(service.client.get(f"/?copy={UUID}", headers=HTML), 404, "no such spec")
    check_page(service.client.get("/?copy=x", headers=HTML), 400, "UUID")
    check_page(service.client.get("/?copy=", headers=HTML), 400, "UUID")
    with TestClient(create_app(Settings(), Down())) as client:
        check_page(client.get(f"/?copy={UUID}", headers=HTML), 503, "cannot be read")


def test_looking_and_storing(service: Service) -> None:
    check_page(send(service, VALID, "inspect"), 200, "not stored", 'id="TREE"')
    check_page(send(service, "{", "inspect"), 200, "not valid yet")
    check_page(send(service, WRONG, "store"), 200, "VERSION_MISMATCH")
    stored = send(service, VALID, "store")
    assert stored.status_code == 303
    check_page(service.client.get(stored.headers["location"]), 200, 'id="TREE"')
    spec_id = stored.headers["location"].rpartition("/")[2]
    assert service.client.get(f"/api/specs/{spec_id}").json()["normalizedRui"] == minimal_example()


@pytest.mark.parametrize(("content", "media_type", "words"), [
    (b"x", "text/plain", "Send a form"), (b"x", "multipart/form-data", "cannot be read"),
    (b"x", "multipart/form-data; boundary=y", "cannot be read"),
    ("é=1".encode(), "application/x-www-form-urlencoded", "URL"),
    (b"&".join([b"a=1"] * 99), "application/x-www-form-urlencoded", "URL"),
    (b" " * (MAX_BODY_BYTES + 1), "application/json", "262,145 bytes"),
    (b" " * (MAX_FORM_BYTES + 1), "application/json", str(MAX_FORM_BYTES)),
])  # fmt: skip
def test_forms_that_cannot_be_read(service: Service, content: bytes, media_type: str, words: str) -> None:
    check_page(service.client.post("/", content=content, headers={"Content-Type": media_type}), 400, words)


def test_the_largest_document_fits_into_every_form(service: Service) -> None:
    text = VALID + " " * (MAX_BODY_BYTES - len(VALID))
    check_page(send(service, text, "check"), 200, "<h2>Valid</h2>")
    check_page(service.client.post("/", data={"rui": text}), 200, "<h2>Valid</h2>")
    check_page(send(service, text + " ", "check"), 400, "262,145 bytes")


@pytest.mark.parametrize(("example", "words"), [
    ("minimal", "<h2>Valid"), ("full", "<h2>Valid"), ("wrong", "1 error"), ("broken", "INVALID_JSON"), ("none", "<h2"),
])  # fmt: skip
def test_examples(service: Service, example: str, words: str) -> None:
    check_page(service.client.get(f"/?example={example}"), 200, words)


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/nothing", 404), ("PUT", "/", 405), ("GET", "/specs/x", 400), ("GET", f"/specs/{UUID}", 404),
    ("GET", f"/specs/{UUID}/compare/x", 400), ("GET", f"/specs/{UUID}/compare/{UUID}", 404),
    ("GET", f"/specs/{UUID}/compare?with=x", 400), ("GET", f"/specs/{UUID}/compare", 400),
])  # fmt: skip
def test_people_get_pages(service: Service, method: str, path: str, status: int) -> None:
    check_page(service.client.request(method, path, headers=HTML), status, "<h1>", str(status))


def test_the_store_is_down() -> None:
    with TestClient(create_app(Settings(), Down())) as client:
        for path in (f"/specs/{UUID}", f"/specs/{UUID}/compare/{UUID}"):
            answer = client.get(path)
            check_page(answer, 503, TITLES[503])
            assert answer.headers["retry-after"]
        answer = client.post("/", data={"rui": VALID, "do": "store"})
        check_page(answer, 503, "still in the editor", "page-1")


def test_comparing_leads_to_an_address(service: Service) -> None:
    one, other = (service.store()["specId"] for _ in range(2))
    page = f"{service.url}/specs/{other}"
    addresses = [f" {page}/ ", f"{page}?open=all", f"{page}?q=a%2Fb&open=none#text-1", f"{page}#MAP"]
    addresses += [f"/specs/{one}/compare/{other}#changes", f"{service.url}/api/specs/{other}"]
    for given in (other, other.upper(), *addresses):
        answer = service.client.get(f"/specs/{one}/compare", params={"with": given})
        assert answer.status_code == 303
        assert answer.headers["location"].lower() == f"/specs/{one}/compare/{other}"
    check_page(service.client.get(f"/specs/{one}/compare/{other}"), 200, "same content")


def test_every_parameter_that_is_read_is_declared() -> None:
    """Handlers read only parameters that `rui_common.http_contract.endpoints` declares."""
    read = {
        name
        for file in ROUTE_FILES.glob("*.py")
        if file.name != "playground.py"  # requests of a page are not declared
        for name in re.findall(r'(?:query_params|parameters)\.get(?:all)?\("(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert read == {parameter.name for route in ENDPOINTS for parameter in route.query}
    declared = {parameter.name: parameter.values for route in ENDPOINTS for parameter in route.query}
    assert (declared["example"], declared["open"]) == (tuple(EXAMPLES), ("outline", "all"))
