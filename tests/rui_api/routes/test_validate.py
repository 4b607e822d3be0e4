"""POST /api/validate: verdicts and transport failures (specification, section 4.1)."""

import json

import pytest

from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_ERRORS, MESSAGES
from tests.inputs.sample import sized
from tests.rui_api.live import JSON, Service

MESSAGE, GIST = MESSAGES["INVALID_JSON"]


def with_faults(count: int) -> dict[str, object]:
    """Return a valid RUI with `count` added unknown properties."""
    return minimal_example() | {f"extra{number:03}": 1 for number in range(count)}


@pytest.mark.parametrize(("faults", "reported", "truncated"), [
    (1, 1, False), (MAX_ERRORS, MAX_ERRORS, False), (MAX_ERRORS + 1, MAX_ERRORS, True), (500, MAX_ERRORS, True),
])  # fmt: skip
@pytest.mark.parametrize("path", ["/api/validate", "/api/specs"])
def test_invalid(service: Service, path: str, faults: int, reported: int, truncated: bool) -> None:
    answer = service.post(path, with_faults(faults))
    body = answer.json()
    assert answer.status_code == 200
    assert list(body) == ["valid", "validationVersion", "registryVersion", "errors", "truncated"]
    assert body["valid"] is False
    assert len(body["errors"]) == reported
    assert body["truncated"] is truncated
    assert body["errors"][0]["path"] == "extra000"


def test_answers_to_many_faults_stay_small(service: Service) -> None:
    body = b'{"version":"0.1","meta":{},"navigation":{"items":[{"pageId":"a"}]},"pages":[0' + b",0" * 130_000 + b"]}"
    answer = service.post("/api/validate", body)
    assert answer.json()["truncated"] is True
    assert len(answer.content) < 40_000


def check_refused(service: Service, body: bytes, words: str, headers: dict[str, str], path: str = "/api/specs") -> None:
    """The response is 400 in the exact shape of section 4.1, with `words` in the hint."""
    answer = service.client.post(path, content=body, headers=headers)
    assert answer.status_code == 400, answer.text
    assert list(answer.json()) == ["valid", "errors"]
    (item,) = answer.json()["errors"]
    assert (item["path"], item["code"], item["message"]) == ("", "INVALID_JSON", MESSAGE)
    assert item["hint"].startswith(GIST + " ")
    assert words in item["hint"]


SOUND = json.dumps(minimal_example()).encode()


@pytest.mark.parametrize(("content_type", "shown"), [
    ("application/json; charset=utf8", "Write charset=utf-8, or none."), (None, "no Content-Type"),
    ("", "Content-Type was ."), ("text/json", "text/json"),
    ("application/jsonp", "application/jsonp"), ("application/ld+json", "ld+json"),
    ("application/json; charset=latin-1", "latin-1"), ("application/json, text/plain", "text/plain"),
    ("application/json charset=utf-8", "application/json charset"), ("multipart/form-data; boundary=x", "multipart"),
    ("*/*", "*/*"), ("x" * 500, "xxx…"), (b"application/j\xe4son", "application/j"),
])  # fmt: skip
def test_wrong_content_type(service: Service, content_type: str | None, shown: str) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    for path in ("/api/validate", "/api/specs"):
        check_refused(service, SOUND, shown, headers, path)


@pytest.mark.parametrize("headers", [
    *({"Content-Type": value} for value in (
        "APPLICATION/JSON", "application/json;charset=utf-8", 'application/json; charset="UTF-8"', "application/json ;",
        "application/json; profile=\"a;b\\\"c\"; charset=Utf-8",
    )), JSON | {"Content-Encoding": "Identity"},
])  # fmt: skip
def test_right_headers(service: Service, headers: dict[str, str]) -> None:
    answer = service.client.post("/api/validate", content=SOUND, headers=headers)
    assert answer.json()["valid"] is True


def test_two_content_types_and_encoded_bodies(service: Service) -> None:
    for types in (("application/json", "text/plain"), ("text/plain", "application/json")):
        twice = [("Content-Type", media_type) for media_type in types]
        assert service.client.post("/api/validate", content=SOUND, headers=twice).status_code == 400
    for coding in ("gzip", "identity, gzip", "x-unknown"):
        check_refused(service, SOUND, coding, JSON | {"Content-Encoding": coding})


@pytest.mark.parametrize(("body", "words"), [
    (b"", "empty"), (b" \n ", "Line"), (b"{", "Line 1, column 2"), (b'{"a": 1,\n "b": tru}', "Line 2, column 7"),
    ('{"größe":\n\t"\U0001f600" x}'.encode(), "Line 2, column 6"), (b"[]", "object, not an array"),
    (b"null", "not null"), (b'"a"', "not a string"), (b"7", "not a number"), (b"true", "not a boolean"),
    (b'{"a": "\xff"}', "Line 1"), (b'{"a": NaN}', "Line 1"),
])  # fmt: skip
def test_no_json(service: Service, body: bytes, words: str) -> None:
    """All other bodies: tests/bad_input."""
    check_refused(service, body, words, JSON)


def test_deepest_value_is_kept(service: Service) -> None:
    depth = 254  # Root and meta are the first two of 256 levels.
    deep = b"[" * depth + b"]" * depth
    body = SOUND.replace(b'"meta": {', b'"meta": {"deep": ' + deep + b", ", 1)
    saved = service.store(body)
    assert json.dumps(saved["normalizedRui"]["meta"]["deep"]).encode() == deep
    assert service.client.get(f"/specs/{saved['specId']}").status_code == 200


@pytest.mark.parametrize("path", ["/api/validate", "/api/specs"])
@pytest.mark.parametrize("filler", ["a", "ß", "\U0001f600"])
def test_size_limit(service: Service, path: str, filler: str) -> None:
    assert service.post(path, sized(MAX_BODY_BYTES, filler)).status_code in (200, 201)
    check_refused(service, sized(MAX_BODY_BYTES + 1, filler), f"{MAX_BODY_BYTES + 1} bytes", JSON, path)
