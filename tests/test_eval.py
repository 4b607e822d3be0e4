"""The tasks for agents and their scorer."""

import copy
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from eval.__main__ import main, mock_handler, stored_start
from eval.loss import loss
from eval.scoring import load_task, objects, score, task_names
from eval.transcripts import Start, effort_of, read_transcript, recording_handler
from rui_api.contract.compact_form import compact_payload
from rui_api.contract.docs_json import docs_payload
from rui_api.contract.llms_txt import llms_txt
from rui_api.routes.fixes import fixed_document
from rui_cli.commands.skill import COMMANDS
from rui_common.describe import minimal_example
from rui_common.describe.skill import skill
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis, validate
from rui_common.validation.answers import error_items
from rui_common.validation.diagnostics import warning_items
from rui_common.vocabulary.rules import MAX_WARNINGS
from tests.inputs.following_hints import Reader
from tests.inputs.text_rounds import hint_about
from tests.rui_api.live import UUID, Service
from tests.support import fixtures

ROOT = Path(__file__).parents[1]
service = fixtures.service
Json = dict[str, object]
EDITING = [name for name in task_names() if name.startswith("edit-")]
PAIRED = [name for name in EDITING if name.removeprefix("edit-") in task_names()]


def solved(name: str) -> Json:
    """Return a document that solves a task: the one with which the editing task of its name starts."""
    start = load_task(f"edit-{name}").start
    assert start is not None
    return start


def failed(name: str, document: object) -> str:
    """Return the descriptions of the checks that failed, one a line."""
    return "\n".join(check.description for check in score(load_task(name), document).checks if not check.passed)


@pytest.mark.parametrize("name", task_names())
def test_every_check_of_a_task_fails_without_its_part(name: str) -> None:
    task = load_task(name)
    wanted = {claim["what"] for claim in task.must}
    assert wanted <= {*failed(name, task.start or minimal_example()).split("\n")}
    for binding in [node["binding"] for claim in task.must for _, node in objects(claim["node"]) if "binding" in node]:
        if "path" not in binding:
            continue
        value = task.api[binding["path"]]
        for step in filter(None, (binding.get("valuePath") or "").split(".")):
            value = value[step]


@pytest.mark.parametrize("name", PAIRED)
def test_the_start_of_an_editing_task_solves_the_other_task(name: str) -> None:
    assert score(load_task(name.removeprefix("edit-")), load_task(name).start).is_perfect


@pytest.mark.parametrize("name", EDITING)
def test_the_start_of_an_editing_task_has_what_it_does_not_change(name: str) -> None:
    task = load_task(name)
    assert task.start is not None
    checks = score(task, task.start).checks
    assert ("it is a valid RUI", True) in checks and ("the other nodes are as before", True) in checks
    assert {*task.changes} <= {node["id"] for _, node in objects(task.start["pages"]) if "id" in node}


def texts_for_agents() -> dict[str, str]:
    """Return what an agent may have read before a task: the service's texts, the skill, documentation and examples."""
    service = "https://rui.example"
    texts = {
        "llms.txt": llms_txt(service), "api/docs": json.dumps(docs_payload(service)), "skill": skill(COMMANDS),
        "compact schema": json.dumps(compact_payload()),
    }  # fmt: skip
    for pattern in ("README.md", "docs/*.md", "docs/*.json", "examples/**/*.json"):
        texts |= {str(path): path.read_text() for path in ROOT.glob(pattern)}
    return texts


@pytest.mark.parametrize("name", task_names())
def test_no_text_for_agents_has_the_domain_or_an_endpoint_of_a_task(name: str) -> None:
    task = load_task(name)
    content = f"{task.prompt} {json.dumps(task.api)}".lower()
    assert len(task.domain) >= 2 and [word for word in task.domain if word not in content] == []
    leaks = re.compile("|".join([*(rf"\b{word}" for word in task.domain), *map(re.escape, task.api)]), re.IGNORECASE)
    found = {source: leaks.findall(text) for source, text in texts_for_agents().items()}
    assert {source: words for source, words in found.items() if words} == {}


def edited_support_queue() -> Json:
    """Return a solution of the task `edit-support-queue`."""
    document = solved("support-queue")
    page = document["pages"][0]
    page["title"] = "Open tickets"
    figures, tickets = page["children"]
    share = copy.deepcopy(figures["children"][0]) | {"id": "in-time", "label": "Answered in time (%)"}
    share["binding"]["valuePath"] = "inTimePercent"
    figures["children"].append(share)
    tickets["children"][0]["content"] = "TICKETS older than TWO DAYS are escalated."
    return document


