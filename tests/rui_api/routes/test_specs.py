"""Storing and retrieving (specification, sections 2.4, 4.2, 4.3; docs/decisions.md, sections 5 and 6)."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

import pytest
import rfc8785

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.routes.html import ASSET_FOLDER, FINGERPRINT
from rui_api.store.base import OutcomeUnknown
from rui_common.client import Client, ServiceError
from rui_common.describe import full_example, minimal_example
from tests.rui_api.live import Down, Service, patient_app, running

RUI = json.dumps(minimal_example()).encode()
KEYS = ["specId", "url", "viewUrl", "createdAt", "contentHash", "validationVersion", "registryVersion", "normalizedRui"]


def test_stored(service: Service) -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    answer = service.post("/api/specs", dict(reversed(full_example().items())))
    saved = answer.json()
    assert answer.status_code == 201
    assert list(saved) == KEYS
    assert UUID(saved["specId"]).version == 4
    assert saved["url"] == f"{service.url}/api/specs/{saved['specId']}" == answer.headers["location"]
    assert saved["viewUrl"] == f"{service.url}/specs/{saved['specId']}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", saved["createdAt"])
    assert before <= datetime.fromisoformat(saved["createdAt"]) <= datetime.now(UTC)
    assert (saved["validationVersion"], saved["registryVersion"]) == ("0.1", "0.1")
    assert saved["normalizedRui"] == full_example()


def test_hash_can_be_recomputed_from_the_answer(service: Service) -> None:
    """Equal content has one hash, and is stored twice."""
    saved, again = service.store(full_example()), service.store(full_example())
    assert saved["contentHash"] == "sha256:" + sha256(rfc8785.dumps(saved["normalizedRui"])).hexdigest()
    assert (saved["contentHash"], saved["specId"] == again["specId"]) == (again["contentHash"], False)


EQUAL_POSTS: dict[str, tuple[bytes, bytes, dict[str, str]]] = {
    "the same bytes": (RUI, RUI, {}),
    "the same id of a request": (RUI, RUI, {"X-Request-ID": "agent-7"}),
    "the same session": (RUI, RUI, {"X-RUI-Session": "agent-7"}),
    "an Idempotency-Key": (RUI, RUI, {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}),
    "If-None-Match": (RUI, RUI, {"If-None-Match": "*"}),
    "other spaces": (RUI, RUI.replace(b": ", b" :\n"), {}),
    "another order": (RUI, json.dumps(dict(reversed(minimal_example().items()))).encode(), {}),
}
"""Two bodies of equal content, and the headers of both requests."""


@pytest.mark.parametrize(("body", "again", "headers"), EQUAL_POSTS.values(), ids=EQUAL_POSTS)
def test_two_equal_posts_are_two_specs(service: Service, body: bytes, again: bytes, headers: dict[str, str]) -> None:
    """No header makes them one; the hash says that they are equal."""
    saved = [service.post("/api/specs", content, **headers) for content in (body, again)]
    assert [response.status_code for response in saved] == [201, 201]
    first, second = (response.json() for response in saved)
    assert first["specId"] != second["specId"] and first["contentHash"] == second["contentHash"]
    for answer in (first, second):
        assert service.client.get(answer["url"]).json() == answer


def test_equal_posts_at_the_same_time_and_to_one_base_are_specs_of_their_own(service: Service) -> None:
    with ThreadPoolExecutor(4) as pool:
        saved = [*pool.map(service.store, [minimal_example()] * 4)]
    saved += [service.post(f"/api/specs?base={saved[0]['specId']}", {}).json() for _ in range(2)]
    assert len({answer["specId"] for answer in saved}) == 6
    assert len({answer["contentHash"] for answer in saved}) == 2


@pytest.mark.parametrize(("sent", "returned"), [
    ("1E+2", "100.0"), ("1.50", "1.5"), ("1e-400", "0.0"), ("-0", "0"), ("-0.0", "-0.0"), ("1e22", "1e+22"), ("7", "7"),
    ("9007199254740993", "9007199254740993"), ("9007199254740993.0", "9007199254740992.0"),
])  # fmt: skip
def test_a_number_is_its_value_and_not_its_spelling(service: Service, sent: str, returned: str) -> None:
    body = json.dumps(minimal_example() | {"meta": {"number": "?"}}).replace('"?"', sent)
    for path in ("/api/validate", "/api/specs"):
        answer = service.post(path, body.encode())
        assert f'"meta":{{"number":{returned}}}' in answer.text
        again = service.post(path, json.dumps(answer.json()["normalizedRui"]).encode())
        assert f'"meta":{{"number":{returned}}}' in again.text


class Unclear(Down):
    """A store whose answers are late."""

    async def store(self, _: object) -> None:
        raise OutcomeUnknown("late")

    async def fetch(self, _: object) -> None:
        raise OutcomeUnknown("late")


@pytest.mark.parametrize("store", [Down(), Unclear()])
def test_a_store_whose_answer_is_late(store: Down) -> None:
    """It is not known whether it has stored the spec, so that no client is asked to send it again."""
    is_unclear = isinstance(store, Unclear)
    with running(create_app(Settings(), store)) as service:
        answer = service.post("/api/specs", minimal_example())
        form = {"rui": json.dumps(minimal_example()), "do": "store"}
        page = service.client.post("/", data=form, headers={"Accept": "text/html"})
        assert answer.json()["error"] == "STORAGE_UNAVAILABLE"
        assert ("try again soon" in answer.json()["message"]) == (not is_unclear)
        for response in (answer, page):
            assert (response.status_code, "retry-after" in response.headers) == (503, not is_unclear)
        assert ("It is not known whether the document is stored." in page.text) == is_unclear
        assert ("The document is not stored." in page.text) == (not is_unclear)
        fetched = service.client.get(f"/api/specs/{uuid4()}")
        assert (fetched.status_code, "retry-after" in fetched.headers) == (503, True)
        client = Client(service.url)
        with pytest.raises(ServiceError) as failed:
            client.store(minimal_example())
        assert failed.value.may_be_stored == is_unclear


def test_invalid_is_not_stored(service: Service) -> None:
    answer = service.post("/api/specs", minimal_example() | {"extra": 1})
    assert (answer.status_code, answer.json()["valid"]) == (200, False)
    assert "location" not in answer.headers


KNOWN = ("{tag}", "W/{tag}", '"x", {tag}', '"x",W/{tag} ,"y"', "*", " * ", '"a,b", {tag}', ",,{tag}")
UNKNOWN = ("", '"x"', "{bare}", '"{bare}', '"x" {tag}', "W/", '"', "**", '"*"')


def test_conditional_requests(service: Service) -> None:
    stored = service.post("/api/specs", minimal_example())
    url, tag = stored.json()["url"], stored.headers["etag"]
    for names in KNOWN + UNKNOWN:
        sent = names.replace("{tag}", tag).replace("{bare}", tag.strip('"')).strip()
        answer = service.client.get(url, headers={"If-None-Match": sent})
        assert (answer.status_code, answer.content) == ((304, b"") if names in KNOWN else (200, stored.content)), names
        assert answer.headers["etag"] == tag
    two_lines = [("If-None-Match", '"x"'), ("If-None-Match", tag)]
    assert service.client.get(url, headers=two_lines).status_code == 304
    assert service.client.get(f"/api/specs/{uuid4()}", headers={"If-None-Match": "*"}).status_code == 404


@pytest.mark.parametrize("spec_id", [
    "8B9C31F4-0D5E-4C40-9A4E-5F1F6F4F7E2A", "00000000-0000-0000-0000-000000000000",
    "01890a5d-ac96-774b-bcce-b302099a8057",
])  # fmt: skip
def test_unknown(service: Service, spec_id: str) -> None:
    answer = service.client.get(f"/api/specs/{spec_id}")
    assert answer.status_code == 404
    assert answer.json() == {"error": "NOT_FOUND", "specId": spec_id.lower()}


def test_id_in_any_case(service: Service) -> None:
    stored = service.post("/api/specs", minimal_example())
    upper = stored.json()["specId"].upper()
    assert service.client.get(f"/api/specs/{upper}").content == stored.content
    encoded = "".join(f"%{ord(character):02x}" for character in upper)
    assert service.client.get(f"/api/specs/{encoded}").content == stored.content


@pytest.mark.parametrize("path", ["/api/specs/", "/specs/"])
@pytest.mark.parametrize("spec_id", [
    "1", "4be0643f1d98473b97cdca98a65347dd", "{4be0643f-1d98-473b-97cd-ca98a65347dd}",
    "urn:uuid:4be0643f-1d98-473b-97cd-ca98a65347dd",
    "4be0643f-1d98-473b-97cd-ca98a65347dd%0A", "%204be0643f-1d98-473b-97cd-ca98a65347dd",
    "4be0643f-1d98-473b-97cd-ca98a65347dd0", "4be0643f-1d98-473b-97cdca98a65347dd-",
    "4be0643g-1d98-473b-97cd-ca98a65347dd", "%ff", "a" * 8000, "%2e%2e", "4be0643f-1d98-473b-97cd-ca98a65347d%D9%A3",
])  # fmt: skip
def test_no_uuid(service: Service, path: str, spec_id: str) -> None:
    answer = service.client.get(path + spec_id)
    assert answer.status_code == 400
    if path == "/api/specs/":
        assert list(answer.json()) == ["error", "message"]
        assert answer.json()["error"] == "INVALID_SPEC_ID"
    else:
        assert "UUID" in answer.text


@pytest.mark.parametrize("host", ["rui.example.org", "RUI.example:8080", "[::1]:9", "a_b", "[::ffff:1.2.3.4]:1"])
def test_base_url_of_a_request(service: Service, host: str) -> None:
    forged = {"Host": host, "X-Forwarded-Host": "evil", "X-Forwarded-Proto": "https", "Forwarded": "host=evil"}
    answer = service.post("/api/specs", minimal_example(), **forged)
    assert answer.json()["url"].startswith(f"http://{host}/api/specs/")
    assert answer.json()["viewUrl"].startswith(f"http://{host}/specs/")


@pytest.mark.parametrize("host", [
    "a b", "evil/x", 'x"y', "<script>", "a\\b", "a\tb", "user@host", "a:b:c", "%61", "-", "[x]", "a:999999", "[1.2.3]",
])  # fmt: skip
def test_host_that_is_none(service: Service, host: str) -> None:
    """An invalid host never becomes part of a URL."""
    head, body = service.raw(f"GET /api/docs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"] == "BAD_REQUEST"


def test_no_host_at_all(service: Service) -> None:
    head, body = service.raw(b"GET /api/docs HTTP/1.0\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert json.loads(body)["baseUrl"] == service.url


def test_configured_base_url(tmp_path) -> None:
    settings = Settings(store=f"sqlite:///{tmp_path}/rui.db", base_url="https://rui.example.org/desk")
    with running(patient_app(settings)) as service:
        stored = service.post("/api/specs", minimal_example())
        spec_id, tag = stored.json()["specId"], stored.headers["etag"]
        assert stored.json()["url"] == f"https://rui.example.org/desk/api/specs/{spec_id}"
        assert stored.headers["location"] == stored.json()["url"]
        page = service.client.get(f"/specs/{spec_id}").text
        assert f'<link rel="stylesheet" href="/desk{ASSET_FOLDER}{FINGERPRINT}/inspector.css">' in page
    with running(patient_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as service:
        answer = service.client.get(f"/api/specs/{spec_id}", headers={"If-None-Match": tag})
        assert answer.status_code == 200, "the base URL is part of the entity tag"
        assert answer.json() == stored.json() | {
            "url": f"{service.url}/api/specs/{spec_id}", "viewUrl": f"{service.url}/specs/{spec_id}",
        }  # fmt: skip
