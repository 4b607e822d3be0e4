"""The front page: an introduction, and a form to validate, show or store a document, with or without script.

`answer_playground` belongs to its script, and is no part of the API. The body is the text of the editor;
``?from=LINE:CHARACTER&to=LINE:CHARACTER`` is its selection. The page drops requests that a newer text makes useless.
"""

import re
from collections.abc import Callable
from functools import cache, partial

from litestar import HttpMethod, Response, post, route
from litestar.params import FromPath
from litestar.response import Redirect

from rui_api.contract.docs_json import workflow
from rui_api.contract.endpoints import JSON
from rui_api.contract.errors import BAD_REQUEST, NOT_FOUND
from rui_api.http.bodies import Form, decoded, read_form, receive_body
from rui_api.http.errors import InvalidBody, ServiceError
from rui_api.http.limits import MAX_FORM_BYTES
from rui_api.http.requests import GET, HttpRequest
from rui_api.http.responses import CODES
from rui_api.playground import answers
from rui_api.routes.dependencies import Injected, Services, Site
from rui_api.routes.html import host_of, page
from rui_api.routes.inspector import PATH, document_text, new_version_text
from rui_api.routes.specs import fetch_spec, new_spec, store_spec
from rui_api.routes.tasks import run_task
from rui_common.describe.examples import new_document_text
from rui_common.vocabulary.rules import RULES
from rui_inspector.html.pages import document_page, front_page
from rui_inspector.html.reference_pages import example_text

PLAYGROUND = "/playground/"
_POSITION = re.compile(r"(\d{1,7}):(\d{1,7})")
EXAMPLES = {
    "minimal": "A minimal document",
    "full": "A document with everything",
    "wrong": "A document with an error",
    "broken": "A document that is not JSON",
}
"""The titles of the examples by the value of ``?example=``."""


@route("/", http_method=[*GET, HttpMethod.POST])
async def home(request: HttpRequest, services: Injected[Services], site: Injected[Site]) -> Response[bytes] | Redirect:
    """Send the front page, or handle its form. One handler, so that Litestar lists both methods for OPTIONS.

    ``?version-of=`` fills the form with a new version of a stored spec, ``?copy=`` with its document, ``?example=``
    with an example. ``&do=inspect`` shows the example instead.
    """
    if request.method == "POST":
        return await _handle_form(request, services, site)
    parameters = request.query_params
    for name, create_text in (("version-of", new_version_text), ("copy", document_text)):
        if name in parameters:
            spec = await fetch_spec(services.store, parameters[name])
            text = await services.work_thread.run_if_large(partial(create_text, spec), len(spec.rui))
            return page(_front_page(site, text, is_new_version=name == "version-of")())
    document = _examples().get(parameters.get("example", ""), "")
    if document and parameters.get("do") == "inspect":
        return page(document_page(document, host_of(site)))
    return page(_front_page(site, document, is_checked=bool(document))())


@cache
def _examples() -> dict[str, str]:
    """Return the texts of `EXAMPLES` by their names, and the faulty example of each rule by its number."""
    minimal = new_document_text()
    texts = {"minimal": minimal, "full": new_document_text(full=True), "broken": minimal.replace('",\n', '"\n', 1)}
    faulty = {number: example_text(rule) for number, rule in RULES.items()}
    return {**texts, **faulty, "wrong": faulty["R7b"]}


async def _handle_form(request: HttpRequest, services: Services, site: Site) -> Response[bytes] | Redirect:
    """Validate, show or store the document in the form of the front page."""
    try:
        form = await read_form(request)
    except InvalidBody as error:
        return page(_front_page(site, note=error.cause)(), status=error.status, headers=error.headers)
    rui, box, action = form
    if not rui.strip():
        return page(_front_page(site, note="There is nothing in the editor yet.")())
    try:
        if action == "inspect":
            return page(await run_task(request, services.playground, partial(document_page, rui, host_of(site))))
        if action == "store":
            return await _store(request, services, site, form)
        return page(await run_task(request, services.playground, _front_page(site, rui, box=box, is_checked=True)))
    except ServiceError as error:
        note = f"{error.cause} The text is still in the editor."
        if action == "store":
            is_stored = (
                "It is not known whether the document is stored." if error.is_unclear else "The document is not stored."
            )
            note = f"{is_stored} {note}"
        request.scope["state"][CODES] = [error.code]
        content = _front_page(site, decoded(rui, box), note=note)()
        return page(content, status=error.status, headers=error.headers)


async def _store(request: HttpRequest, services: Services, site: Site, form: Form) -> Response[bytes] | Redirect:
    """Store a valid document and redirect to its page. Raises `ServiceError` if it is not stored."""
    checked = await run_task(request, services.playground, partial(answers.hash_and_normalize, form.rui))
    if checked is None:
        note = "The document is not stored, because it has errors."
        return page(
            await run_task(
                request, services.playground, _front_page(site, form.rui, box=form.box, note=note, is_checked=True)
            )
        )
    spec = new_spec(*checked)
    await store_spec(request, services.store, spec)
    return Redirect(f"{site.path}{PATH}{spec.spec_id}", status_code=303)


def _front_page(
    site: Site, text: str | bytes = "", *, box: str = "", note: str = "", is_new_version: bool = False,
    is_checked: bool = False,
) -> Callable[[], str]:  # fmt: skip
    """Return the task that renders the front page with a text."""
    examples = [(title, f"{site.path}/?example={name}#BOX") for name, title in EXAMPLES.items()]
    return partial(
        front_page, host_of(site), workflow(site.url), text, examples=examples,
        example=_examples()["full"], max_checked=MAX_FORM_BYTES, box=box, note=note,
        is_new_version=is_new_version, is_checked=is_checked,
    )  # fmt: skip


@post(PLAYGROUND + "{action:str}", status_code=200)
async def answer_playground(
    request: HttpRequest, services: Injected[Services], action: FromPath[str]
) -> Response[bytes]:
    if action not in answers.ACTIONS:
        raise ServiceError(NOT_FOUND)
    start = request.query_params.get("from", "0:0")
    end = request.query_params.get("to", start)
    text = (await receive_body(request)).decode("utf-8", "replace")
    task = partial(answers.answer_editor, action, text, _position(start), _position(end))
    return Response(await run_task(request, services.playground, task), media_type=JSON)


def _position(text: str) -> tuple[int, int]:
    match = _POSITION.fullmatch(text)
    if match is None:
        raise ServiceError(BAD_REQUEST, "Positions have the form LINE:CHARACTER.")
    return int(match[1]), int(match[2])
