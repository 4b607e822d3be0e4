"""DATA: the endpoints and their responses (specification, section 4; docs/decisions.md, section 6).

Tests of the service compare this table with its routes and responses.
"""

from __future__ import annotations

from typing import NamedTuple

from rui_common.http_contract import bodies
from rui_common.vocabulary.rules import MAX_BODY_BYTES

API_PREFIX = "/api/"
"""Prefix of the paths whose errors are always JSON."""

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
FORM = "multipart/form-data"

COMPACT = "compact"
FULL = "full"
STRUCTURED = "structured"
FORMS = (COMPACT, FULL, STRUCTURED)
"""The forms of the vocabulary; `FULL` is the default."""

UNKNOWN_FORM = f"There is no form of this name; there are {', '.join(FORMS)}."
"""The message of the response to an unknown form."""


class ResponseSpec(NamedTuple):
    """A response of an endpoint.

    Attributes:
        status: the HTTP status.
        when: the case in which it is sent.
        body: the JSON body, or a description of another body.
        example: the name of an example (see `rui_common.http_contract.example_bodies`), or ``""``.
        media_type: the Content-Type, or ``""`` for a response without a body.
    """

    status: int
    when: str
    body: bodies.Body | str
    example: str = ""
    media_type: str = JSON

    @property
    def shape(self) -> str:
        """The body in the notation of the specification, or its description."""
        if isinstance(self.body, str):
            return self.body
        return self.body.notation


class Parameter(NamedTuple):
    """A query parameter or a form field.

    Attributes:
        values: the allowed values; empty for any text.
        closed: whether other values are refused; else they count as absent.
        is_id: whether it is the id of a spec.
    """

    name: str
    description: str
    values: tuple[str, ...] = ()
    closed: bool = False
    required: bool = False
    is_id: bool = False


class Endpoint:
    """An endpoint.

    Attributes:
        method: the HTTP method.
        path: the path, with names such as ``:id`` for ids of specs.
        summary: its purpose.
        responses: its own responses; those of every endpoint are in `ANY_ENDPOINT`.
        request: a description of the request, or ``""``.
        query: the query parameters.
        fields: the fields of the form in the body, if it is one.
    """

    def __init__(
        self, method: str, path: str, summary: str, *responses: ResponseSpec, request: str = "",
        query: tuple[Parameter, ...] = (), fields: tuple[Parameter, ...] = (),
    ) -> None:  # fmt: skip
        self.method = method
        self.path = path
        self.summary = summary
        self.request = request
        self.query = query
        self.fields = fields
        self.responses = responses

    @property
    def request_media_type(self) -> str:
        """The media type of the request body, if it has one."""
        if self.fields:
            return FORM
        return JSON


_RAW_RUI = (
    f"Content-Type: {JSON}. The body is the RUI itself, at most {MAX_BODY_BYTES} bytes, not wrapped "
    'in an object such as {"rui": ...}.'
)
_ID = "`:id` is the UUID of a stored spec."

_INVALID = ResponseSpec(
    200, "The RUI breaks rules. Status 200 does not mean valid: check `valid`.", bodies.INVALID, "invalid"
)
_NO_JSON = ResponseSpec(
    400,
    "The body is not JSON, not an object, empty, too long, or not sent as JSON.",
    bodies.TRANSPORT_FAILURE,
    "noJson",
)
_STORE_DOWN = ResponseSpec(
    503, "The store is down or full. `Retry-After` is the delay before a retry.", bodies.STORE_DOWN, "storeDown"
)
_NOT_MODIFIED = ResponseSpec(304, "`If-None-Match` contains the current `ETag`.", "no body", media_type="")


def _page(status: int, when: str, shape: str = "page with the reason") -> ResponseSpec:
    return ResponseSpec(status, when, shape, media_type=HTML)


