"""DATA: the errors of the service besides those of documents (docs/decisions.md, section 6)."""

from typing import NamedTuple

from rui_common.vocabulary.rules import RULES


class ErrorSpec(NamedTuple):
    """An error response."""

    code: str  # its `error`
    status: int
    title: str  # the title of its page
    # its `message`; ``""`` if the sender gives one, or if the body has an id in its place. The sender fills in
    # ``{method}`` and ``{id}``.
    message: str = ""
    retry_after: int = 0  # the value of Retry-After in seconds, or 0 for a response without this header
    is_unclear: bool = False  # whether the request may have had its effect


_UNCLEAR = "The request cannot be understood"

INVALID_JSON = ErrorSpec(RULES["R0"].code, 400, _UNCLEAR)
BAD_REQUEST = ErrorSpec("BAD_REQUEST", 400, _UNCLEAR, "The request is malformed.")
INVALID_SPEC_ID = ErrorSpec("INVALID_SPEC_ID", 400, _UNCLEAR, "The id of a spec is a UUID.")
FORBIDDEN = ErrorSpec(
    "FORBIDDEN",
    403,
    "Another site sent this request",
    "Pages of this origin may not call the service; its operator allows others with --allow-origins.",
)
NOT_FOUND = ErrorSpec("NOT_FOUND", 404, "There is no page at this address", "No resource has this address.")
METHOD_NOT_ALLOWED = ErrorSpec(
    "METHOD_NOT_ALLOWED",
    405,
    "This page cannot be used like that",
    "This address does not support {method}.",
)
GONE = ErrorSpec("GONE", 410, "This spec was deleted")
INTERNAL_ERROR = ErrorSpec(
    "INTERNAL_ERROR",
    500,
    "Something broke on our side",
    "The service failed with an internal error. Its log has the reason, with the id {id} of this request.",
)
STORAGE_UNAVAILABLE = ErrorSpec(
    "STORAGE_UNAVAILABLE", 503, "The store does not answer", "The store is not available; try again soon.", 5
)
OUTCOME_UNKNOWN = STORAGE_UNAVAILABLE._replace(
    message="The store did not answer in time: another request may store the spec twice.",
    retry_after=0,
    is_unclear=True,
)
OVERLOADED = ErrorSpec("OVERLOADED", 503, "The service is busy", "The service is overloaded; try again soon.", 1)

RATE_LIMITED = ErrorSpec("RATE_LIMITED", 429, "", "This address sends too many requests; try again in a second.", 1)
UNREACHABLE = ErrorSpec("UNREACHABLE", 502, "", "The service does not answer.", is_unclear=True)
TOO_LATE = UNREACHABLE._replace(status=504)
"""These three are responses of a proxy in front of the service (deploy/nginx.conf, deploy/Caddyfile)."""

SPEC_IS_IMMUTABLE = "A spec never changes: POST its new version to /api/specs?base=ID, with the id of this one."
"""The `message` of METHOD_NOT_ALLOWED for a method that would change or delete a spec."""

STORE_FULL = (
    "The store is full. Validation and stored specs are available; the operator of this service has to make room."
)
"""The `message` of STORAGE_UNAVAILABLE when a limit of the size of the store is reached."""
