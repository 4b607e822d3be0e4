"""The requests of the editor on the front page."""

import asyncio
import json
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from subprocess import Popen

import pytest

from rui_api.http.form_data import MAX_FORM_BYTES
from rui_api.playground import child_process
from rui_api.playground import worker as workers
from rui_api.playground.tasks import EditorTask
from rui_api.playground.worker import PlaygroundWorker, TaskFailedError, TaskTimeoutError
from rui_api.routes.tasks import client_of
from rui_api.work_thread import OverloadedError
from rui_common.describe import minimal_example
from rui_inspector.html.playground import ACTIONS
from tests.rui_api.live import Service

VALID = json.dumps(minimal_example(), indent=2)
WRONG = VALID.replace('"0.1"', '"0.2"')
CHECK = EditorTask("check", VALID, (0, 0), (0, 0))


def ask(service: Service, action: str, text: str = VALID, query: str = "", **headers: str):
    return service.client.post(f"/playground/{action}{query}", content=text.encode(), headers=headers)


def test_a_check(service: Service) -> None:
    answer = ask(service, "check", WRONG).json()
    [diagnostic] = answer["diagnostics"]
    assert (diagnostic["code"], diagnostic["range"], diagnostic["isError"]) == (
        "VERSION_MISMATCH",
        [1, 13, 1, 18],
        True,
    )
    assert (answer["errors"], answer["warnings"]) == (1, 0)
    assert "VERSION_MISMATCH" in answer["tabs"]
    assert ask(service, "check").json()["errors"] == 0


def nothing_drawn(service: Service, text: str) -> str:
    """Return the message in the tab of the wireframe."""
    tabs = ask(service, "check", text).json()["tabs"]
    return tabs.split('data-tab="wireframe"')[1].split('<p class="nothing">')[1].split("</p>")[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The pages appear here as you write them."),
        ('{"version": "0.1"', "The pages appear here as you write them."),
        ("Dear diary,\ntoday", "This text is not JSON"),
        ("[1]", "The root of a RUI is an object, not an array."),
    ],
)
def test_a_wireframe_without_pages_has_a_reason(service: Service, text: str, message: str) -> None:
    assert nothing_drawn(service, text) == message


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("text", ["", " ", "[]", "{", '{"a": ', "\ufeff{}", '{"𝒳": 1}', VALID, "nul\0l", "[" * 5000])
def test_every_action_answers_every_text(service: Service, action: str, text: str) -> None:
    for query in ("", "?from=0:1", "?from=2:3&to=0:1", "?from=9999999:9999999"):
        assert ask(service, action, text, query).status_code == 200


def test_fixes_and_formatting(service: Service) -> None:
    fixes = ask(service, "fixes", WRONG, "?from=1:14").json()["fixes"]
    assert fixes[0]["edits"] == [{"range": [1, 14, 1, 17], "text": "0.1"}] or fixes[0]["edits"][0]["text"] in (
        '"0.1"',
        "1",
    )
    assert ask(service, "fix-all", WRONG.replace("meta", "metta")).json()["fixed"] == 2
    assert ask(service, "format", '{"a": 1').json()["at"] == [0, 7]
    assert ask(service, "format", "[]").json()["reason"] == "The root is not an object"


def test_positions_are_utf_16(service: Service) -> None:
    [first, *_] = ask(service, "check", '{"𝒳𝒳": 1, "version": "0.2"}').json()["diagnostics"]
    ranges = [one["range"] for one in ask(service, "check", '{"𝒳𝒳": 1, "version": "0.2"}').json()["diagnostics"]]
    assert first["isError"]
    assert [0, 23, 0, 28] in ranges
    assert [0, 1, 0, 7] in ranges


@pytest.mark.parametrize(("query", "status"), [
    ("?from=1", 400), ("?from=a:b", 400), ("?from=1:1&to=x", 400), ("?from=99999999:1", 400), ("?from=-1:0", 400),
])  # fmt: skip
def test_bad_positions(service: Service, query: str, status: int) -> None:
    assert ask(service, "check", query=query).status_code == status