_ERROR_PAGE = _page(500, "An error of the service.")
_STORE_DOWN_PAGE = _page(503, "The store is down.")
_DELETED_PAGE = _page(410, "The operator deleted the spec.")
_PAGES_WITHOUT_SPEC = (
    _page(400, "`:id` is not a UUID."), _page(404, "No spec has this id."),
    _DELETED_PAGE, _ERROR_PAGE, _STORE_DOWN_PAGE,
)  # fmt: skip
_ALWAYS_A_PAGE = (_page(200, "Always.", "page"), _NOT_MODIFIED, _ERROR_PAGE)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", "/api/validate", "Validates a RUI and returns its normal form, without storing it.",
        ResponseSpec(200, "The RUI is valid.", bodies.VALID, "valid"),
        _INVALID, _NO_JSON, request=_RAW_RUI,
    ),
    Endpoint(
        "POST", "/api/specs", "Validates a RUI and stores its normal form under a new id.",
        ResponseSpec(201, "Stored. `Location` is the address of the spec.", bodies.SAVED_SPEC, "saved"),
        _INVALID, _NO_JSON, _STORE_DOWN, request=_RAW_RUI,
    ),
    Endpoint(
        "GET", "/api/specs/:id", "A stored spec, with an `ETag`.",
        ResponseSpec(200, "Found.", bodies.SAVED_SPEC, "saved"),
        _NOT_MODIFIED,
        ResponseSpec(400, "`:id` is not a UUID.", bodies.WRONG_ID, "invalidSpecId"),
        ResponseSpec(404, "No spec has this id.", bodies.NO_SUCH_SPEC, "noSuchSpec"),
        ResponseSpec(410, "The operator deleted the spec. It does not come back.", bodies.DELETED_SPEC, "deleted"),
        _STORE_DOWN, request=_ID,
    ),
    Endpoint(
        "GET", "/specs/:id", "The inspector: a stored spec as a page for people.",
        _page(200, "Found.", "page"), _NOT_MODIFIED,
        *_PAGES_WITHOUT_SPEC,
        request=_ID,
        query=(
            Parameter("q", "Words that the displayed nodes must contain."),
            Parameter("open", "Which nodes of the tree are open. The default is `outline`: those with child nodes.",
                      ("outline", "all")),
        ),
    ),
    Endpoint(
        "GET", "/specs/:id/rui.json", "The document of a stored spec as a file, in the layout of `rui format`.",
        ResponseSpec(200, "Found.", "object: the RUI"), _NOT_MODIFIED,
        *_PAGES_WITHOUT_SPEC,
        request=_ID,
    ),
    Endpoint(
        "GET", "/specs/:id/compare/:other",
        "Two stored specs compared: what changes for the data, the screens, and each node.",
        _page(200, "Both exist.", "page"), _NOT_MODIFIED,
        _page(400, "One of the ids is not a UUID."), _page(404, "No spec has one of the ids."),
        _DELETED_PAGE, _ERROR_PAGE, _STORE_DOWN_PAGE,
        request="`:id` and `:other` are UUIDs of stored specs.",
    ),
    Endpoint(
        "GET", "/specs/:id/compare", "Target of the inspector's form: redirects to the comparison with another spec.",
        ResponseSpec(303, "`Location` is the address of the comparison.", "no body", media_type=""),
        _page(400, "One of the ids is not a UUID."), _ERROR_PAGE,
        request=_ID,
        query=(Parameter("with", "The id of the other spec, or its address.", required=True, is_id=True),),
    ),
    Endpoint(
        "GET", "/", "The front page: an introduction, and a form that validates, inspects and stores a RUI.",
        _page(200, "Always, without `copy`.", "page"), _page(400, "`copy` is not a UUID."),
        _page(404, "No spec has the id in `copy`."), _DELETED_PAGE, _ERROR_PAGE, _STORE_DOWN_PAGE,
        query=(
            Parameter("copy", "The id of a stored spec, whose document is in the form.", is_id=True),
            Parameter("example", "The example in the form, with its errors; none for any other value.",
                      ("minimal", "full", "wrong", "broken")),
            Parameter("do", "`inspect` shows the example in the inspector.", ("inspect",)),
        ),
    ),
    Endpoint(
        "POST", "/", "Target of the form on the front page; programs use the API.",
        _page(200, "The errors of the document, or the document in the inspector.", "page"),
        ResponseSpec(303, "Stored. `Location` is its page.", "no body", media_type=""),
        _page(400, "The form cannot be read, or the document is too long."), _ERROR_PAGE, _STORE_DOWN_PAGE,
        request="A form, as multipart/form-data or application/x-www-form-urlencoded.",
        fields=(
            Parameter("rui", "The document."),
            Parameter("file", "The document as a file; it takes precedence over `rui`."),
            Parameter("do", "The action; any other value means `check`.", ("check", "inspect", "store")),
        ),
    ),
    Endpoint(
        "GET", "/docs", "The documentation for people, from the same sources as `/api/schema` and `/api/docs`.",
        *_ALWAYS_A_PAGE,
    ),
    Endpoint(
        "GET", "/docs/vocabulary", "Every type and property as a page; `#Metric.label` is the anchor of a property.",
        *_ALWAYS_A_PAGE,
    ),
    Endpoint(
        "GET", "/docs/rules", "The list of the rules as a page.",
        *_ALWAYS_A_PAGE,
    ),
    Endpoint(
        "GET", "/docs/rules/:rule", "The page of a rule: its reason, a faulty example, its report, the repaired one.",
        _page(200, "Found.", "page"), _NOT_MODIFIED,
        _page(404, "No rule has this number or code."), _ERROR_PAGE,
        request="`:rule` is the number of a rule, such as R18, or a code, such as MISSING_BINDING.",
    ),
    Endpoint(
        "GET", "/docs/api", "The endpoints as a page.",
        *_ALWAYS_A_PAGE,
    ),
    Endpoint(
        "GET", "/api/schema", "The vocabulary: shapes with properties and examples, rules, planned features, limits.",
        ResponseSpec(200, "The vocabulary in the requested form.",
               "object: the vocabulary, with its JSON Schema as `jsonSchema`"),
        _NOT_MODIFIED,
        ResponseSpec(400, "An unknown parameter, or an unknown `form`.", bodies.MALFORMED_REQUEST, "noSuchForm"),
        query=(
            Parameter("form", "`compact` is a short form for a model's context, `structured` a JSON Schema for the "
                      "structured output of language models.", FORMS, closed=True),
        ),
    ),
    Endpoint(
        "GET", "/api/docs", "The workflow, the endpoints and the catalogue of errors.",
        ResponseSpec(200, "Always.", "object"),
        _NOT_MODIFIED,
    ),
    Endpoint(
        "GET", "/llms.txt", "The entry point for agents.",
        ResponseSpec(200, "Always.", "text in the format of llmstxt.org", media_type=TEXT),
        _NOT_MODIFIED,
    ),
    Endpoint(
        "GET", "/api/openapi.json", "This service in OpenAPI 3.1.",
        ResponseSpec(200, "Always.", "object: an OpenAPI document"),
        _NOT_MODIFIED,
    ),
    Endpoint(
        "GET", "/api/health", "Whether the process is up.",
        ResponseSpec(200, "Always.", bodies.HEALTHY, "healthy"),
    ),
    Endpoint(
        "GET", "/api/ready", "Whether the store answers.",
        ResponseSpec(200, "The store answers.", bodies.READY, "ready"),
        _STORE_DOWN,
    ),
)  # fmt: skip
"""Every endpoint, the most important first."""

