"""Slow work on a document delays no other request, and too much of it is refused."""

import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial

import httpx
import pytest
from markupsafe import escape

from rui_api import app as app_module
from rui_api import work_process, work_thread
from rui_api.config.options import Settings
from rui_api.http import bodies
from rui_common.describe import minimal_example
from rui_inspector.html import pages as render
from tests.inputs.sample import sample_text
from tests.rui_api.live import JSON, PATIENT, Service, patient_app, running, wait_until
from tests.support.tables import without_cross

LARGE = sample_text(40_000)
BROKEN = LARGE.replace(":", "", 1)
HOSTILE = "[" + '“>"children":[' * 380
HTML = {"Accept": "text/html"}

Send = Callable[[httpx.Client], httpx.Response]


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    playground = work_process.WorkProcess("test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_module, "WorkProcess", lambda _: playground)
        app = patient_app(Settings(store=f"sqlite:///{tmp_path_factory.mktemp('loop')}/rui.db"))
    with running(app) as service:
        service.playground = playground
        yield service


@contextmanager
def stopped_playground(service: Service, monkeypatch) -> Iterator[None]:
    """Stop the playground process, as if each text took it forever."""
    assert service.client.post("/", data={"rui": "{}"}).status_code == 200  # it runs
    monkeypatch.setattr(work_process, "MAX_SECONDS", 0.2)
    pid = service.playground.process.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        if service.playground.process.pid == pid:
            os.kill(pid, signal.SIGCONT)
        monkeypatch.setattr(work_process, "MAX_SECONDS", PATIENT)


def check_healthy(service: Service) -> None:
    assert service.client.get("/api/health").status_code == 200


def test_tasks_that_take_too_long_are_ended(service: Service, monkeypatch) -> None:
    first_id, second_id = (service.store()["specId"] for _ in range(2))
    sends = [
        partial(service.client.post, "/", data={"rui": HOSTILE, "do": action}, headers=HTML)
        for action in ("check", "inspect", "store")
    ]
    sends.append(partial(service.client.get, f"/specs/{first_id}/compare/{second_id}", headers=HTML))
    for send in sends:
        with stopped_playground(service, monkeypatch), ThreadPoolExecutor(1) as pool:
            sent = pool.submit(send)
            check_healthy(service)
            answer = sent.result()
        assert (answer.status_code, "takes too long" in answer.text) == (400, True)
        assert answer.request.method == "GET" or escape(HOSTILE) in answer.text
    assert sends[-1]().status_code == 200


@pytest.mark.parametrize(("action", "text"), without_cross(
    ["check", "inspect", "store", ""], [json.dumps(minimal_example()), "{", "<b>\xe9</b>\xff"]
))  # fmt: skip
def test_a_busy_playground_keeps_the_text_of_the_form(service: Service, monkeypatch, action: str, text: str) -> None:
    monkeypatch.setattr(work_process, "MAX_WAITING", 0)
    answer = service.client.post("/", data={"rui": text, "do": action})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert escape(text) in answer.text
    note = "The service is overloaded; try again soon. The text is still in the editor."
    assert note in answer.text
    assert ("The document is not stored." in answer.text) == (action == "store")


def test_requests_that_the_page_drops_leave_the_queue(service: Service, monkeypatch) -> None:
    """The page closes the connection of a check when there is a newer text."""
    begun, ended = [], []
    run = service.playground.run

    async def counted(task: Callable[[], bytes], client: str, **limits: object) -> bytes:
        begun.append(client)
        try:
            return await run(task, client, **limits)
        finally:
            ended.append(client)

    check = partial(service.client.post, "/playground/check", content=b"{}")
    with stopped_playground(service, monkeypatch), ThreadPoolExecutor(2) as pool:
        monkeypatch.setattr(work_process, "MAX_SECONDS", PATIENT)
        monkeypatch.setattr(service.playground, "run", counted)
        first = pool.submit(check)
        wait_until(lambda: len(begun) == 1, "the first request is in the queue")
        with ExitStack() as dropped:
            for _ in range(work_process.MAX_WAITING_OF_CLIENT):
                connection = dropped.enter_context(socket.create_connection(("127.0.0.1", service.port)))
                connection.sendall(b"POST /playground/check HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
            wait_until(lambda: len(begun) == 1 + work_process.MAX_WAITING_OF_CLIENT, "the queue is full")
            assert (check().status_code, ended) == (503, ended[:1])
        wait_until(lambda: len(ended) == 1 + work_process.MAX_WAITING_OF_CLIENT, "the dropped ones have left")
        sent = len(begun)
        second = pool.submit(check)
        wait_until(lambda: len(begun) == sent + 1, "the second request is in the queue, or refused")
        os.kill(service.playground.process.pid, signal.SIGCONT)
        assert [first.result().status_code, second.result().status_code] == [200, 200]


class Slow:
    """Work that ends when it is told to."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()

    def __call__(self, *_: object, **__: object) -> bool:
        self.begun.set()
        assert self.may_end.wait(PATIENT)
        return False


def slow_request(service: Service, monkeypatch, path: str, slow: Slow) -> Send:
    """Make the request to this path slow, and return a function that sends it."""
    if path != "/specs/":
        monkeypatch.setattr(bodies, "where_broken", lambda _: f"{slow()}")
        return lambda client: client.post(path, content=BROKEN, headers=JSON)
    monkeypatch.setattr(render, "spec_page", lambda *_, **__: f"<p>{slow()}")
    page = f"{path}{service.store(json.loads(LARGE))['specId']}"
    return lambda client: client.get(page, headers=HTML)


@pytest.mark.parametrize(("path", "status", "refusal"), [
    ("/api/validate", 400, "OVERLOADED"), ("/api/specs", 400, "OVERLOADED"),
    ("/specs/", 200, "The service is busy"),
])  # fmt: skip
def test_slow_requests_delay_no_other(service: Service, monkeypatch, path: str, status: int, refusal: str) -> None:
    slow = Slow()
    send = slow_request(service, monkeypatch, path, slow)
    monkeypatch.setattr(work_thread, "MAX_WAITING", 1)
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(send, service.client)
        try:
            assert slow.begun.wait(PATIENT)
            check_healthy(service)
            assert service.post("/api/validate", minimal_example()).json()["valid"]
            refused = send(service.client)
            assert (refused.status_code, refused.headers["retry-after"], refusal in refused.text) == (503, "1", True)
        finally:
            slow.may_end.set()
        assert sent.result().status_code == status