def test_other_requests_are_refused(service: Service) -> None:
    assert ask(service, "nothing").status_code == 404
    assert service.client.get("/playground/check").status_code == 405
    too_long = ask(service, "check", " " * (MAX_FORM_BYTES + 1))
    assert too_long.status_code == 400
    assert "longer than" in too_long.json()["errors"][0]["hint"]


def test_invalid_utf_8_is_answered(service: Service) -> None:
    assert service.client.post("/playground/check", content=b'{"\xff": 1}').status_code == 200


def faulty(pages: int) -> str:
    """Return a text with several safe fixes a page."""
    page = (
        '{"id": "P #", "type": "Page", "titel": "x", "children": [{"id": "S #", "type": "Section", '
        '"direction": "Row", "children": [{"id": "T", "type": "Text", "text": 5}]}]}'
    )
    return f'{{"pages": [{", ".join(page.replace("#", str(number)) for number in range(pages))}]}}'


HARD = faulty(200)
HARDEST = faulty(1200)
"""Texts whose safe fixes take a quarter of a second, and a second."""


def test_the_api_answers_while_the_playground_works(service: Service) -> None:
    with ThreadPoolExecutor(3) as pool:
        busy = [pool.submit(ask, service, "fix-all", HARD) for _ in range(3)]
        for _ in range(20):
            assert service.post("/api/validate", minimal_example()).status_code == 200
        assert [one.result().status_code for one in busy] == [200, 200, 200]


def test_a_newer_request_of_a_tab_supersedes_the_last(service: Service) -> None:
    ask(service, "check")
    with ThreadPoolExecutor(6) as pool:
        answers = []
        for text in [*[HARDEST] * 5, HARD]:
            answers.append(pool.submit(ask, service, "fix-all", text, "?tab=a"))
            time.sleep(0.3)
        other = pool.submit(ask, service, "check", VALID, "?tab=b")
        statuses = [one.result().status_code for one in answers]
        assert statuses == [204] * 5 + [200]
        assert other.result().status_code == 200


def test_a_check_supersedes_edits_of_its_tab(service: Service) -> None:
    ask(service, "check")
    with ThreadPoolExecutor(2) as pool:
        fixing = pool.submit(ask, service, "fix-all", HARDEST, "?tab=a")
        time.sleep(0.2)
        assert ask(service, "check", VALID, "?tab=a").status_code == 200
        assert fixing.result().status_code == 204


def test_the_answer_to_a_text_with_thousands_of_faults_is_short(service: Service) -> None:
    text = json.dumps({"pages": [{"id": f"p{n}", "ids": n} for n in range(8000)]})
    answer = ask(service, "check", text)
    assert answer.status_code == 200
    assert answer.json()["isTruncated"]
    assert len(answer.json()["diagnostics"]) < 600


# The process --------------------------------------------------------------------------------------------------------


def process_of(worker: PlaygroundWorker) -> Popen[bytes]:
    process = worker._child._process
    assert process is not None
    return process


def test_the_process_starts_again_after_its_end() -> None:
    async def main() -> None:
        worker = PlaygroundWorker()
        await worker.run(CHECK, "")
        process = process_of(worker)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert json.loads(await worker.run(CHECK, ""))["errors"] == 0
        await worker.close()
        assert worker._child._process is None

    asyncio.run(main())


def test_a_failed_task() -> None:
    async def main() -> None:
        worker = PlaygroundWorker()
        with pytest.raises(TaskFailedError):
            await worker.run(CHECK._replace(action="unknown"), "")
        assert json.loads(await worker.run(CHECK, ""))["errors"] == 0
        await worker.close()

    asyncio.run(main())


def test_a_task_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        worker = PlaygroundWorker()
        await worker.run(CHECK, "")
        process = process_of(worker)
        monkeypatch.setattr(workers, "MAX_SECONDS", 0.2)
        monkeypatch.setattr(workers, "GRACE", 0.1)
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(TaskTimeoutError):
            await worker.run(CHECK, "")
        assert process.poll() is not None
        monkeypatch.setattr(workers, "MAX_SECONDS", 20)
        await worker.run(CHECK, "")
        running = process_of(worker)
        os.kill(running.pid, signal.SIGSTOP)
        task = asyncio.create_task(worker.run(CHECK, ""))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert running.poll() is not None
        await worker.close()

    asyncio.run(main())