def test_an_edit_keeps_the_other_nodes() -> None:
    document = edited_support_queue()
    assert score(load_task("edit-support-queue"), document).is_perfect
    document["pages"][0]["children"][1]["children"][1]["columns"].pop()
    lost = "the other nodes are as before; queue-table differs or is absent"
    assert lost in failed("edit-support-queue", document)
    del document["pages"][0]["children"][1]
    assert lost.replace("queue", "tickets, queue") in failed("edit-support-queue", document)


def test_a_failed_check_names_the_difference() -> None:
    document = solved("campsite-board")
    document["navigation"]["items"].reverse()
    blocks = [block for page in document["pages"] for section in page["children"] for block in section["children"]]
    table = next(block for block in blocks if block.get("binding", {}).get("valuePath") == "areas")
    table["columns"].append({"key": "colour"})
    metric, other, *_ = [block for block in blocks if block["type"] == "Metric"]
    metric["binding"]["valuePath"] = "areas"
    other["binding"]["path"] = "/nowhere"
    missing = failed("campsite-board", document)
    assert "; it opens Notices, Rangers, Pitches" in missing
    assert "; the rows have no colour" in missing
    assert "shows one value: /camp/pitches → areas; there is a list" in missing
    assert "; there is nothing in the API" in missing


# Drafts ---------------------------------------------------------------------------------------------------------------

DRAFTS = sorted((ROOT / "eval" / "drafts").glob("*/draft.*"))
FINALS = [path for path in DRAFTS if (path.parent / "final.json").exists()]
# Draft → what its final document leaves out, and why.
LEFT_OUT = {
    "airtable": ["Crew"],  # a table behind the API
    "csv-list": ["block"],  # the head of a column
    "django-admin": ["Exhibit", "-acquired"],  # the name of a class, an order of rows
    "looker": ["rooms.floor"],  # the column, with the table behind the API
    "power-apps": ["Back"],  # a button
    "vuetify": ["No lift is known.", "Report"],  # a text for no rows, a button
}


@pytest.mark.parametrize("path", FINALS, ids=lambda path: path.parent.name)
def test_a_draft_that_was_corrected_from_one_answer_has_lost_nothing(path: Path) -> None:
    final = (path.parent / "final.json").read_bytes()
    assert Analysis(read(final)).diagnostics == []  # no warnings either
    lost = [content.text for content in loss(path.read_bytes(), final).lost]
    assert lost == LEFT_OUT.get(path.parent.name, [])


LOST = {
    "a text": ({"a": "Closed on Monday"}, ["Closed on Monday"], []),
    "a text that is shown": ({"a": "Orders *today*", "b": "Home"}, [], []),
    "a text that no page shows": ({"a": "Hidden"}, ["Hidden"], []),
    "an endpoint": ({"a": {"href": "https://a.example/orders?x=1"}, "b": "GET /other"}, ["/other"], []),
    "a field": ({"field": "colour", "jsonPath": "$.data"}, ["colour"], []),
    "an expression": ({"a": 'concat("Late: ", get("/late").n)'}, ["/late", "Late"], []),
    "numbers": ({"options": [1, 2], "refreshMs": 5}, ["1", "2"], ["5"]),
    "settings": ({"kind": "kpiTile", "theme": "Dark blue", "live": True}, [], ["kpiTile", "Dark blue"]),
    "a text without structure": (
        "# Stock\n`/orders` and **Home** and *Left*\nk;Crate;text",
        ["Stock", "/orders", "Left", "k", "Crate"], ["text"]),
}  # fmt: skip


@pytest.mark.parametrize(("draft", "lost", "unplaced"), LOST.values(), ids=LOST)
def test_a_loss_report_lists_what_a_document_does_not_show(draft: object, lost: list[str], unplaced: list[str]) -> None:
    table = {"id": "a", "type": "Table", "title": "Orders today", "columns": [{"key": "n", "heading": "Hidden"}]}
    table["binding"] = {"type": "read", "method": "GET", "path": "/orders?x=1", "valuePath": "data"}
    page = {"id": "home", "type": "Page", "title": "Home", "children": [
        {"id": "s", "type": "Section", "direction": "row", "children": [
            table, {"id": "b", "type": "Text", "content": "See /orders"}]}]}  # fmt: skip
    final = {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [page]}
    assert validate(final).findings == []
    text = draft if isinstance(draft, str) else json.dumps(draft)
    report = loss(text.encode(), json.dumps(final).encode())
    assert [content.text for content in report.lost] == lost
    assert [content.text for content in report.unplaced] == unplaced


