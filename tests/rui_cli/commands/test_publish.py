"""`rui publish` with the real service, and without a service."""

import json
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from rui_cli.commands.publish import FORMATS, VARIABLE
from rui_common.client import Client
from rui_common.describe import full_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import UUID, Service
from tests.rui_cli.running import Ran, rui
from tests.rui_common.client.hostile import answers, free_port, hangs, hostile, says

VALID = json.dumps(minimal_example(), indent=2)
FAULTY = VALID.replace('"Page"', '"Pagee"')


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "a.rui.json"
    path.write_text(VALID, encoding="utf-8")
    return path


def check(ran: Ran, code: int, *err: str, out: str = "") -> None:
    """Assert one line on standard error with all of these parts, and `out` on standard output."""
    assert (ran.code, ran.out) == (code, out)
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
    assert published(service, rui("publish", file, "--server", service.url)) == minimal_example()
    assert published(service, rui("publish", file, environment={VARIABLE: service.url + "/"})) == minimal_example()
    there = rui("publish", "--server", service.url, file, environment={VARIABLE: "http://nowhere.invalid"})
    assert published(service, there) == minimal_example()


def test_a_document_can_replace_a_stored_spec(service: Service, file: Path) -> None:
    first = rui("publish", file, "--server", service.url).out.strip()
    spec_id = first.rpartition("/")[2]
    for replaced in (spec_id, first, f"{first}/", spec_id.upper()):
        document = published(service, rui("publish", file, "--server", service.url, "--replaces", replaced))
        assert document == minimal_example() | {"meta": minimal_example()["meta"] | {"replaces": spec_id}}
    assert file.read_text(encoding="utf-8") == VALID


@pytest.mark.parametrize(("replaced", "words"), [
    ("x", "is no id of a spec"), ("http://127.0.0.1:1/specs/", "is no id of a spec"),
    (f"{UUID[:-1]}", "is no id of a spec"), (f"{{{UUID}}}", "is no id of a spec"), (UUID, "404 NOT_FOUND"),
])  # fmt: skip
def test_only_a_stored_spec_is_replaced(service: Service, file: Path, replaced: str, words: str) -> None:
    check(rui("publish", file, "--server", service.url, "--replaces", replaced), 2, words)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_standard_input(service: Service, bom: bytes) -> None:
    data = bom + json.dumps(full_example(), ensure_ascii=False).encode()
    assert published(service, rui("publish", "-", "--server", service.url, stdin=data)) == full_example()


def test_layout_alone_makes_no_document_too_long(service: Service) -> None:
    spacious = VALID.replace("\n", "\n" + " " * MAX_BODY_BYTES, 1)
    assert published(service, rui("publish", "-", "--server", service.url, stdin=spacious)) == minimal_example()


def test_the_service_rejects_documents_that_are_too_large(service: Service) -> None:
    rui_ = {**minimal_example(), "meta": {"a": "x" * MAX_BODY_BYTES}}
    ran = rui("publish", "-", "--server", service.url, stdin=json.dumps(rui_))
    assert (ran.code, ran.out) == (1, "")
    assert "INVALID_JSON" in ran.err
    assert str(MAX_BODY_BYTES) in ran.err


def test_json(service: Service, file: Path) -> None:
    ran = rui("publish", file, "--server", service.url, "--format=json")
    printed = json.loads(ran.out)
    assert printed.keys() == {"file", "specId", "url", "viewUrl", "createdAt", "contentHash"}
    assert printed["file"] == str(file)
    assert printed["contentHash"] == content_hash(minimal_example())


def test_documents_with_errors_are_reported_and_not_sent(file: Path) -> None:
    file.write_text(FAULTY)
    expected = rui("check", file).out.partition("\n1 error")[0]
    with hostile(says(b"")) as server:
        ran = rui("publish", file, "--server", server.url)
        printed = json.loads(rui("publish", file, "--server", server.url, "--format", "json").out)
    assert server.requests == []
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(expected)
    assert ran.err.endswith(f"rui publish: {file} is not published: it has errors\n")
    assert printed == {"file": str(file), "errors": json.loads(rui("check", file, "--format", "json").out)}


def test_a_warning_is_shown_and_does_not_stop_it(service: Service, file: Path) -> None:
    file.write_text(VALID.replace('"version"', '"version": "9", "version"', 1))
    ran = rui("publish", file, "--server", service.url)
    assert ran.code == 0
    assert "DUPLICATE_KEY" in ran.err
    assert ran.out.startswith(service.url)


def test_a_placeholder_is_shown_and_does_not_stop_it(service: Service, file: Path) -> None:
    document = minimal_example()
    binding = {"type": "read", "method": "GET", "path": "/TODO"}
    table = {"id": "t", "type": "Table", "binding": binding, "columns": [{"key": "a"}]}
    document["pages"][0]["children"][0]["children"].append(table)
    file.write_text(json.dumps(document))
    ran = rui("publish", file, "--server", service.url)
    assert (ran.code, ran.err.count("PLACEHOLDER")) == (0, 1)
    assert ran.out.startswith(service.url)


