"""The tasks for agents and their scorer."""

import copy
import http.client
import json
import re
import socket
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from eval.__main__ import main, mock_handler, stored_start
from eval.scoring import load_task, matches, objects, score, task_names
from eval.transcripts import Start, effort_of, read_transcript, recording_handler
from rui_common.describe import minimal_example
from tests.rui_api.live import Service

Json = dict[str, object]


EDITING = [name for name in task_names() if name.startswith("edit-")]


def solved(name: str) -> Json:
    """Return a document that solves a task: the one with which the editing task of its name starts."""
    start = load_task(f"edit-{name}").start
    assert start is not None
    return start


@pytest.mark.parametrize("name", EDITING)
def test_a_solution_is_perfect(name: str) -> None:
    created = name.removeprefix("edit-")
    report = score(load_task(created), solved(created))
    assert report.is_perfect, report.text()
    assert report.share == 1


@pytest.mark.parametrize("name", task_names())
def test_every_wanted_value_is_in_the_api(name: str) -> None:
    wanted = load_task(name)
    bindings = [node.get("binding", {}) for one in wanted.must for _, node in objects(one["node"])]
    for binding in (binding for binding in bindings if "path" in binding):
        value = wanted.api[binding["path"]]
        for step in filter(None, (binding.get("valuePath") or "").split(".")):
            value = value[step]


@pytest.mark.parametrize("name", task_names())
def test_every_check_fails_without_its_part(name: str) -> None:
    wanted = load_task(name)
    report = score(wanted, minimal_example())
    assert report.checks[0] == ("it is a valid RUI", True)
    assert not any(passed for what, passed in report.checks if what in {one["what"] for one in wanted.must})


def edited_support_queue() -> Json:
    """Return a solution of the task `edit-support-queue`."""
    document = solved("support-queue")
    page = document["pages"][0]
    page["title"] = "Open tickets"
    figures, tickets = page["children"]
    share = copy.deepcopy(figures["children"][0]) | {"id": "in-time", "label": "Answered in time (%)"}
    share["binding"]["valuePath"] = "inTimePercent"
    figures["children"].append(share)
    tickets["children"][0]["content"] = "Tickets older than two days are escalated."
    return document


@pytest.mark.parametrize("name", EDITING)
def test_the_start_of_an_editing_task_is_valid_and_lacks_the_work(name: str) -> None:
    wanted = load_task(name)
    checks = score(wanted, wanted.start).checks
    assert checks[0] == ("it is a valid RUI", True)
    assert ("the other nodes are as before", True) in checks
    assert not any(passed for what, passed in checks if what in {one["what"] for one in wanted.must})
    ids = {node["id"] for _, node in objects(wanted.start["pages"]) if "id" in node}
    assert {*wanted.changes} <= ids


def test_an_edit_keeps_the_other_nodes() -> None:
    wanted = load_task("edit-support-queue")
    document = edited_support_queue()
    assert score(wanted, document).is_perfect
    document["pages"][0]["children"][1]["children"][1]["columns"].pop()
    assert ("the other nodes are as before; queue-table differs or is absent", False) in score(wanted, document).checks
    del document["pages"][0]["children"][1]
    [lost] = [what for what, passed in score(wanted, document).checks if "as before" in what and not passed]
    assert lost.endswith("; tickets, queue-table differs or is absent")


def test_a_binding_that_leads_nowhere_counts() -> None:
    wanted = load_task("order-desk")
    document = solved("order-desk")
    for path, key in (("/api/nothing", "number"), ("/api/orders", "nothing")):
        changed = copy.deepcopy(document)
        table = next(block for section in changed["pages"][0]["children"] for block in section["children"]
                     if block.get("binding", {}).get("path") == "/api/orders")  # fmt: skip
        table["binding"]["path"] = path
        table["columns"].append({"key": key}) if key == "nothing" else None
        missing = [what for what, passed in score(wanted, changed).checks if not passed]
        assert any("shows rows with these columns" in what for what in missing), missing


@pytest.mark.parametrize(("pattern", "value", "expected"), [
    ({"a": 1}, {"a": 1, "b": 2}, True), ({"a": 1}, {"a": 2}, False), ({"a": None}, {}, True),
    ({"a": None}, {"a": 1}, False), ({"contains": "x"}, 5, False),
    ([1], [2, 1], True), ([1, 3], [2, 1], False), ({"contains": "EURO"}, "in euros", True),
    ([{"k": 1}], [{"k": 1, "l": 2}], True), ([], [], True), ([1], None, False),
])  # fmt: skip
def test_patterns(pattern: object, value: object, expected: bool) -> None:
    assert matches(pattern, value) is expected


@pytest.mark.parametrize("value", [None, [], {}, "x", {"version": "0.1"}])
def test_invalid_values_score_zero(value: object) -> None:
    report = score(load_task("order-desk"), value)
    assert (report.share, report.is_perfect) == (0, False)


