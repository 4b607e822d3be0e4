"""The endpoints of the editor on the front page. They belong to the page and are no part of the API.

The body is the text of the editor; ``?from=LINE:CHARACTER&to=LINE:CHARACTER`` is its selection. A request cancels those
of the same ``?tab=`` that it makes useless. The end of a connection is no substitute: a browser closes the connection
when a script drops a request, but a client that only sends no more data looks the same.
"""

from __future__ import annotations

import re

from litestar import route

from rui_api.http.error_responses import bad_request, not_found
from rui_api.http.form_data import MAX_FORM_BYTES
from rui_api.http.request_body import InvalidBody, receive_body
from rui_api.http.responses import Response
from rui_api.playground.tasks import EditorTask
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest
from rui_api.routes.tasks import run_task
from rui_inspector.html.playground import ACTIONS

PATH = "/playground/"
TOO_LONG = f"The text is longer than {MAX_FORM_BYTES:,} bytes."
"""The limit of a text exceeds that of a document: storing sends it without white space."""

MAX_TAB = 40
"""Characters of the name of a tab."""

_POSITION = re.compile(r"(\d{1,7}):(\d{1,7})")


@route(PATH + "{action:str}", http_method=["POST"])
async def answer_playground(request: AnyRequest) -> Response:
    """Answer the editor. If the page drops the request, for example for a newer text, the work is cancelled."""
    action = request.path_params["action"]
    if action not in ACTIONS:
        return not_found()
    parameters = request.query_params
    start = _position(parameters.get("from", "0:0"))
    end = _position(parameters.get("to", parameters.get("from", "0:0")))
    if start is None or end is None:
        return bad_request("Positions have the form LINE:CHARACTER.")
    text = await _read_text(request)
    tab = parameters.get("tab", "")[:MAX_TAB]
    content = await run_task(request, EditorTask(action, text, start, end), tab=tab)
    return await pages.compressed(request, Response(content))


async def _read_text(request: AnyRequest) -> str:
    """Return the text in the body.

    Raises:
        InvalidBody: it is too long or incomplete.
    """
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:20]) > MAX_FORM_BYTES:
        raise InvalidBody(TOO_LONG, is_incomplete=True)
    body = await receive_body(request.receive, MAX_FORM_BYTES, TOO_LONG)
    return body.decode("utf-8", "replace")


def _position(text: str) -> tuple[int, int] | None:
    match = _POSITION.fullmatch(text)
    if match is None:
        return None
    line, character = match.groups()
    return int(line), int(character)
