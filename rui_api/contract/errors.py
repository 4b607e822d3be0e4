"""DATA: the errors of the service besides those of documents (docs/decisions.md, section 6)."""

from __future__ import annotations

INVALID_SPEC_ID = "INVALID_SPEC_ID"
NOT_FOUND = "NOT_FOUND"
GONE = "GONE"
STORAGE_UNAVAILABLE = "STORAGE_UNAVAILABLE"
METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
INTERNAL_ERROR = "INTERNAL_ERROR"
BAD_REQUEST = "BAD_REQUEST"
OVERLOADED = "OVERLOADED"
FORBIDDEN = "FORBIDDEN"

ERROR_MESSAGES: dict[str, str] = {
    INVALID_SPEC_ID: "The id of a spec is a UUID.",
    STORAGE_UNAVAILABLE: "The store is not available; try again soon.",
    NOT_FOUND: "No resource has this address.",
    METHOD_NOT_ALLOWED: "This address does not support {method}.",
    BAD_REQUEST: "The request is malformed.",
    INTERNAL_ERROR: "The service failed with an internal error.",
    FORBIDDEN: "Pages of this origin may not call the service; its operator allows others with --allow-origins.",
    OVERLOADED: "The service is overloaded; try again soon.",
}
"""The `message` of each error that has one."""

SPEC_IS_IMMUTABLE = "A spec never changes: POST the edited RUI to /api/specs, with the id of this one as meta.replaces."
"""The `message` of METHOD_NOT_ALLOWED for a method that would change or delete a spec."""

STORE_FULL = (
    "The store is full. Validation and stored specs are available; the operator of this service has to make room."
)
"""The `message` of STORAGE_UNAVAILABLE when a limit of the size of the store is reached."""