def answer(body: bytes) -> list[Json]:
    """Return the items of the service's answer to a body."""
    about_text = hint_about(body.decode())
    if about_text:
        return [{"path": "", "code": "INVALID_JSON", "message": "", "hint": about_text}]
    return error_items(validate(read(body).value).findings)


OTHER_WORDS = {
    "name": "Order desk", "description": "Orders of a shop",
    "nav": {"links": [{"page": "home", "text": "Start"}]},
    "screens": [{"slug": "home", "type": "Page", "heading": "Orders today", "sections": [
        {"name": "main", "type": "Section", "layout": "horizontal", "cards": [
            {"key": "open", "type": "kpi", "title": "Open orders", "unit": "EUR", "icon": "box",
             "query": {"mode": "read", "verb": "GET", "resource": "api/orders", "jsonPath": "$.data.open"}},
            {"key": "list", "type": "Table", "caption": "All orders", "cols": [{"id": "state", "header": "State"}],
             "query": {"mode": "read", "verb": "GET", "url": "/list", "path": "rows"},
             "search": {"column": "state", "name": "By state"}},
            {"uid": "note", "component": "Text", "body": "Closed on Monday"}]}]}],
}  # fmt: skip


def test_a_reader_without_judgement_corrects_other_words() -> None:
    reader = Reader(json.dumps(OTHER_WORDS).encode())
    assert reader.follow(answer) is not None
    assert loss(json.dumps(OTHER_WORDS).encode(), reader.body).lost == []


BESIDE = {"subtitle": "Closed on Monday", "chart": {"title": "Orders by day", "url": "/days"}, "source": "/orders"}


@pytest.mark.parametrize("name", BESIDE)
def test_a_reader_without_judgement_drops_nothing_that_a_block_can_show(name: str) -> None:
    document = minimal_example()
    document["pages"][0]["children"][0][name] = BESIDE[name]
    reader = Reader(json.dumps(document).encode())
    assert reader.follow(answer) is None
    assert json.loads(reader.body) == document


@pytest.mark.parametrize("is_around", [False, True], ids=["as it is", "in a valid document"])
@pytest.mark.parametrize("path", DRAFTS, ids=lambda path: path.parent.name)
def test_a_reader_without_judgement_never_reaches_a_valid_document_without_the_content(
    path: Path, *, is_around: bool
) -> None:
    draft = path.read_bytes()
    if is_around:
        draft = json.dumps(minimal_example() | {"app": read(draft).value}).encode()
    reader = Reader(draft)
    assert reader.follow(answer) is None or loss(draft, reader.body).lost == []


# Draft → requests of a reader without judgement who sends the fixed document on.
VALID_WITH_FIXES = {
    "a2ui": 6, "adaptive-cards": 6, "airtable": 5, "ant-design": 10, "appsmith": 6, "grafana": 4, "json-forms": 8,
    "plain-guess": 5,
}  # fmt: skip


def fixed_answer(body: bytes) -> Json:
    """Return what the service answers to `?fix=true&warnings=true`, as far as a reader needs it."""
    errors = answer(body)
    if not errors:
        document = read(body)
        return {"warnings": warning_items(document, Analysis(document).validation.lints, MAX_WARNINGS)[0]}
    fixed = fixed_document(body)
    return {"errors": errors} if fixed is None else {"errors": errors, "fixed": fixed}


@pytest.mark.parametrize("path", DRAFTS, ids=lambda path: path.parent.name)
def test_a_reader_with_fixes_never_reaches_a_valid_document_without_the_content(path: Path) -> None:
    reader = Reader(path.read_bytes())
    assert reader.follow_with_fixes(fixed_answer) == VALID_WITH_FIXES.get(path.parent.name)
    if path.parent.name in VALID_WITH_FIXES:
        lost = [content.text for content in loss(path.read_bytes(), reader.body).lost]
        assert lost == LEFT_OUT.get(path.parent.name, [])
        assert "PLACEHOLDER" not in [warning["code"] for warning in fixed_answer(reader.body)["warnings"]]