OPTIONS = ResponseSpec(204, "To OPTIONS: `Allow` contains the methods of the path.", "no body", media_type="")

ANY_ENDPOINT: tuple[ResponseSpec, ...] = (
    OPTIONS,
    ResponseSpec(400, "The request is malformed, such as a `Host` with invalid characters.",
           bodies.MALFORMED_REQUEST, "badRequest"),
    ResponseSpec(403, "A page of another origin sent the request, and may not.", bodies.FOREIGN_ORIGIN, "forbidden"),
    ResponseSpec(404, "No endpoint has this path.", bodies.UNKNOWN_RESOURCE, "noSuchPath"),
    ResponseSpec(405, "The path has other methods: see `Allow`.", bodies.WRONG_METHOD, "methodNotAllowed"),
    ResponseSpec(500, "An error of the service.", bodies.SERVICE_FAILED, "internalError"),
    ResponseSpec(503, "Overloaded, or about to restart. `Retry-After` is the delay before a retry.",
           bodies.TOO_MANY_REQUESTS, "overloaded"),
)  # fmt: skip
"""The responses of every address."""

_OUTSIDE_API = f"Outside of {API_PREFIX}, if `Accept` prefers text/html to JSON."

ERROR_PAGES = tuple(_page(status, _OUTSIDE_API) for status in (400, 403, 404, 405, 500))
"""The errors of `ANY_ENDPOINT` that are pages for browsers."""
