"""The requests of the editor on the front page."""

import json

import pytest

from rui_api.http.limits import MAX_FORM_BYTES
from rui_api.playground.answers import ACTIONS
from rui_api.routes.tasks import client_of
from rui_common.describe import minimal_example
from tests.inputs.sample import sample
from tests.rui_api.live import Service

VALID = json.dumps(minimal_example(), indent=2)
WRONG = VALID.replace('"0.1"', '"0.2"')


def ask(service: Service, action: str, text: str = VALID, query: str = "", **headers: str):
    return service.client.post(f"/playground/{action}{query}", content=text.encode(), headers=headers)


def test_a_check(service: Service) -> None:
    answer = ask(service, "check", WRONG).json()
    assert (answer["errors"], answer["warnings"]) == (1, 0)
    assert "VERSION_MISMATCH" in answer["tabs"]
    [found] = answer["diagnostics"]
    assert (found["code"], found["range"], found["isError"]) == ("VERSION_MISMATCH", [1, 13, 1, 18], True)
    many = ask(service, "check", json.dumps({"pages": [{"id": f"p{n}", "ids": n} for n in range(8000)]})).json()
    assert (answer["isTruncated"], many["isTruncated"], len(many["diagnostics"]) < 600) == (False, True, True)


def test_a_text_in_conflict(service: Service) -> None:
    lines = VALID.split("\n")
    lines[1:2] = ["<<<<<<< HEAD", lines[1], "=======", lines[1].replace("0.1", "0.2"), ">>>>>>> topic"]
    text = "\n".join(lines)
    answer = ask(service, "check", text).json()
    [found] = answer["diagnostics"]
    assert (answer["errors"], found["message"]) == (1, "Merge conflict between HEAD and topic")
    assert 'class="nothing"' not in answer["tabs"].split('data-tab="wireframe"')[1].split("</section>")[0]
    titles = [fix["title"] for fix in ask(service, "fixes", text, "?from=1:3").json()["fixes"]]
    assert titles == ["Use ours", "Use theirs"]
    assert ask(service, "fix-all", text).json()["fixed"] == 0
    refused = service.client.post("/api/specs", content=text, headers={"content-type": "application/json"})
    assert refused.status_code == 400
    [item] = refused.json()["errors"]
    assert item["code"] == "INVALID_JSON"
    assert item["hint"].count("Merge conflict between HEAD and topic") == 1


@pytest.mark.parametrize(("text", "message"), [
    ("", "The pages appear here as you write them."),
    ('{"version": "0.1"', "The pages appear here as you write them."),
    ("Dear diary,\ntoday", "This text is not JSON"), ("[1]", "The root of a RUI is an object, not an array."),
])  # fmt: skip
def test_a_wireframe_without_pages_has_a_reason(service: Service, text: str, message: str) -> None:
    tabs = ask(service, "check", text).json()["tabs"]
    assert f'<p class="nothing">{message}</p>' in tabs.split('data-tab="wireframe"')[1]


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_answers_every_text(service: Service, action: str) -> None:
    for text in ("", "[]", "\ufeff{}", '{"𝒳": 1}', VALID, "nul\0l", "[" * 5000):
        for query in ("?from=2:3&to=0:1", "?from=9999999:9999999"):
            assert ask(service, action, text, query).status_code == 200


def test_fixes_and_formatting(service: Service) -> None:
    fixes = ask(service, "fixes", WRONG, "?from=1:14").json()["fixes"]
    assert fixes[0]["edits"]
    assert ask(service, "fix-all", WRONG.replace("meta", "metta")).json()["fixed"] == 2
    assert ask(service, "format", '{"a": 1').json()["at"] == [0, 7]
    assert ask(service, "format", "[]").json()["reason"] == "The root is not an object"


@pytest.mark.parametrize("text", [
    '{"panels": [{"type": "graph" "title": "x"}],\n "schemaVersion": 3, "title": "y",}',
    VALID.replace('"type": "Page"', '"typ": "Pag"').replace(",", "", 2),
    "{'pages': [{'id': 'A B', 'typ': 'Pag', 'x': 'y',}]",
    WRONG, VALID, "[", "Dear diary,\nwhat now", '{"a": 1, "a": 2}', '{"pages": [{"children": [{}, {}]},]}',
])  # fmt: skip
def test_fix_all_counts_what_it_fixed_and_revealed(service: Service, text: str) -> None:
    answer = ask(service, "fix-all", text).json()
    before = ask(service, "check", text).json()["diagnostics"]
    assert min(answer["fixed"], answer["revealed"], answer["left"]) >= 0
    assert len(before) - answer["fixed"] + answer["revealed"] == answer["left"]
    assert answer["fixed"] or not answer["edits"]


def test_the_wireframe_has_the_pages_at_the_cursor(service: Service) -> None:
    text = json.dumps(sample(120_000), indent=2)
    lines = text.split("\n")
    pages = json.loads(text)["pages"]
    for number, page in ((0, pages[0]), (8, pages[8]), (len(pages) - 1, pages[-1])):
        line = max(index for index, text_line in enumerate(lines) if f'"id": "{page["id"]}"' in text_line)
        answer = ask(service, "check", text, f"?from={line}:0").json()
        assert f'id="W-{page["id"]}"' in answer["tabs"], number
        assert answer["drawn"][0] <= line <= answer["drawn"][2]
        assert f"of {len(pages)}. Another one appears when the cursor is in it." in answer["tabs"]
    assert "drawn" not in ask(service, "check", VALID).json()
    for query in ("?from=0:0", "?from=9999999:0"):
        assert "drawn" in ask(service, "check", text, query).json()


def test_positions_are_utf_16(service: Service) -> None:
    found = ask(service, "check", '{"𝒳𝒳": 1, "version": "0.2"}').json()["diagnostics"]
    ranges = [diagnostic["range"] for diagnostic in found]
    assert [0, 23, 0, 28] in ranges and [0, 1, 0, 7] in ranges


def test_requests_that_are_refused(service: Service) -> None:
    for query in ("?from=1", "?from=a:b", "?from=1:1&to=x", "?from=99999999:1", "?from=-1:0"):
        assert ask(service, "check", query=query).status_code == 400
    assert ask(service, "nothing").status_code == 404
    assert service.client.get("/playground/check").status_code == 405
    too_long = ask(service, "check", " " * (MAX_FORM_BYTES + 1))
    assert too_long.status_code == 400
    assert str(MAX_FORM_BYTES) in too_long.json()["errors"][0]["hint"]


@pytest.mark.parametrize(("address", "client"), [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::/64"), ("2001:db8::2", "2001:db8::/64"),
    ("2001:db8:0:1::2", "2001:db8:0:1::/64"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("", ""),
    ("unknown", "unknown"), ("2001::/16", "2001::/16"), ("fe80::1%eth0", "fe80::/64"),
])  # fmt: skip
def test_the_client_of_a_request(address: str, client: str) -> None:
    assert client_of(address) == client
