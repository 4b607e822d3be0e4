"""DATA: the endpoints and their responses (specification, section 4; docs/decisions.md, section 6).

Of the pages for people, it contains those of stored specs. Tests of the service compare this table with its routes and
responses.
"""

from typing import NamedTuple

from rui_api.contract import bodies, errors
from rui_api.contract.errors import ErrorSpec
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_ERRORS, MAX_WARNINGS

API_PREFIX = "/api/"  # prefix of the paths whose errors are always JSON

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

COMPACT = "compact"
FULL = "full"
STRUCTURED = "structured"
FORMS = (COMPACT, FULL, STRUCTURED)
"""The forms of the vocabulary; `FULL` is the default."""

UNKNOWN_FORM = f"The parameter form is one of {', '.join(FORMS)}, and occurs once."
"""The message of the response to an unknown form."""


WARNINGS = "warnings"
FIX = "fix"
"""The parameters that ask for warnings and for fixes."""
BASE = "base"
"""The parameter with the id of the stored spec that the body is a new version of."""
BASE_TWICE = f"The parameter {BASE} occurs once."
"""The message of the response to several ids."""
TRUE_OR_FALSE = ("true", "false")
NEITHER_TRUE_NOR_FALSE = "The parameter {name} is true or false, and occurs once."
"""The values of these parameters, and the message of the response to any other value."""


class ResponseSpec(NamedTuple):
    """A response of an endpoint."""

    status: int
    when: str  # the case in which it is sent
    body: bodies.Body | str  # the JSON body, or a description of another body
    media_type: str = JSON  # the Content-Type, or ``""`` for a response without a body
    has_retry_after: bool = False  # whether it has the header Retry-After


class Parameter(NamedTuple):
    """A query parameter."""

    name: str
    description: str
    values: tuple[str, ...] = ()  # the values that it may have; without any, it is the id of a spec


class Endpoint(NamedTuple):
    """An endpoint."""

    method: str
    path: str  # the path, with ``:id`` for the id of a spec
    summary: str  # its purpose
    responses: tuple[ResponseSpec, ...]  # its own responses; those of every endpoint are in `ANY_ENDPOINT`
    request: str = ""  # a description of the request, or ``""``
    query: tuple[Parameter, ...] = ()


def _error(error: ErrorSpec, when: str, body: bodies.Body | None = None) -> ResponseSpec:
    """Return the response of an error, by default with the body ``{error, message}``."""
    return ResponseSpec(error.status, when, body or bodies.error_body(error), has_retry_after=error.retry_after > 0)


_RAW_RUI = (
    f"Content-Type: {JSON}. The body is the RUI itself, at most {MAX_BODY_BYTES} bytes, not wrapped "
    'in an object such as {"rui": ...}.'
)
_ID = "`:id` is the UUID of a stored spec."

