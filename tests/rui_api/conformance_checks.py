"""A check for schemathesis, which loads this file: the HTTP response has the verdict of the core."""

import schemathesis

from rui_common.syntax.document import read
from rui_common.validation.analysis import validate


@schemathesis.check
def verdict_is_that_of_the_core(ctx, response, case) -> None:
    """The body is valid, invalid or no JSON; the verdict of the service equals the verdict of the validator."""
    request = response.request
    if "base=" in request.url:  # what is validated contains parts of the base
        return
    if case.method.upper() != "POST" or not case.path.startswith("/api/") or response.status_code not in (200, 201):
        return
    body = request.body if isinstance(request.body, bytes) else (request.body or "").encode()
    document = read(body)
    assert document.valid and isinstance(document.value, dict), "what is no RUI was not refused"
    valid = not any(True for _ in validate(document.value).findings)
    answer = response.json()
    assert answer.get("valid", True) == valid, "the verdict is not the validator's"