def test_the_command_scores_a_stored_spec(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    spec = service.store(solved("order-desk"))
    assert main(["score", "order-desk", spec["specId"], "--service", service.url]) == 0
    assert capsys.readouterr().out.endswith("100%\n")
    other = service.store()
    assert main(["score", "order-desk", other["specId"], "--service", service.url]) == 1
    assert "NO  the customers" in capsys.readouterr().out
    unknown = "4be0643f-1d98-473b-97cd-ca98a65347dd"
    assert main(["score", "order-desk", unknown, "--service", service.url]) == 2
    assert unknown in capsys.readouterr().err


def test_the_command_prints_tasks_and_prompts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out.split() == task_names()
    assert main(["prompt", "ward-board", "--service", "https://rui.example.org"]) == 0
    output_text = capsys.readouterr().out
    assert load_task("ward-board").prompt in output_text
    assert "https://rui.example.org/llms.txt" in output_text
    assert "- GET /ward/beds" in output_text


def test_the_mock_api_responds_as_declared() -> None:
    wanted = load_task("energy-monitor")
    with ThreadingHTTPServer(("127.0.0.1", 0), mock_handler(wanted.api)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        for path, status, expected in (
            ("/energy/now?x=1", 200, {"power_kw": 81.2}),
            ("/x", 404, {"error": "not found"}),
        ):
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())) == (status, expected)
        connection.close()
        server.shutdown()


def post(address: str, path: str, document: Json) -> Json:
    """Send a RUI as an agent does and return the response."""
    request = Request(address + path, json.dumps(document).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as response:
        return json.load(response)


def test_a_recorded_transcript_runs_again(service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent edits a stored spec through the proxy: one faulty document, a valid one, which it stores."""
    wanted = load_task("edit-support-queue")
    start = Start("edit-support-queue", stored_start(wanted, service.url))
    file = tmp_path / "transcript.jsonl"
    with (
        file.open("w") as output,
        ThreadingHTTPServer(("127.0.0.1", 0), recording_handler(service.url, start, output)) as server,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        with urlopen(f"{address}/api/specs/{start.spec_id}") as response:
            assert json.load(response)["normalizedRui"] == wanted.start
        faulty = edited_support_queue() | {"version": "1"}
        assert post(address, "/api/validate", faulty)["valid"] is False
        stored = post(address, "/api/specs", edited_support_queue())
        server.shutdown()
    assert stored["url"].startswith(address)
    _, exchanges = read_transcript(file)
    effort = effort_of(exchanges)
    assert (effort.rounds, effort.requests) == (2, 3)
    assert effort.sent == sum(len(exchange.body) for exchange in exchanges)
    for _ in range(2):
        assert main(["replay", str(file), "--service", service.url]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1].startswith("200 POST /api/validate") and lines[1].endswith(", errors 1")
        assert lines[3].startswith("rounds 2, requests 3, sent ") and lines[-1] == "100%"


def test_the_prompt_of_an_editing_task_names_its_spec(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "edit-ward-board", "--service", service.url]) == 0
    [address] = re.findall(r"http\S+/api/specs/[0-9a-f-]{36}", capsys.readouterr().out)
    with urlopen(address) as response:
        assert json.load(response)["normalizedRui"] == load_task("edit-ward-board").start


@pytest.mark.parametrize("text", ["", "x", "[]", '{"task": "a"}', '{"task": "a", "spec_id": ""}\n{}'])
def test_what_is_no_transcript_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "transcript.jsonl"
    file.write_text(text)
    for path, words in ((file, "is no transcript"), (tmp_path / "none", "No such file")):
        assert main(["replay", str(path)]) == 2
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1


def test_a_transcript_is_not_overwritten(tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "transcript.jsonl"
    file.write_text("mine")
    assert main(["record", "order-desk", str(file), "--service", service.url]) == 2
    assert file.read_text() == "mine"
    assert capsys.readouterr().err.count("\n") == 1


def test_a_failed_check_names_the_difference() -> None:
    wanted = load_task("ward-board")
    document = solved("ward-board")
    document["navigation"]["items"].reverse()
    blocks = [block for page in document["pages"] for section in page["children"] for block in section["children"]]
    table = next(block for block in blocks if block.get("binding", {}).get("valuePath") == "rooms")
    table["columns"].append({"key": "colour"})
    metric = next(block for block in blocks if block["type"] == "Metric")
    metric["binding"]["valuePath"] = "rooms"
    missing = "\n".join(what for what, passed in score(wanted, document).checks if not passed)
    assert "; it opens Notices, Staff, Beds" in missing
    assert "; the rows have no colour" in missing
    assert "shows one value: /ward/beds → rooms; there is a list" in missing


def test_errors_of_an_invalid_rui_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.rui.json"
    for text, expected in (
        (json.dumps(minimal_example() | {"version": "1"}), "VERSION_MISMATCH at version. RUI version must be"),
        (json.dumps(minimal_example())[:-1] + ",}", "it is no JSON object at all"),
    ):
        file.write_text(text)
        assert main(["score", "order-desk", str(file)]) == 1
        assert expected in capsys.readouterr().out
    assert main(["score", "order-desk", str(tmp_path / "b.json")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_a_used_port_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["mock", "order-desk", "--port", str(taken.getsockname()[1])]) == 2
    assert "choose another one with --port" in capsys.readouterr().err
