"""The endpoints of the editor on the front page, and tasks of the playground process that belong to a request.

The endpoints belong to the page and are no part of the API. The body is the text of the editor;
``?from=LINE:CHARACTER&to=LINE:CHARACTER`` is its selection. The page drops requests that a newer text makes useless.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial

from litestar import Response, post
from litestar.types import Receive

from rui_api.http.errors import ServiceError
from rui_api.http.limits import receive_body
from rui_api.playground import tasks
from rui_api.playground.worker import PlaygroundWorker, Result
from rui_api.routes.dependencies import AnyRequest, PlaygroundDependency
from rui_common.http_contract.endpoints import JSON
from rui_common.http_contract.errors import BAD_REQUEST, NOT_FOUND
from rui_inspector.html.playground import ACTIONS

PATH = "/playground/"

_POSITION = re.compile(r"(\d{1,7}):(\d{1,7})")


class TaskCancelledError(Exception):
    """The client has left."""


@post(PATH + "{action:str}", status_code=200)
async def answer_playground(request: AnyRequest, playground: PlaygroundDependency) -> Response[bytes]:
    """Answer the editor."""
    action = request.path_params["action"]
    if action not in ACTIONS:
        raise ServiceError(NOT_FOUND)
    start = request.query_params.get("from", "0:0")
    end = request.query_params.get("to", start)
    text = (await receive_body(request.receive)).decode("utf-8", "replace")
    task = partial(tasks.answer_editor, action, text, _position(start), _position(end))
    return Response(await run_task(request, playground, task), media_type=JSON)


def _position(text: str) -> tuple[int, int]:
    match = _POSITION.fullmatch(text)
    if match is None:
        raise ServiceError(BAD_REQUEST, "Positions have the form LINE:CHARACTER.")
    line, character = match.groups()
    return int(line), int(character)


async def run_task(request: AnyRequest, playground: PlaygroundWorker, task: Callable[[], Result]) -> Result:
    """Return the answer to a task of a request whose body was read. The task is cancelled when the client leaves.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: see `PlaygroundWorker.run`.
    """
    address = request.scope["client"]
    work = asyncio.create_task(playground.run(task, address[0] if address else ""))
    gone = asyncio.create_task(_disconnected(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise TaskCancelledError
        return work.result()
    finally:
        gone.cancel()
        work.cancel()  # no effect on a task that is done


async def _disconnected(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