_INVALID = ResponseSpec(200, "The RUI breaks rules. Status 200 does not mean valid: check `valid`.", bodies.INVALID)
_NO_JSON = _error(
    errors.INVALID_JSON,
    "The body is not JSON, not an object, empty, too long, or not sent as JSON.",
    bodies.TRANSPORT_FAILURE,
)
_WRONG_PARAMETER = _error(errors.BAD_REQUEST, f"`{WARNINGS}` is neither true nor false, or `{BASE}` occurs twice.")
_WRONG_PARAMETERS = _error(
    errors.BAD_REQUEST, f"`{WARNINGS}` or `{FIX}` is neither true nor false, or `{BASE}` occurs twice."
)
_WITH_WARNINGS = Parameter(
    WARNINGS,
    "With `true`, answers about a RUI have `warnings`: what is valid, and probably not meant or not shown. At most "
    f"{MAX_WARNINGS}; `warningsTruncated` is true if there are more.",
    TRUE_OR_FALSE,
)
_WITH_FIXES = Parameter(
    FIX,
    "With `true`, the answer to a body that is no valid RUI has `fixed`, if there is a safe fix: `rui` is the body "
    "after all safe fixes, which neither lose nor invent content; `applied` says what they did, `errors` what remains "
    f"(at most {MAX_ERRORS} each). `valid` and the outer `errors` are those of the body as sent. `fixSkipped` says "
    "that the service had no time for fixes.",
    TRUE_OR_FALSE,
)
_WITH_BASE = Parameter(
    BASE,
    "The id of a stored spec, of which the body is a new version. A page, section or block in the body that has an "
    "`id` alone stands for the node of the base with this id, with everything in it but the nodes that the body names "
    "itself; a property of the root that is absent is that of the base. What the body does not name is deleted. "
    "`meta.replaces` becomes the id of the base. The answer has `kept`, the number of nodes that are those of the "
    "base; about a valid RUI also `changes`, what changes for users, unless the service has no time for that.",
)
_NO_BASE = (
    _error(errors.INVALID_SPEC_ID, f"`{BASE}` is not a UUID."),
    _error(errors.NOT_FOUND, f"No spec has the id `{BASE}`.", bodies.NO_SUCH_SPEC),
    _error(errors.GONE, f"The operator deleted the spec `{BASE}`. It does not come back.", bodies.DELETED_SPEC),
)
_STORE_DOWN = _error(
    errors.STORAGE_UNAVAILABLE, "The store is down or full. `Retry-After` is the delay before a retry."
)
_OUTCOME_UNKNOWN = _error(
    errors.OUTCOME_UNKNOWN, "The store did not answer in time, so the spec may be stored. There is no `Retry-After`."
)
_NOT_MODIFIED = ResponseSpec(304, "`If-None-Match` contains the current `ETag`.", "no body", media_type="")


def _page(status: int, when: str, shape: str = "page with the reason") -> ResponseSpec:
    return ResponseSpec(status, when, shape, media_type=HTML)


_PAGES_WITHOUT_SPEC = (
    _page(400, "`:id` is not a UUID."),
    _page(404, "No spec has this id."),
    _page(410, "The operator deleted the spec."),
    _page(503, "The store is down."),
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", "/api/validate", "Validates a RUI and returns its normal form, without storing it.",
        (ResponseSpec(200, "The RUI is valid.", bodies.VALID), _INVALID, _NO_JSON, _WRONG_PARAMETERS,
         *_NO_BASE, _error(errors.STORAGE_UNAVAILABLE, f"The store is down, so that `{BASE}` cannot be read.")),
        request=_RAW_RUI,
        query=(_WITH_WARNINGS, _WITH_FIXES, _WITH_BASE),
    ),
    Endpoint(
        "POST", "/api/specs", "Validates a RUI and stores its normal form under a new id.",
        (ResponseSpec(201, "Stored. `Location` is the address of the spec.", bodies.SAVED_SPEC),
         _INVALID, _NO_JSON, _WRONG_PARAMETER, *_NO_BASE, _OUTCOME_UNKNOWN, _STORE_DOWN),
        request=_RAW_RUI,
        query=(_WITH_WARNINGS, _WITH_BASE),
    ),
    Endpoint(
        "GET", "/api/specs/:id", "A stored spec, with an `ETag`.",
        (ResponseSpec(200, "Found.", bodies.SAVED_SPEC),
         _NOT_MODIFIED,
         _error(errors.INVALID_SPEC_ID, "`:id` is not a UUID."),
         _error(errors.NOT_FOUND, "No spec has this id.", bodies.NO_SUCH_SPEC),
         _error(errors.GONE, "The operator deleted the spec. It does not come back.", bodies.DELETED_SPEC),
         _STORE_DOWN),
        request=_ID,
    ),
    Endpoint(
        "GET", "/specs/:id", "The inspector: a stored spec as a page for people.",
        (_page(200, "Found.", "page"), _NOT_MODIFIED, *_PAGES_WITHOUT_SPEC),
        request=_ID,
    ),
    Endpoint(
        "GET", "/specs/:id/rui.json", "The document of a stored spec as a file, in the layout of `rui format`.",
        (ResponseSpec(200, "Found.", "object: the RUI"), _NOT_MODIFIED, *_PAGES_WITHOUT_SPEC),
        request=_ID,
    ),
    Endpoint(
        "GET", "/api/schema", "The vocabulary: shapes with properties and examples, rules, planned features, limits.",
        (ResponseSpec(200, "The vocabulary in the requested form.",
                      "object: the vocabulary, with its JSON Schema as `jsonSchema`"),
         _NOT_MODIFIED,
         _error(errors.BAD_REQUEST, "An unknown parameter, or an unknown `form`.")),
        query=(
            Parameter("form", "`compact` is a short form for a model's context, `structured` a JSON Schema for the "
                      "structured output of language models.", FORMS),
        ),
    ),
    Endpoint(
        "GET", "/api/docs", "The workflow, the endpoints and the catalogue of errors.",
        (ResponseSpec(200, "Always.", "object"), _NOT_MODIFIED),
    ),
    Endpoint(
        "GET", "/llms.txt", "The entry point for agents.",
        (ResponseSpec(200, "Always.", "text in the format of llmstxt.org", TEXT), _NOT_MODIFIED),
    ),
    Endpoint(
        "GET", "/api/openapi.json", "This service in OpenAPI 3.1.",
        (ResponseSpec(200, "Always.", "object: an OpenAPI document"), _NOT_MODIFIED),
    ),
    Endpoint(
        "GET", "/api/health", "Whether the process is up.",
        (ResponseSpec(200, "Always.", bodies.HEALTHY),),
    ),
    Endpoint(
        "GET", "/api/ready", "Whether the store answers.",
        (ResponseSpec(200, "The store answers.", bodies.READY), _STORE_DOWN),
    ),
)  # fmt: skip
"""Every endpoint, the most important first."""