def test_what_only_the_service_finds_is_shown_where_it_is(file: Path) -> None:
    items = [
        {"path": "pages[0].title", "code": "NEW_RULE", "message": "Too plain.", "hint": "Say more."},
        {"path": "{nonsense", "code": "OTHER", "message": "Odd.", "hint": ""},
    ]
    body = json.dumps({"valid": False, "errors": items}).encode()
    with hostile(answers(200, body)) as server:
        ran = rui("publish", file, "--server", server.url)
    assert (ran.code, ran.out) == (1, "")
    line = 1 + VALID[: VALID.index('"title"')].count("\n")
    assert f"error[NEW_RULE]: Too plain.\n  --> {file}:{line}:" in ran.err
    assert "Say more." in ran.err
    assert "error[OTHER]: Odd." in ran.err


HOSTILE_TEXT = "\x1b]0;owned\x07\x9b2J\u202e\r"
HOSTILE_SPEC = {
    "url": "http://a.example/", "viewUrl": f"http://a.example/{HOSTILE_TEXT}", "normalizedRui": {},
    **dict.fromkeys(("specId", "createdAt", "contentHash", "validationVersion", "registryVersion"), HOSTILE_TEXT),
}  # fmt: skip
HOSTILE_ITEM = dict.fromkeys(("path", "code", "message", "hint"), HOSTILE_TEXT)
HOSTILE_ANSWERS = {
    "stored": (201, HOSTILE_SPEC),
    "invalid": (200, {"valid": False, "errors": [HOSTILE_ITEM]}),
    "failure": (500, {"error": HOSTILE_TEXT, "message": HOSTILE_TEXT}),
    "unavailable": (503, {"error": HOSTILE_TEXT, "message": HOSTILE_TEXT}),
}


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize(("status", "body"), HOSTILE_ANSWERS.values(), ids=HOSTILE_ANSWERS)
def test_no_text_of_a_service_reaches_the_terminal_as_it_is(
    status: int, body: dict[str, object], format_name: str, file: Path
) -> None:
    with hostile(answers(status, json.dumps(body).encode(), "Retry-After: 0")) as server:
        ran = rui("publish", file, "--server", server.url, "--format", format_name, "--color", "never")
    assert "owned" in ran.out + ran.err
    assert (ran.out + ran.err).replace("\n", "").isprintable()


def test_a_missing_service_is_reported_in_one_line(file: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    check(rui("publish", file, "--server", url), 2, f"cannot reach {url}", "refused", "rui serve", "--server", VARIABLE)


def test_permanent_failures_do_not_suggest_to_start_the_service(file: Path, service: Service) -> None:
    ran = rui("publish", file, "--server", service.url.replace("http://", "https://"))
    check(ran, 2, "does not speak TLS; should the address begin with http://?")
    assert "running" not in ran.err


def test_a_service_that_fails_is_one_clear_line(file: Path) -> None:
    with hostile(answers(503, b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}', "Retry-After: 9999")) as server:
        check(rui("publish", file, "--server", server.url), 2, "is not available now: Soon.")
    with hostile(hangs) as server:
        check(rui("publish", file, "--server", server.url, "--timeout=0.2"), 2, "in time", "stored is not known")
    with hostile(answers(200, b"<p>", media_type="text/html")) as server:
        check(rui("publish", file, "--server", server.url), 2, "no RUI service")


@pytest.mark.parametrize(
    ("arguments", "environment", "error_message"),
    [
        ([], {}, "name the file to publish"),
        (["a", "b"], {}, "unexpected argument b"),
        (["a", "--server", "localhost:8000"], {}, "--server: the address of a service is like"),
        (["a"], {VARIABLE: "nonsense"}, f"{VARIABLE}: the address of a service is like"),
        (["a", "--timeout", "soon"], {}, "--timeout is a number of seconds"),
        (["a", "--timeout", "nan"], {}, "--timeout is a number of seconds"),
        (["a", "--timeout", "-1"], {}, "--timeout is a number of seconds"),
        (["a", "--format", "xml"], {}, "argument --format: invalid choice: 'xml'"),
        (["/nowhere/a.rui.json"], {}, "cannot read /nowhere/a.rui.json"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    arguments: list[str], environment: dict[str, str], error_message: str
) -> None:
    check(rui("publish", *arguments, environment=environment), 2, error_message)


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["a", "--server", "http://kim:secret@a.org"], {}), (["a"], {VARIABLE: "kim:secret@a.org"}),
        (["a", "http://kim:secret@a.org"], {}), (["http://kim:secret@a.org"], {}),
        (["a", "--format", "http://kim:secret@a.org"], {}),
    ],
)  # fmt: skip
def test_no_user_of_an_address_is_shown(arguments: list[str], environment: dict[str, str]) -> None:
    ran = rui("publish", *arguments, environment=environment)
    check(ran, 2, "***@a.org")
    assert "kim" not in ran.err and "secret" not in ran.err


def test_it_is_shown_in_the_browser_if_wanted(service: Service, file: Path) -> None:
    with mock.patch("webbrowser.open", return_value=True) as browser:
        ran = rui("publish", file, "--open", "--server", service.url)
    browser.assert_called_once_with(ran.out.strip())
    with mock.patch("webbrowser.open", return_value=False):
        ran = rui("publish", file, "--open", "--server", service.url)
    check(ran, 0, "no browser", out=ran.out)
