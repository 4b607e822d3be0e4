"""The tasks for agents and their scorer."""

import copy
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from eval.__main__ import main, mock_handler, stored_start
from eval.scoring import load_task, objects, score, task_names
from eval.transcripts import Start, effort_of, read_transcript, recording_handler
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, Service

Json = dict[str, object]
EDITING = [name for name in task_names() if name.startswith("edit-")]


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
    wanted = {one["what"] for one in task.must}
    assert wanted <= {*failed(name, task.start or minimal_example()).split("\n")}
    for binding in [node["binding"] for one in task.must for _, node in objects(one["node"]) if "binding" in node]:
        if "path" not in binding:
            continue
        value = task.api[binding["path"]]
        for step in filter(None, (binding.get("valuePath") or "").split(".")):
            value = value[step]


@pytest.mark.parametrize("name", EDITING)
def test_the_start_of_an_editing_task_solves_the_other_task(name: str) -> None:
    task = load_task(name)
    assert score(load_task(name.removeprefix("edit-")), task.start).is_perfect
    checks = score(task, task.start).checks
    assert ("it is a valid RUI", True) in checks and ("the other nodes are as before", True) in checks
    assert {*task.changes} <= {node["id"] for _, node in objects(task.start["pages"]) if "id" in node}


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
    document = solved("ward-board")
    document["navigation"]["items"].reverse()
    blocks = [block for page in document["pages"] for section in page["children"] for block in section["children"]]
    table = next(block for block in blocks if block.get("binding", {}).get("valuePath") == "rooms")
    table["columns"].append({"key": "colour"})
    metric, other, *_ = [block for block in blocks if block["type"] == "Metric"]
    metric["binding"]["valuePath"] = "rooms"
    other["binding"]["path"] = "/nowhere"
    missing = failed("ward-board", document)
    assert "; it opens Notices, Staff, Beds" in missing
    assert "; the rows have no colour" in missing
    assert "shows one value: /ward/beds → rooms; there is a list" in missing
    assert "; there is nothing in the API" in missing


# The command ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with documents and with texts that are none."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "solved": json.dumps(solved("order-desk")), "minimal": json.dumps(minimal_example()),
        "version": json.dumps(minimal_example() | {"version": "1"}), "broken": "{,}", "array": "[]", "mine": "mine",
    }.items():  # fmt: skip
        (tmp_path / f"{name}.json").write_text(text)
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "words"), [
    ("list", 0, "edit-order-desk\n"), ("score order-desk solved.json", 0, "100%\n"),
    ("score order-desk minimal.json", 1, "NO  the customers"), ("score order-desk broken.json", 1, "no JSON object"),
    ("score order-desk version.json", 1, "VERSION_MISMATCH at version. RUI version must be"),
    ("score order-desk none.json", 2, "there is no such file"), (f"score order-desk {UUID}", 2, UUID),
    ("record order-desk mine.json", 2, "File exists"), ("replay none", 2, "No such file"),
    ("replay mine.json", 2, "is no transcript"), ("replay array.json", 2, "is no transcript"),
])  # fmt: skip
def test_commands(
    arguments: str, code: int, words: str, files: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    has_service = not arguments.startswith("list")
    assert main([*arguments.split(), *(["--service", service.url] if has_service else [])]) == code
    printed = capsys.readouterr()
    assert words in (printed.err if code == 2 else printed.out)
    assert printed.err.count("\n") == (code == 2)
    assert (files / "mine.json").read_text() == "mine"


def test_a_stored_spec_is_scored_and_a_prompt_names_it(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    spec = service.store(solved("order-desk"))
    assert main(["score", "order-desk", spec["specId"], "--service", service.url]) == 0
    assert main(["prompt", "edit-ward-board", "--service", service.url]) == 0
    printed = capsys.readouterr().out
    assert load_task("edit-ward-board").prompt in printed
    assert f"{service.url}/llms.txt" in printed and "- GET /ward/beds" in printed
    [address] = re.findall(r"http\S+/api/specs/[0-9a-f-]{36}", printed)
    with urlopen(address) as response:
        assert json.load(response)["normalizedRui"] == load_task("edit-ward-board").start


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
        assert main(["mock", "order-desk", "--port", str(taken.getsockname()[1])]) == 2
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