def test_waiting_tasks_are_limited_and_leave_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(workers, "MAX_WAITING", 2)
        worker = PlaygroundWorker()
        tasks = [asyncio.create_task(worker.run(CHECK, "")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError):
            await worker.run(CHECK, "")
        tasks[1].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in results] == [bytes, asyncio.CancelledError, bytes]
        await worker.close()

    asyncio.run(main())


class Recorder:
    """A process that records the texts of its tasks."""

    def __init__(self) -> None:
        self.texts = ""

    def exchange(self, message: bytes) -> bytes:
        self.texts += pickle.loads(message).text
        return b"{}"

    def start(self) -> None:
        pass

    def kill(self) -> None:
        pass


class SlowStart(Recorder):
    """A process that is ready when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.is_killed = False

    def start(self) -> None:
        self.begun.set()
        assert self.may_end.wait(20)

    def kill(self) -> None:
        self.is_killed = True


def test_a_slow_start_does_not_count_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client of the first task leaves during the start; the second task needs it."""

    async def main() -> None:
        monkeypatch.setattr(workers, "GRACE", 0.01)
        worker = PlaygroundWorker()
        worker._child = child = SlowStart()
        first = asyncio.create_task(worker.run(CHECK, "a"))
        await asyncio.to_thread(child.begun.wait, 20)
        first.cancel()
        await asyncio.wait({first})
        second = asyncio.create_task(worker.run(CHECK, "b"))
        await asyncio.sleep(0)
        assert first.cancelled() and not child.is_killed
        child.may_end.set()
        assert await second == b"{}"
        await worker.close()

    asyncio.run(main())


@pytest.mark.parametrize(("clients", "order"), [
    ("aab", "aba"), ("aaabbbc", "abcabab"), ("abab", "abab"), ("aaaa", "aaaa"),
])  # fmt: skip
def test_clients_have_turns(monkeypatch: pytest.MonkeyPatch, clients: str, order: str) -> None:
    """The text of each task is the name of its client."""
    monkeypatch.setattr(workers, "MIN_COUNTED", 60_000)  # all count the same

    async def main() -> None:
        worker = PlaygroundWorker()
        worker._child = recorder = Recorder()
        await asyncio.gather(*(worker.run(CHECK._replace(text=client), client) for client in clients))
        await worker.close()
        assert recorder.texts == order

    asyncio.run(main())


def test_a_client_that_used_the_process_waits_behind_one_that_has_not() -> None:
    async def main() -> None:
        worker = PlaygroundWorker()
        worker._child = recorder = Recorder()
        await worker.run(CHECK._replace(text="b"), "b")
        await asyncio.gather(*(worker.run(CHECK._replace(text=client), client) for client in "abc"))
        await worker.close()
        assert recorder.texts == "bacb"

    asyncio.run(main())


def test_use_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(workers, "WINDOW", -1.0)
        worker = PlaygroundWorker()
        worker._child = Recorder()
        await asyncio.gather(*(worker.run(CHECK, client) for client in "abc"))
        await worker.close()
        assert not worker._used

    asyncio.run(main())


@pytest.mark.parametrize(("address", "client"), [
    (("192.0.2.1", 1), "192.0.2.1"), (("2001:db8::1", 1), "2001:db8::/64"), (("2001:db8::2", 1), "2001:db8::/64"),
    (("2001:db8:0:1::2", 1), "2001:db8:0:1::/64"), (("::ffff:192.0.2.1", 1), "::ffff:192.0.2.1"), (None, ""),
    (("unknown", 0), "unknown"),
])  # fmt: skip
def test_the_client_of_a_request(address: tuple[str, int] | None, client: str) -> None:
    assert client_of({"client": address}) == client


def test_a_process_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(child_process, "_COMMAND", ("/nowhere",))
        worker = PlaygroundWorker()
        with pytest.raises(OverloadedError):
            await worker.run(CHECK, "")
        await worker.close()

    asyncio.run(main())
