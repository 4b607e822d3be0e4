"""`rui publish` with the real service, and without a service."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_cli.commands import publish
from rui_cli.commands.publish import VARIABLE
from rui_common.client import Client
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import UUID, Service
from tests.rui_cli.running import Ran, rui
from tests.rui_common.client.hostile import answers, hangs, hostile, says
from tests.support.ports import free_port

VALID = json.dumps(minimal_example(), indent=2)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "a.rui.json"
    path.write_text(VALID, encoding="utf-8")
    return path


def check(ran: Ran, code: int, *err: str) -> None:
    """Assert one line on standard error with all of these parts."""
    assert (ran.code, ran.out) == (code, "")
    [line] = ran.err.splitlines()
    assert line.startswith("rui publish: ")
    assert all(part in line for part in err), line


def published(service: Service, ran: Ran) -> dict[str, object]:
    """Return the document at the printed URL."""
    assert (ran.code, ran.err) == (0, "")
    address = ran.out.removesuffix("\n")
    assert address.startswith(f"{service.url}/specs/")
    return Client(service.url).fetch(address.rpartition("/")[2]).normalized_rui


def test_a_valid_document_is_stored(service: Service, file: Path) -> None:
    assert published(service, rui("publish", file, environment={VARIABLE: service.url + "/"})) == minimal_example()
    there = rui("publish", "--server", service.url, file, environment={VARIABLE: "http://nowhere.invalid"})
    assert published(service, there) == minimal_example()
    data = b"\xef\xbb\xbf" + json.dumps(full_example(), ensure_ascii=False).encode()
    assert published(service, rui("publish", "-", "--server", service.url, stdin=data)) == full_example()


def test_a_document_can_replace_a_stored_spec(service: Service, file: Path) -> None:
    first = rui("publish", file, "--server", service.url).out.strip()
    spec_id = first.rpartition("/")[2]
    for replaced in (spec_id, f"{first}/", spec_id.upper()):
        document = published(service, rui("publish", file, "--server", service.url, "--replaces", replaced))
        assert document == minimal_example() | {"meta": minimal_example()["meta"] | {"replaces": spec_id}}
    assert file.read_text(encoding="utf-8") == VALID
    absent = f"not stored: there is no spec {UUID} to replace: {service.url} responds with 404 NOT_FOUND"
    for replaced, words in {"x": "is no id of a spec", UUID[:-1]: "is no id of a spec", UUID: absent}.items():
        check(rui("publish", file, "--server", service.url, "--replaces", replaced), 2, words)


def test_the_service_decides_on_the_size_of_the_request(service: Service) -> None:
    spacious = VALID.replace("\n", "\n" + " " * MAX_BODY_BYTES, 1)
    assert published(service, rui("publish", "-", "--server", service.url, stdin=spacious)) == minimal_example()
    large = {**minimal_example(), "meta": {"a": "x" * MAX_BODY_BYTES}}
    ran = rui("publish", "-", "--server", service.url, stdin=json.dumps(large))
    assert (ran.code, ran.out) == (1, "")
    assert "INVALID_JSON" in ran.err and str(MAX_BODY_BYTES) in ran.err


def test_documents_with_errors_are_reported_and_not_sent(file: Path) -> None:
    file.write_text(VALID.replace('"Page"', '"Pagee"'))
    expected = rui("check", file).out.partition("Some of these can be fixed")[0]
    with hostile(says(b"")) as server:
        ran = rui("publish", file, "--server", server.url)
    assert server.requests == []
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{expected}rui publish: {file} is not published: it has errors\n"


def test_warnings_are_shown_and_do_not_stop_it(service: Service, file: Path) -> None:
    document = minimal_example()
    binding = {"type": "read", "method": "GET", "path": "/TODO"}
    table = {"id": "t", "type": "Table", "binding": binding, "columns": [{"key": "a"}]}
    document["pages"][0]["children"][0]["children"].append(table)
    file.write_text(json.dumps(document).replace('"version"', '"version": "9", "version"', 1))
    ran = rui("publish", file, "--server", service.url)
    assert (ran.code, ran.err.count("[PLACEHOLDER]"), ran.err.count("[DUPLICATE_KEY]")) == (0, 1, 1)
    assert ran.out.startswith(service.url)


def test_what_only_the_service_finds_is_shown_where_it_is(file: Path) -> None:
    items = [
        {"path": "pages[0].title", "code": "NEW_RULE", "message": "Too plain.", "hint": "Say more."},
        {"path": "{nonsense", "code": "OTHER", "message": "Odd.", "hint": ""},
    ]
    with hostile(answers(200, json.dumps({"valid": False, "errors": items}).encode())) as server:
        ran = rui("publish", file, "--server", server.url)
    assert (ran.code, ran.out) == (1, "")
    line = 1 + VALID[: VALID.rindex('"title"')].count("\n")
    assert f"error[NEW_RULE]: Too plain.\n  --> {file}:{line}:" in ran.err
    assert "Say more." in ran.err
    assert "error[OTHER]: Odd." in ran.err


HOSTILE_TEXT = "\x1b]0;owned\x07\x9b2J\u202e\r"
HOSTILE_SPEC = {
    "url": "http://a.example/", "viewUrl": f"http://a.example/{HOSTILE_TEXT}", "normalizedRui": {},
    **dict.fromkeys(("specId", "createdAt", "contentHash", "validationVersion", "registryVersion"), HOSTILE_TEXT),
}  # fmt: skip
HOSTILE_ITEM = dict.fromkeys(("path", "code", "message", "hint"), HOSTILE_TEXT)


@pytest.mark.parametrize(("status", "body"), [
    (201, HOSTILE_SPEC), (200, {"valid": False, "errors": [HOSTILE_ITEM]}),
    (500, {"error": HOSTILE_TEXT, "message": HOSTILE_TEXT}),
])  # fmt: skip
def test_no_text_of_a_service_reaches_the_terminal_as_it_is(status: int, body: dict[str, object], file: Path) -> None:
    with hostile(answers(status, json.dumps(body).encode(), "Retry-After: 0")) as server:
        ran = rui("publish", file, "--server", server.url)
    assert "owned" in ran.out + ran.err
    assert (ran.out + ran.err).replace("\n", "").isprintable()


def test_a_service_that_fails_is_one_clear_line(file: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    check(rui("publish", file, "--server", url), 2, f"cannot reach {url}", "refused", "rui serve", "--server", VARIABLE)
    ran = rui("publish", file, "--server", service.url.replace("http://", "https://"))
    check(ran, 2, "does not speak TLS (should the address begin with http://?)")
    assert "running" not in ran.err
    monkeypatch.setattr(publish, "TIMEOUT", 2)
    with hostile(hangs) as server:
        check(rui("publish", file, "--server", server.url), 2, "in time", "the spec may be stored")


@pytest.mark.parametrize(
    ("arguments", "environment", "error_message"),
    [
        ([], {}, "name the file to publish"),
        (["a", "b"], {}, "one file is published at a time: for file in *.rui.json; do rui publish"),
        (["a", "--server", "localhost:8000"], {}, "--server: the address of a service is like"),
        (["a"], {VARIABLE: "nonsense"}, f"{VARIABLE}: the address of a service is like"),
        (["/nowhere/a.rui.json"], {}, "cannot read /nowhere/a.rui.json"),
        (["a", "--server", "http://kim:secret@a.org"], {}, "***@a.org"),
        (["a"], {VARIABLE: "kim:secret@a.org"}, "***@a.org"),
        (["http://kim:secret@a.org"], {}, "***@a.org"),
        (["a", "--replaces", "http://kim:secret@a.org"], {}, "***@a.org"),
    ],
)
def test_a_wrong_command_line_is_one_line_without_the_user_of_an_address(
    arguments: list[str], environment: dict[str, str], error_message: str
) -> None:
    ran = rui("publish", *arguments, environment=environment)
    check(ran, 2, error_message)
    assert "kim" not in ran.err and "secret" not in ran.err