# The command ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with documents and with texts that are none."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "solved": json.dumps(solved("ferry-terminal")), "minimal": json.dumps(minimal_example()),
        "version": json.dumps(minimal_example() | {"version": "1"}), "broken": "{,}", "array": "[]", "mine": "mine",
    }.items():  # fmt: skip
        (tmp_path / f"{name}.json").write_text(text)
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "words"), [
    ("list", 0, "edit-ferry-terminal\n"), ("score ferry-terminal solved.json", 0, "100%\n"),
    ("score ferry-terminal minimal.json", 1, "NO  the vessels"),
    ("score ferry-terminal broken.json", 1, "no JSON object"),
    ("score ferry-terminal version.json", 1, "VERSION_MISMATCH at version. RUI version must be"),
    ("score ferry-terminal none.json", 2, "there is no such file"), (f"score ferry-terminal {UUID}", 2, UUID),
    ("loss broken.json solved.json", 0, "lost: 0"), ("loss solved.json minimal.json", 1, "Fares are in euros."),
    ("words", 0, "property Page.title: "), ("loss none.json solved.json", 2, "No such file"),
    ("record ferry-terminal mine.json", 2, "File exists"), ("replay none", 2, "No such file"),
    ("replay mine.json", 2, "is no transcript"), ("replay array.json", 2, "is no transcript"),
])  # fmt: skip
def test_commands(
    arguments: str, code: int, words: str, files: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    has_service = not arguments.startswith(("list", "loss", "words"))
    assert main([*arguments.split(), *(["--service", service.url] if has_service else [])]) == code
    printed = capsys.readouterr()
    assert words in (printed.err if code == 2 else printed.out)
    assert printed.err.count("\n") == (code == 2)
    assert (files / "mine.json").read_text() == "mine"


def test_a_stored_spec_is_scored_and_a_prompt_names_it(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    spec = service.store(solved("ferry-terminal"))
    assert main(["score", "ferry-terminal", spec["specId"], "--service", service.url]) == 0
    assert main(["prompt", "edit-campsite-board", "--service", service.url]) == 0
    printed = capsys.readouterr().out
    assert load_task("edit-campsite-board").prompt in printed
    assert f"{service.url}/llms.txt" in printed and "- GET /camp/pitches" in printed
    [address] = re.findall(r"http\S+/api/specs/[0-9a-f-]{36}", printed)
    with urlopen(address) as response:
        assert json.load(response)["normalizedRui"] == load_task("edit-campsite-board").start


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Run a server; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def fetched(address: str, document: Json | None = None) -> Json:
    """Send a GET request, or a POST request with a RUI, and return the response."""
    data = None if document is None else json.dumps(document).encode()
    with urlopen(Request(address, data, {"Content-Type": "application/json"})) as response:
        return json.load(response)


def test_the_mock_api_responds_as_declared(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(mock_handler(load_task("energy-monitor").api)) as address:
        assert fetched(f"{address}/energy/now?x=1") == {"power_kw": 81.2}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["mock", "ferry-terminal", "--port", str(taken.getsockname()[1])]) == 2
    assert "choose another one with --port" in capsys.readouterr().err


def test_a_recorded_transcript_runs_again(service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent edits a stored spec through the proxy: one faulty document, a valid one, which it stores."""
    task = load_task("edit-support-queue")
    start = Start("edit-support-queue", stored_start(task, service.url))
    file = tmp_path / "transcript.jsonl"
    with file.open("w") as output, serving(recording_handler(service.url, start, output)) as address:
        assert fetched(f"{address}/api/specs/{start.spec_id}")["normalizedRui"] == task.start
        assert fetched(f"{address}/api/validate", edited_support_queue() | {"version": "1"})["valid"] is False
        assert fetched(f"{address}/api/specs", edited_support_queue())["url"].startswith(address)
    _, exchanges = read_transcript(file)
    effort = effort_of(exchanges)
    assert (effort.rounds, effort.requests) == (2, 3)
    assert effort.sent == sum(len(exchange.body) for exchange in exchanges)
    for _ in range(2):
        assert main(["replay", str(file), "--service", service.url]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1].startswith("200 POST /api/validate") and lines[1].endswith(", errors 1")
        assert lines[3].startswith("rounds 2, requests 3, sent ") and lines[-1] == "100%"
    results = tmp_path / "results"
    for _ in range(2):
        arguments = ["--service", service.url, "--model", "some/model 2", "--results", str(results)]
        assert main(["replay", str(file), *arguments]) == 0
    written = sorted(path.name for path in results.iterdir())
    today = date.today().isoformat()
    assert written == [f"some-model-2-{today}-edit-support-queue{end}.json" for end in ("-2", "")]
    result = json.loads((results / written[-1]).read_text())
    assert result["model"] == "some/model 2" and result["score"] == 1 and result["rounds"] == 2
    assert result["errors"] == {"VERSION_MISMATCH": 1} and result["warnings"] == {} and result["lost"] == []
    assert 100 < result["first_answer"] < result["received"]
