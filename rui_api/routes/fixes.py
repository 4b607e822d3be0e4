"""The fixes of `POST /api/validate?fix=true` (docs/decisions.md, section 3). Their process is not that of the pages."""

from collections.abc import Mapping
from functools import partial

from rui_api.contract.bodies import FIX_SKIPPED
from rui_api.http.errors import ServiceError
from rui_api.http.requests import HttpRequest
from rui_api.observability.metrics import Work, count_work
from rui_api.routes.tasks import run_extra_task
from rui_api.work_process import WorkProcess
from rui_common.json_values import JsonObject
from rui_common.library import fix
from rui_common.syntax.document import read
from rui_common.validation.analysis import validate
from rui_common.validation.answers import error_items
from rui_common.vocabulary.rules import MAX_ERRORS


async def fix_fields(request: HttpRequest, process: WorkProcess, body: bytes) -> Mapping[str, object]:
    """Return the fields of an answer about an invalid body: ``fixed``, ``fixSkipped`` if there is no time, or none.

    Raises `TaskCancelledError` if the client leaves.
    """
    try:
        fixed = await run_extra_task(request, process, partial(fixed_document, body))
    except ServiceError:
        count_work(Work.FIX, "skipped")
        return {"fixSkipped": FIX_SKIPPED}
    if fixed is None:
        count_work(Work.FIX, "nothing")
        return {}
    count_work(Work.FIX, "done")
    return {"fixed": fixed}


def fixed_document(body: bytes) -> JsonObject | None:
    """Apply all safe fixes to a body.

    Returns:
        The fixed document as `rui`, the fixes as `applied`, and the `errors` that remain, at most `MAX_ERRORS` of each
        of these two. None if no fix is safe, or if the fixed text is still no JSON object.
    """
    fixed = fix(body)
    document = read(fixed.text)
    if not fixed.applied or not document.valid or not isinstance(document.value, dict):
        return None
    return {
        "rui": document.value,
        "applied": [applied._asdict() for applied in fixed.applied[:MAX_ERRORS]],
        "errors": error_items(validate(document.value, limit=MAX_ERRORS).findings),
    }
