"""The front page: an introduction, and a form to validate, show or store a document, with or without script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from litestar import route

from rui_api.http.error_responses import storage_unavailable
from rui_api.http.form_data import Form, read_form
from rui_api.http.request_body import InvalidBody
from rui_api.http.request_record import record_stored
from rui_api.http.responses import Response
from rui_api.http.urls import base_url
from rui_api.playground.tasks import DocumentPageTask, FrontPageTask, SpecTask
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest
from rui_api.routes.inspector import document_text, get_spec
from rui_api.routes.specs import SPECS, new_spec
from rui_api.routes.tasks import run_task
from rui_api.store.base import StorageUnavailable, Store, StoreFull
from rui_api.work_thread import WorkThread
from rui_common.describe import full_example, minimal_example
from rui_common.describe.examples import broken_example
from rui_common.http_contract.docs_json import workflow
from rui_common.syntax.document import read
from rui_common.vocabulary.rules import RULES
from rui_inspector.html import pages as render
from rui_inspector.html.reference_pages import rule_text
from rui_inspector.model.problems import DisplayedDiagnostic, displayed_diagnostics


class Example(NamedTuple):
    """A document that the form offers.

    Attributes:
        title: the text of its link.
        is_valid: whether the document is valid.
        create: returns its text.
    """

    title: str
    is_valid: bool
    create: Callable[[], str]


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _invalid_document() -> str:
    return _indented(json.loads(broken_example(RULES["R7b"])))


def _malformed_document() -> str:
    return _indented(minimal_example()).replace('",\n', '"\n', 1)


EXAMPLES = {
    "minimal": Example("A minimal document", True, lambda: _indented(minimal_example())),
    "full": Example("A document with everything", True, lambda: _indented(full_example())),
    "wrong": Example("A document with an error", False, _invalid_document),
    "broken": Example("A document that is not JSON", False, _malformed_document),
}
"""The examples by the value of ``?example=``."""


@route("/", http_method=["GET", "HEAD", "POST"])
async def home(request: AnyRequest) -> Response:
    """Send the front page, or handle its form. One handler, so that Litestar lists both methods for OPTIONS."""
    if request.method == "POST":
        return await pages.compressed(request, await _handle_form(request))
    copied_id = request.query_params.get("copy")
    if copied_id is not None:
        return await pages.compressed(request, await _copy(request, copied_id))
    return await pages.compressed(request, _show(request))


async def _copy(request: AnyRequest, spec_id: str) -> Response:
    """Return the front page with the document of a stored spec."""
    spec = await get_spec(request, spec_id)
    if isinstance(spec, Response):
        return spec
    thread: WorkThread = request.app.state.work_thread
    text = await thread.run_if_large(lambda: document_text(spec.rui), len(spec.rui))
    return pages.page(_render(request, text))


def _show(request: AnyRequest) -> Response:
    """Return the front page. ``?example=`` fills the form, ``&do=inspect`` shows the example instead."""
    text = _example_text(request.query_params.get("example", ""))
    if not text:
        return pages.page(_render(request, ""))
    document = read(text)
    if request.query_params.get("do") == "inspect":
        return pages.page(render.document_page(document, pages.host_of(request)))
    return pages.page(_render(request, document.text, displayed_diagnostics(document)))


def _example_text(name: str) -> str:
    """Return an example by its name, the faulty example of a rule by its number, or ``""``."""
    if name in EXAMPLES:
        return EXAMPLES[name].create()
    if name in RULES:
        return rule_text(RULES[name])
    return ""


async def _handle_form(request: AnyRequest) -> Response:
    try:
        form = await read_form(request.scope, request.receive, request.app.state.work_thread)
    except InvalidBody as error:
        headers = {"connection": "close"} if error.is_incomplete else {}
        return pages.page(_render(request, "", note=error.reason), status=400, headers=headers)
    if not form.rui.strip():
        note = "There is nothing in the editor yet."
        return pages.page(_render(request, form.rui.decode("utf-8", "replace"), note=note))
    if form.action == "inspect":
        return pages.page(await run_task(request, DocumentPageTask(form.rui, pages.host_of(request))))
    if form.action == "store":
        return await _store(request, form)
    return pages.page(await _checked(request, form))


async def _store(request: AnyRequest, form: Form) -> Response:
    """Store a valid document and redirect to its page."""
    hash_, _, rui = (await run_task(request, SpecTask(form.rui))).partition(b"\n")
    if not hash_:
        note = "The document is not stored, because it has errors. It is still in the editor."
        return pages.page(await _checked(request, form, note))
    spec = new_spec(rui, hash_.decode())
    store: Store = request.app.state.store
    try:
        await store.store(spec)
    except StorageUnavailable as unavailable:
        note = "The document is not stored, because the store does not respond. It is still in the editor. Try soon."
        if isinstance(unavailable, StoreFull):
            note = "The document is not stored, because the store is full. It is still in the editor; copy it."
        error = storage_unavailable()
        content = await _checked(request, form, note)
        return pages.page(content, status=error.status, headers=error.headers, codes=error.codes)
    record_stored(request.scope, spec)
    return Response(status=303, headers={"location": f"{pages.base_path(request)}/specs/{spec.spec_id}"})


async def _checked(request: AnyRequest, form: Form, note: str = "") -> bytes:
    """Return the front page with the document of a form and its diagnostics."""
    steps = _workflow_steps(base_url(request), pages.base_path(request))
    host = pages.host_of(request)
    task = FrontPageTask(form.rui, host, steps, _examples(request), note, EXAMPLES["full"].create())
    return await run_task(request, task)


def _render(
    request: AnyRequest, text: str, problems: Sequence[DisplayedDiagnostic] | None = None, *, note: str = ""
) -> str:
    return render.front_page(
        pages.host_of(request),
        _workflow_steps(base_url(request), pages.base_path(request)),
        text=text,
        problems=problems,
        note=note,
        examples=_examples(request),
        example=EXAMPLES["full"].create(),
    )


def _examples(request: AnyRequest) -> list[tuple[str, str]]:
    base_path = pages.base_path(request)
    return [(title, base_path + url) for title, url in _example_links()]


def _example_links(*, is_valid: bool | None = None) -> list[tuple[str, str]]:
    return [
        (example.title, f"/?example={name}#BOX")
        for name, example in EXAMPLES.items()
        if is_valid is None or example.is_valid is is_valid
    ]


def _workflow_steps(url: str, base_path: str) -> list[render.WorkflowStep]:
    """Return the five steps of the workflow (specification, section 1) with commands and links."""
    post = "curl {} -H 'Content-Type: application/json' --data-binary @app.rui.json"
    commands = ("", "", post.format(f"{url}/api/validate"), post.format(f"{url}{SPECS}"), "")
    links: tuple[list[tuple[str, str]], ...] = (
        [
            ("The vocabulary", f"{pages.DOCS}/vocabulary"),
            ("The documentation", pages.DOCS),
            ("As JSON", "/api/schema"),
            ("For agents", "/llms.txt"),
        ],
        _example_links(is_valid=True),
        _example_links(is_valid=False),
        [],
        [("An example of a spec's page", "/?example=full&do=inspect")],
    )
    steps = []
    for step, command, step_links in zip(workflow(url), commands, links, strict=True):
        targets = [(text, base_path + path) for text, path in step_links]
        steps.append(render.WorkflowStep(str(step["does"]), str(step.get("request", "")), command, targets))
    return steps
