"""The front page: an introduction, and a form to validate, show or store a document, with or without script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from litestar import route

from rui_api.http.error_responses import storage_unavailable
from rui_api.http.form_data import read_form
from rui_api.http.request_body import InvalidBody
from rui_api.http.request_record import record_stored
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import base_url
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest
from rui_api.routes.inspector import get_spec
from rui_api.routes.specs import SPECS, new_spec
from rui_api.store.base import StorageUnavailable, StoreFull
from rui_common.describe import full_example, minimal_example
from rui_common.describe.examples import broken_example
from rui_common.editing.formatter import format_document
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.http_contract.docs_json import workflow
from rui_common.syntax.document import read
from rui_common.vocabulary.rules import RULES
from rui_inspector.html import pages as render
from rui_inspector.model.problems import displayed_diagnostics
from rui_inspector.model.reference import rule_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.http.form_data import Form
    from rui_api.store.base import Store
    from rui_common.syntax.document import Document
    from rui_inspector.model.problems import DisplayedDiagnostic

OTHER_SITES = ("cross-site", "same-site")
"""Values of Sec-Fetch-Site: forms of other sites may not store documents."""


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
        return pages.compressed_page(request, await _handle_form(request))
    copied_id = request.query_params.get("copy")
    if copied_id is not None:
        return pages.compressed_page(request, await _copy(request, copied_id))
    return pages.compressed_page(request, _show(request))


async def _copy(request: AnyRequest, spec_id: str) -> Response:
    """Return the front page with the document of a stored spec."""
    spec = await get_spec(request, spec_id)
    if isinstance(spec, Response):
        return spec
    return pages.page(_render(request, format_document(read(spec.rui))))


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
        form = await read_form(request.scope, request.receive)
    except InvalidBody as error:
        headers = {"connection": "close"} if error.is_incomplete else {}
        return pages.page(_render(request, "", note=error.reason), status=400, headers=headers)
    document = read(form.rui)
    if not form.rui.strip():
        return pages.page(_render(request, document.text, note="There is nothing in the box yet.", form=form))
    if form.action == "inspect":
        return pages.page(render.document_page(document, pages.host_of(request)))
    problems = displayed_diagnostics(document)
    if form.action == "store" and not any(problem.is_error for problem in problems):
        return await _store(request, document, problems)
    note = ""
    if form.action == "store":
        note = "The document is not stored, because it has errors. It is still in the box."
    return pages.page(_render(request, document.text, problems, note=note, form=form))


async def _store(request: AnyRequest, document: Document, problems: Sequence[DisplayedDiagnostic]) -> Response:
    """Store a valid document and redirect to its page."""
    if request.headers.get("sec-fetch-site", "") in OTHER_SITES:
        note = "Another site sent this document. Read it before you store it."
        return pages.page(_render(request, document.text, problems, note=note))
    assert isinstance(document.value, dict)  # noqa: S101  it is valid
    spec = new_spec(to_json(normalize(document.value)), content_hash(document.value))
    store: Store = request.app.state.store
    try:
        await store.put(spec)
    except StorageUnavailable as unavailable:
        note = "The document is not stored, because the store does not respond. It is still in the box; try again soon."
        if isinstance(unavailable, StoreFull):
            note = "The document is not stored, because the store is full. It is still in the box; copy or download it."
        content = _render(request, document.text, problems, note=note)
        error = storage_unavailable(request.app.state.settings.retry_after)
        return pages.page(content, status=error.status, headers=error.headers, codes=error.codes)
    record_stored(request.scope, spec)
    return Response(status=303, headers={"location": f"{pages.base_path(request)}/specs/{spec.spec_id}"})


def _render(
    request: AnyRequest, text: str, problems: Sequence[DisplayedDiagnostic] | None = None, *, note: str = "",
    form: Form | None = None,
) -> str:  # fmt: skip
    base_path = pages.base_path(request)
    return render.front_page(
        pages.host_of(request),
        _workflow_steps(base_url(request), base_path),
        text=text,
        problems=problems,
        note=note,
        examples=[(title, base_path + url) for title, url in _example_links()],
        is_fragment=form is not None and not form.is_form,
    )


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
