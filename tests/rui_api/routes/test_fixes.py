"""Fixes on request: `POST /api/validate?fix=true` (docs/decisions.md, section 3)."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from rui_api.contract.bodies import FIX_SKIPPED
from rui_api.contract.errors import OVERLOADED
from rui_api.http.errors import ServiceError
from rui_api.routes import tasks
from rui_api.work_process import WorkProcess
from rui_common import fix
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_ERRORS
from tests.inputs.sample import sample_text
from tests.rui_api.live import PATIENT, Service

FIX = "/api/validate?fix=true"
EXAMPLES = Path(__file__).parents[3] / "examples"
DOCUMENT = minimal_example()
TEXT = json.dumps(DOCUMENT)
RENAMED = TEXT.replace('"title": "Orders"', '"titel": "Orders"')
UNFIXABLE = json.dumps({**DOCUMENT, "version": 1})


@pytest.mark.parametrize(
    "body", [RENAMED, f"```json\n{TEXT}\n```", TEXT[:-1] + ",}", TEXT.replace('"', "'"), "\ufeff" + RENAMED]
)
def test_what_is_fixed_can_be_sent_on(service: Service, body: str) -> None:
    plain = service.post("/api/validate", body.encode())
    answer = service.post(FIX, body.encode())
    assert answer.status_code == plain.status_code
    assert answer.content.startswith(plain.content[:-1])
    fixed = answer.json()["fixed"]
    assert list(fixed) == ["rui", "applied", "errors"]
    assert (fixed["rui"], fixed["errors"]) == (DOCUMENT, [])
    assert fixed["applied"]
    assert service.post("/api/validate", fixed["rui"]).json()["valid"] is True


def test_errors_that_remain_are_those_of_the_fixed_document(service: Service) -> None:
    draft = (EXAMPLES / "first-draft.rui.json").read_bytes()
    fixed = service.post(FIX, draft).json()["fixed"]
    again = service.post("/api/validate", fixed["rui"]).json()
    assert fixed["errors"] == again["errors"]
    assert [(applied_fix["path"], applied_fix["code"], applied_fix["title"]) for applied_fix in fixed["applied"]] == [
        *map(tuple, fix(draft).applied)
    ]


@pytest.mark.parametrize("body", [
    TEXT, UNFIXABLE, "{", "[]", "hello", '{"a": "\\ud800"}', "# Notes\n\nA [link](design.md) and {braces}.",
])  # fmt: skip
def test_without_a_safe_fix_the_answer_is_the_same(service: Service, body: str) -> None:
    plain, answer = (service.post(path, body.encode()) for path in ("/api/validate", FIX))
    assert (answer.status_code, answer.content) == (plain.status_code, plain.content)


@pytest.mark.parametrize(("body", "headers"), [
    (b"", {}), (RENAMED.encode(), {"Content-Type": "text/plain"}), (RENAMED.encode("utf-16"), {}),
    (RENAMED.encode() + b" \xff", {}), (RENAMED.encode() + b" " * 262_144, {}),
])  # fmt: skip
def test_a_body_that_cannot_be_read_is_not_fixed(service: Service, body: bytes, headers: dict[str, str]) -> None:
    plain, answer = (service.post(path, body, **headers) for path in ("/api/validate", FIX))
    assert (answer.status_code, answer.content) == (400, plain.content)


@pytest.mark.parametrize("path", ["/api/validate", "/api/validate?fix=false", "/api/specs", "/api/specs?fix=true"])
def test_nobody_else_gets_fixes(service: Service, path: str) -> None:
    answer = service.post(path, RENAMED.encode())
    assert "fixed" not in answer.json()
    assert answer.json()["valid"] is False


@pytest.mark.parametrize("query", ["fix=", "fix=1", "fix=True", "fix=true&fix=true"])
def test_another_value_is_refused(service: Service, query: str) -> None:
    answer = service.post(f"/api/validate?{query}", DOCUMENT)
    assert (answer.status_code, answer.json()["error"]) == (400, "BAD_REQUEST")


def test_both_lists_are_limited(service: Service) -> None:
    """Each of these pages has an error with a safe fix, and two without."""
    pages = [{"id": f"p{number}", "type": "Page", "titel": "A", "children": []} for number in range(MAX_ERRORS + 1)]
    fixed = service.post(FIX, {**DOCUMENT, "pages": pages}).json()["fixed"]
    assert [page["title"] for page in fixed["rui"]["pages"]] == ["A"] * len(pages)
    assert (len(fixed["applied"]), len(fixed["errors"])) == (MAX_ERRORS, MAX_ERRORS)


def test_without_time_the_answer_says_so(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixes of so many errors take a hundred times as long as they may."""
    body = sample_text(200_000).replace('"label"', '"lable"').replace('"title"', '"titel"').encode()
    plain = service.post("/api/validate", body)
    monkeypatch.setattr(tasks, "MAX_EXTRA_SECONDS", 0.001)
    assert service.post(FIX, body).json() == {**plain.json(), "fixSkipped": FIX_SKIPPED}
    monkeypatch.setattr(tasks, "MAX_EXTRA_SECONDS", PATIENT)
    assert service.post(FIX, RENAMED.encode()).json()["fixed"]["rui"] == DOCUMENT


def test_a_task_waits_no_longer_than_it_may() -> None:
    async def scenario() -> None:
        process = WorkProcess("test")
        forever = asyncio.get_running_loop().create_future()

        async def run(_: object) -> object:
            return await forever

        process._run = run  # type: ignore[method-assign]
        first = asyncio.create_task(process.run(partial(bool), "a", max_wait_seconds=0.01))
        await asyncio.sleep(0)
        with pytest.raises(ServiceError, match=OVERLOADED.code):
            await process.run(partial(bool), "b", max_wait_seconds=0.01)
        forever.set_result(True)
        assert await first
        process.close()

    asyncio.run(scenario())
