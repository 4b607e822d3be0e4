"""New versions of a stored spec that name what they keep: POST with `?base=ID` (docs/decisions.md, section 6)."""

import json
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple

from rui_api.contract.endpoints import BASE, BASE_TWICE
from rui_api.contract.errors import BAD_REQUEST
from rui_api.http.bodies import read_rui
from rui_api.http.errors import InvalidBody, ServiceError
from rui_api.http.requests import HttpRequest
from rui_api.http.responses import Further, to_json
from rui_api.observability.metrics import Work, count_work
from rui_api.routes.tasks import run_extra_task
from rui_api.store.base import StoredSpec
from rui_api.work_process import WorkProcess
from rui_common.json_values import JsonObject, as_object
from rui_common.problems.elements import UntypedNode
from rui_common.problems.finding import Finding
from rui_common.versions.compare import compare
from rui_common.versions.from_base import Completed, TooLargeError, complete, is_bare
from rui_common.versions.sentences import plain
from rui_common.vocabulary.rules import MAX_BODY_BYTES

BARE = "An object with an id alone stands for a node of a stored spec only with ?base=ID in the URL of the request."


class BasedBody(NamedTuple):
    """A body with the parts that it takes from its base."""

    base: StoredSpec
    body: bytes
    completed: Completed


def base_of(request: HttpRequest) -> str | None:
    """Return the id of the base that the query names, which may be none; None without one."""
    if not request.scope["query_string"]:
        return None
    values = request.query_params.getall(BASE, [])
    if len(values) > 1:
        raise ServiceError(BAD_REQUEST, BASE_TWICE)
    return values[0] if values else None


def document_of(body: bytes) -> JsonObject:
    """Return the RUI in a body, valid or not. Raises `InvalidBody` if it contains none."""
    return as_object(read_rui(body).value)


def with_base(document: JsonObject, base: StoredSpec) -> BasedBody:
    """Return a document with the parts that it takes from its base, as a body.

    Raises:
        InvalidBody: that would be too long for a body.
    """
    try:
        completed = complete(document, json.loads(base.rui), base.spec_id, max_bytes=MAX_BODY_BYTES)
    except TooLargeError:
        reason = f"With what it keeps of its base, the RUI is longer than {MAX_BODY_BYTES:,} bytes (256 KB)."
        raise InvalidBody(reason) from None
    return BasedBody(base, to_json(completed.rui), completed)


def name_base(findings: Iterable[Finding]) -> None:
    """Let the first finding about an object with an id alone say how it stands for a node of a stored spec."""
    bare = (finding for finding in findings if isinstance(finding, UntypedNode) and is_bare(finding.node.members))
    for finding in islice(bare, 1):
        finding.advice = BARE


async def change_fields(request: HttpRequest, process: WorkProcess, base: StoredSpec, rui: bytes) -> Further:
    """Return the field ``changes`` of an answer about a valid RUI, or none if there is no time for it.

    Raises `TaskCancelledError` if the client leaves.
    """
    try:
        lines = await run_extra_task(request, process, partial(changes_between, base.rui, rui))
    except ServiceError:
        count_work(Work.CHANGES, "skipped")
        return {}
    count_work(Work.CHANGES, "done")
    return {"changes": lines}


def changes_between(old: bytes, new: bytes) -> list[str]:
    """Return what changes for users between two documents, as sentences."""
    return [plain(line) for line in compare(json.loads(old), json.loads(new)).summary.lines]
