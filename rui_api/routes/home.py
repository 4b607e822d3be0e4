"""The front page: what this is, and a box to check a document, look at it and store it, with or without script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from litestar import route

from rui_api.http.error_responses import storage_unavailable
from rui_api.http.form_data import read_form
from rui_api.http.request_body import InvalidBody
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import base_url
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest
from rui_api.routes.specs import SPECS, new_spec
from rui_api.store.base import StorageUnavailable
from rui_common.describe import full_example, minimal_example
from rui_common.describe.examples import broken_example
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.http_contract.docs_json import workflow
from rui_common.syntax.document import read
from rui_common.vocabulary.rules import RULES
from rui_inspector.html import pages as render
from rui_inspector.model.problems import displayed_diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.http.form_data import Form
    from rui_api.store.base import Store
    from rui_common.syntax.document import Document
    from rui_inspector.model.problems import DisplayedDiagnostic

OTHER_SITES = ("cross-site", "same-site")
"""Values of Sec-Fetch-Site: forms of other sites do not store anything here."""


FAULT = "R7b"
"""The rule that one of the examples breaks."""


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


EXAMPLES: dict[str, tuple[str, Callable[[], str]]] = {
    "minimal": ("The smallest there is", lambda: _pretty(minimal_example())),
    "full": ("One with everything", lambda: _pretty(full_example())),
    "wrong": ("One with a fault", lambda: _pretty(json.loads(broken_example(RULES[FAULT])))),
    "broken": ("One that is no JSON", lambda: _pretty(minimal_example()).replace('",\n', '"\n', 1)),
}
"""Documents to try, by the value of ``?example=``: what they are called, and their text. All of them are generated."""
VALID = ("minimal", "full")


@route("/", http_method=["GET", "HEAD", "POST"])
async def front(request: AnyRequest) -> Response:
    """The front page, and what its form sends: one handler, for the answer to OPTIONS knows no others of this path."""
    return await (_take_document(request) if request.method == "POST" else _show(request))


async def _show(request: AnyRequest) -> Response:
    """The front page; ``?example=`` fills the box with an example and says what is found in it, or shows it."""
    wanted = request.query_params.get("example", "")
    if wanted not in EXAMPLES:
        return pages.page(_page(request, ""))
    document = read(EXAMPLES[wanted][1]())
    if request.query_params.get("do") == "inspect":
        return pages.page(render.document_page(document, pages.host_of(request)))
    return pages.page(_page(request, document.text, displayed_diagnostics(document)))


async def _take_document(request: AnyRequest) -> Response:
    """Check a document that a form has sent, show it as a page, or store it."""
    try:
        form = await read_form(request.scope, request.receive)
    except InvalidBody as fault:
        headers = {"connection": "close"} if fault.unread else {}
        return pages.page(_page(request, "", note=fault.why), status=400, headers=headers)
    document = read(form.rui)
    problems = displayed_diagnostics(document) if form.rui.strip() else None
    if form.action == "inspect" and problems is not None:
        return pages.page(render.document_page(document, pages.host_of(request)))
    if form.action == "store" and problems is not None and not any(problem.is_error for problem in problems):
        return await _store(request, document, problems)
    note = "" if problems is not None else "There is nothing in the box yet."
    return pages.page(_page(request, document.text, problems, note=note, form=form))


async def _store(request: AnyRequest, document: Document, problems: Sequence[DisplayedDiagnostic]) -> Response:
    """Store a valid document and go to its page."""
    if request.headers.get("sec-fetch-site", "") in OTHER_SITES:
        return pages.page(_page(request, document.text, problems, note="Another site asked to store this; look first."))
    assert isinstance(document.value, dict)  # noqa: S101  it is valid
    spec = new_spec(to_json(normalize(document.value)), content_hash(document.value))
    store: Store = request.app.state.store
    try:
        await store.put(spec)
    except StorageUnavailable:
        note = "The store does not answer, so this is not stored. Try again in some seconds; it is still in the box."
        content = _page(request, document.text, problems, note=note)
        error = storage_unavailable(request.app.state.settings.retry_after)
        return pages.page(content, status=error.status, headers=error.headers, codes=error.codes)
    return Response(status=303, headers={"location": f"{pages.prefix_of(request)}/specs/{spec.spec_id}"})


def _page(
    request: AnyRequest, text: str, problems: Sequence[DisplayedDiagnostic] | None = None, *, note: str = "",
    form: Form | None = None,
) -> str:  # fmt: skip
    prefix = pages.prefix_of(request)
    return render.front_page(
        pages.host_of(request),
        _steps(base_url(request), prefix),
        text=text,
        problems=problems,
        note=note,
        examples=[(title, f"{prefix}/?example={name}#BOX") for name, (title, _) in EXAMPLES.items()],
        is_fragment=form is not None and not form.is_form,
    )


def _steps(address: str, prefix: str) -> list[render.WorkflowStep]:
    """The five steps of the loop (specification, section 1), each with something to try."""
    post = "curl {} -H 'Content-Type: application/json' --data-binary @app.rui.json"
    commands = ("", "", post.format(f"{address}/api/validate"), post.format(f"{address}{SPECS}"), "")
    links: tuple[list[tuple[str, str]], ...] = (
        [("The vocabulary", "/api/schema"), ("The documentation", "/api/docs"), ("For agents", "/llms.txt")],
        [(title, f"/?example={name}#BOX") for name, (title, _) in EXAMPLES.items() if name in VALID],
        [(title, f"/?example={name}#BOX") for name, (title, _) in EXAMPLES.items() if name not in VALID],
        [],
        [("What the page of a spec looks like", "/?example=full&do=inspect")],
    )
    return [
        render.WorkflowStep(
            str(step["does"]), str(step.get("request", "")), command, [(text, prefix + url) for text, url in to]
        )
        for step, command, to in zip(workflow(address), commands, links, strict=True)
    ]