ANY_ENDPOINT: tuple[ResponseSpec, ...] = (
    ResponseSpec(204, "To OPTIONS: `Allow` contains the methods of the path.", "no body", media_type=""),
    _error(errors.BAD_REQUEST, "The request is malformed, such as a `Host` with invalid characters."),
    _error(errors.FORBIDDEN, "A page of another origin sent the request, and may not."),
    _error(errors.NOT_FOUND, "No endpoint has this path."),
    _error(errors.METHOD_NOT_ALLOWED, "The path has other methods: see `Allow`."),
    _error(errors.INTERNAL_ERROR, "An error of the service."),
    _error(errors.OVERLOADED, "Overloaded, or about to restart. `Retry-After` is the delay before a retry."),
)
"""The responses of every address."""

OF_PROXIES: tuple[ResponseSpec, ...] = (
    _error(errors.RATE_LIMITED, "A proxy: too many requests. `Retry-After` is the delay before a retry."),
    _error(errors.UNREACHABLE, "A proxy: the service does not answer. After a POST to store, the spec may be stored."),
    _error(errors.TOO_LATE, "A proxy: no answer in time. After a POST to store, the spec may be stored."),
)
"""The responses of a proxy in front of the service, to every address."""

_OUTSIDE_API = f"Outside of {API_PREFIX}, if `Accept` prefers text/html to JSON."

ERROR_PAGES = tuple(_page(response.status, _OUTSIDE_API) for response in ANY_ENDPOINT if response.status >= 400)
"""The errors of `ANY_ENDPOINT`, which are pages for browsers."""

_RESPONSES = [*(response for endpoint in ENDPOINTS for response in endpoint.responses), *ANY_ENDPOINT, *OF_PROXIES]
BODIES = (
    bodies.ERROR_ITEM,
    bodies.WARNING_ITEM,
    bodies.APPLIED_FIX,
    bodies.FIXED,
    *{response.body.name: response.body for response in _RESPONSES if isinstance(response.body, bodies.Body)}.values(),
)
"""The JSON bodies of all responses, and their items. Each has a schema of its name."""
