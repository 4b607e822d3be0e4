"""The tasks for agents and their scorer."""

import copy
import http.client
import json
import socket
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from eval import api_transcripts
from eval.__main__ import main, mock_handler
from eval.scoring import Task, load_task, matches, score, task_names
from rui_common.describe import minimal_example
from rui_openapi.description.api import read_api
from tests.rui_api.live import Service

Json = dict[str, object]


class Builder:
    """Builds a document from the patterns of a task; it scores 100 %."""

    def __init__(self, wanted: Task) -> None:
        self.wanted = wanted
        self.count = 0

    def node(self, pattern: Json) -> Json:
        self.count += 1
        node = {"id": f"node-{self.count}", **self.filled(pattern)}
        if node["type"] == "Metric":
            node |= {"label": "Label"}
        if node["type"] == "Table":
            node.setdefault("columns", [{"key": key} for key in [node.get("filter", {}).get("field")] if key])
            if not node["columns"]:
                node["columns"] = [{"key": next(iter(self.rows(node["binding"])[0]))}]
        return node

    def filled(self, pattern: Json) -> Json:
        node = {}
        for name, part in pattern.items():
            if part is None:
                continue
            if isinstance(part, dict) and "contains" in part:
                node[name] = f"So we {part['contains']} it."
            elif name == "binding":
                node[name] = {"type": "read", "method": "GET", **self.binding(part)}
            else:
                node[name] = part
        return node

    def binding(self, part: Json) -> Json:
        given = {name: value for name, value in part.items() if value is not None}
        if "path" not in given:  # another pattern of the task contains it completely
            whole = [one["node"].get("binding", {}) for one in self.wanted.must]
            given = next(other for other in whole if other.get("valuePath") == given["valuePath"])
        return given

    def rows(self, binding: Json) -> list[Json]:
        value = self.wanted.api[binding["path"]]
        for name in binding.get("valuePath", "").split(".") if "valuePath" in binding else ():
            value = value[name]
        return value

    def section(self, pattern: Json) -> Json:
        self.count += 1
        return {"id": f"section-{self.count}", "type": "Section", "direction": pattern.get("direction", "stack"),
                "children": [self.block(child) for child in pattern["children"]]}  # fmt: skip

    def block(self, pattern: Json) -> Json:
        if pattern["type"] == "Table" and "binding" not in pattern:
            whole = [one["node"] for one in self.wanted.must if one["node"].get("type") == "Table"]
            pattern = {**next(other for other in whole if "binding" in other), **pattern}
            pattern["columns"] = [*pattern.get("columns", []), {"key": pattern["filter"]["field"]}]
            pattern["columns"] = [
                one for at, one in enumerate(pattern["columns"]) if one not in pattern["columns"][:at]
            ]
        made = self.node({"content": "Words.", **pattern} if pattern["type"] == "Text" else pattern)
        if "filter" in made and made["filter"]["field"] not in [column["key"] for column in made["columns"]]:
            made["columns"] = [*made["columns"], {"key": made["filter"]["field"]}]
        return made

    def document(self) -> Json:
        titles = self.wanted.navigation or [f"Page {number}" for number in range(1, self.wanted.pages + 1)]
        pages = [{"id": f"page-{n}", "type": "Page", "title": t, "children": []} for n, t in enumerate(titles, 1)]
        for one in self.wanted.must:
            pattern = one["node"]
            if pattern["type"] == "Page":
                page = next((page for page in pages if page["title"] == pattern.get("title")), pages[-1])
                page["children"] += [self.section(section) for section in pattern["children"]]
            elif pattern["type"] == "Section":
                pages[0]["children"].append(self.section(pattern))
            else:
                pages[0]["children"].append(self.section({"children": [pattern]}))
        for page in pages:
            if not page["children"]:
                page["children"].append(self.section({"children": [{"type": "Text"}]}))
        items = [{"pageId": page["id"]} for page in pages]
        return {"version": "0.1", "meta": {}, "navigation": {"items": items}, "pages": pages}


@pytest.mark.parametrize("name", task_names())
def test_a_document_from_all_patterns_is_perfect(name: str) -> None:
    wanted = load_task(name)
    report = score(wanted, Builder(wanted).document())
    assert report.is_perfect, report.text()
    assert report.share == 1


@pytest.mark.parametrize("name", task_names())
def test_every_check_fails_without_its_part(name: str) -> None:
    wanted = load_task(name)
    report = score(wanted, minimal_example())
    assert report.checks[0] == ("it is a valid RUI", True)
    assert not any(passed for what, passed in report.checks if what in {one["what"] for one in wanted.must})


def test_a_binding_that_leads_nowhere_counts() -> None:
    wanted = load_task("order-desk")
    document = Builder(wanted).document()
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
    wanted = load_task("library-desk")
    spec = service.store(Builder(wanted).document())
    assert main(["score", "library-desk", spec["specId"], "--service", service.url]) == 0
    assert capsys.readouterr().out.endswith("100%\n")
    other = service.store()
    assert main(["score", "library-desk", other["specId"], "--service", service.url]) == 1
    assert "NO  the overdue loans" in capsys.readouterr().out
    unknown = "4be0643f-1d98-473b-97cd-ca98a65347dd"
    assert main(["score", "library-desk", unknown, "--service", service.url]) == 2
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


def test_a_failed_check_names_the_difference() -> None:
    wanted = load_task("ward-board")
    document = Builder(wanted).document()
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


def test_an_agent_needs_few_runs_for_bindings_that_all_exist() -> None:
    """The documents are checked again: each has differences but the last, which comes after three runs at most."""
    api = read_api(str(api_transcripts.DESCRIPTION))
    assert len(api.readable()) > 400
    assert len(api_transcripts.names()) == 3
    for name in api_transcripts.names():
        done = api_transcripts.runs(name, api)
        assert api_transcripts.is_within_limit(done), name
        transcript = api_transcripts.FOLDER / name / "transcript.md"
        assert transcript.read_text() == api_transcripts.markdown(name, done)


def test_the_command_that_writes_api_transcripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert api_transcripts.main(["runner-fleet"]) == 0
    assert capsys.readouterr().out.split() == ["runner-fleet", "2", "runs,", "5,", "0", "differences"]
    assert api_transcripts.main(["fleet"]) == 2
    assert "known: repository-health, runner-fleet, security-desk" in capsys.readouterr().err
