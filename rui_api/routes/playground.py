"""The endpoints of the editor on the front page. They belong to the page and are no part of the API.

The body is the text of the editor; ``?from=LINE:CHARACTER&to=LINE:CHARACTER`` is its selection. A request cancels those
of the same ``?tab=`` that it makes useless. The end of a connection is no substitute: a browser closes the connection
when a script drops a request, but a client that only sends no more data looks the same.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from litestar import route

from rui_api.http.compression import compressed_response
from rui_api.http.error_responses import bad_request, internal_error, not_found, overloaded
from rui_api.http.request_body import InvalidBody, receive_body
from rui_api.http.request_record import record_received
from rui_api.http.responses import Response
from rui_api.playground.worker import PlaygroundBusyError, TaskTimeoutError
from rui_api.routes.home import OTHER_SITES
from rui_api.routes.html import AnyRequest
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_inspector.html.playground import ACTIONS

if TYPE_CHECKING:
    from litestar.types import Receive

    from rui_api.playground.worker import PlaygroundWorker

PATH = "/playground/"
TOO_LONG = f"The text is longer than {MAX_BODY_BYTES:,} bytes, the limit of a document."
MAX_TAB = 40
"""Characters of the name of a tab."""

_POSITION = re.compile(r"(\d{1,7}):(\d{1,7})")


@route(PATH + "{action:str}", http_method=["POST"])
async def answer_playground(request: AnyRequest) -> Response:
    """Answer the editor. If the page drops the request, for example for a newer text, the work is cancelled."""
    action = request.path_params["action"]
    if action not in ACTIONS:
        return not_found()
    if request.headers.get("sec-fetch-site", "") in OTHER_SITES:
        return bad_request("This address serves the front page only; programs use POST /api/validate.")
    parameters = request.query_params
    start = _position(parameters.get("from", "0:0"))
    end = _position(parameters.get("to", parameters.get("from", "0:0")))
    if start is None or end is None:
        return bad_request("Positions have the form LINE:CHARACTER.")
    text = await _read_text(request)
    worker: PlaygroundWorker = request.app.state.playground
    tab = parameters.get("tab", "")[:MAX_TAB]
    return await _result(worker.start(tab, action, text, start, end), request)


async def _read_text(request: AnyRequest) -> str:
    """Return the text in the body.

    Raises:
        InvalidBody: it is too long or incomplete.
    """
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:20]) > MAX_BODY_BYTES:
        raise InvalidBody(TOO_LONG, is_incomplete=True)
    body = await receive_body(request.receive, MAX_BODY_BYTES, TOO_LONG)
    record_received(request.scope, len(body))
    return body.decode("utf-8", "replace")


async def _result(work: asyncio.Task[bytes], request: AnyRequest) -> Response:
    """Return the result of a task as a response; cancel the task when the client closes the connection."""
    gone = asyncio.create_task(_disconnected(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        work.cancel()  # no effect on a task that is done
    await asyncio.wait({work})
    if work.cancelled():
        return Response(status=204)  # no client waits for it
    error = work.exception()
    if isinstance(error, PlaygroundBusyError):
        return overloaded()
    if isinstance(error, TaskTimeoutError):
        return bad_request("The answer takes too long for this text.")
    if error is not None:
        return internal_error()
    return compressed_response(request.scope, Response(work.result()))


async def _disconnected(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _position(text: str) -> tuple[int, int] | None:
    match = _POSITION.fullmatch(text)
    if match is None:
        return None
    line, character = match.groups()
    return int(line), int(character)
