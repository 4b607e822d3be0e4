"""DATA: the endpoints and what each of them answers (specification, section 4; docs/decisions.md, section 6).

A test of the service holds this table against its real routes and answers.
"""

from __future__ import annotations

from rui_common.catalog import MAX_BODY_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
FORM = "multipart/form-data"
METRICS = "text/plain; version=0.0.4; charset=utf-8"

INVALID_SPEC_ID = "INVALID_SPEC_ID"
NOT_FOUND = "NOT_FOUND"
STORAGE_UNAVAILABLE = "STORAGE_UNAVAILABLE"
METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
INTERNAL_ERROR = "INTERNAL_ERROR"
BAD_REQUEST = "BAD_REQUEST"
OVERLOADED = "OVERLOADED"


FAULTS: dict[str, str] = {
    INVALID_SPEC_ID: "The id of a spec is a UUID.",
    STORAGE_UNAVAILABLE: "The store does not answer; try again soon.",
    NOT_FOUND: "There is nothing at this address.",
    METHOD_NOT_ALLOWED: "This address does not take {method}.",
    BAD_REQUEST: "The request cannot be understood.",
    INTERNAL_ERROR: "The service failed; the fault is not in your request.",
    OVERLOADED: "The service has too much to do; try again soon.",
}
"""What `message` says of each of these errors."""


class Answer:
    """One answer of an endpoint.

    Attributes:
        status: the HTTP status.
        when: in which case.
        media_type: the Content-Type, or ``""`` for an answer without a body.
        shape: the body's shape in the notation of the specification, or words.
        example: the name of an example (see `rui_common.describe.docs_payload`), or ``""``.
    """

    __slots__ = ("example", "media_type", "shape", "status", "when")

    def __init__(self, status: int, when: str, shape: str, *, example: str = "", media_type: str = JSON) -> None:
        self.status = status
        self.when = when
        self.shape = shape
        self.example = example
        self.media_type = media_type


class Route:
    """One endpoint.

    Attributes:
        method: the HTTP method.
        path: with ``:id`` for the one parameter there is.
        summary: what it is for.
        request: what it takes, in words, or ``""``.
        query: the parameters behind the question mark, each with what it asks for.
        takes: the media type of its body, if it takes one.
        answers: every answer of its own; those that any endpoint may give are `ANY_ROUTE`.
    """

    __slots__ = ("answers", "method", "path", "query", "request", "summary", "takes")

    def __init__(
        self, method: str, path: str, summary: str, *answers: Answer, request: str = "",
        query: Mapping[str, str] | None = None, takes: str = JSON,
    ) -> None:  # fmt: skip
        self.method = method
        self.path = path
        self.summary = summary
        self.request = request
        self.query = query or {}
        self.takes = takes
        self.answers = answers


_RAW_RUI = (
    f"Content-Type: {JSON}. The body is the RUI itself, at most {MAX_BODY_BYTES} bytes. It is never wrapped: no "
    '{"rui": ...} around it.'
)
_ID = "`:id` is the UUID of a stored spec."

_SAVED_SPEC = (
    "{ specId: string, url: string, viewUrl: string, createdAt: string, contentHash: string, "
    "validationVersion: string, registryVersion: string, normalizedRui: object }"
)
_INVALID = Answer(
    200, "The RUI breaks rules. 200 can mean invalid: look at `valid`.",
    "{ valid: false, validationVersion: string, registryVersion: string, errors: ErrorItem[], truncated: boolean }",
    example="invalid",
)  # fmt: skip
_NO_JSON = Answer(
    400, "The body is not JSON, not an object, empty, too long, or not sent as JSON.",
    '{ valid: false, errors: [{ path: "", code: "INVALID_JSON", message: string, hint: string }] }',
    example="noJson",
)  # fmt: skip
_STORE_DOWN = Answer(
    503, "The store is down. `Retry-After` says when to ask again.",
    '{ error: "STORAGE_UNAVAILABLE", message: string }', example="storeDown",
)  # fmt: skip

ROUTES: tuple[Route, ...] = (
    Route(
        "POST", "/api/validate", "Checks a RUI and gives its normal form. Stores nothing.",
        Answer(200, "The RUI is valid.",
               "{ valid: true, validationVersion: string, registryVersion: string, normalizedRui: object }",
               example="valid"),
        _INVALID, _NO_JSON, request=_RAW_RUI,
    ),
    Route(
        "POST", "/api/specs", "Checks a RUI and stores its normal form, every time under a new id.",
        Answer(201, "Stored. `Location` is the address of the spec.", _SAVED_SPEC, example="saved"),
        _INVALID, _NO_JSON, _STORE_DOWN, request=_RAW_RUI,
    ),
    Route(
        "GET", "/api/specs/:id", "A stored spec, with an `ETag`.",
        Answer(200, "Found.", _SAVED_SPEC, example="saved"),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
        Answer(400, "`:id` is not a UUID.", '{ error: "INVALID_SPEC_ID", message: string }', example="invalidSpecId"),
        Answer(404, "No spec has this id.", '{ error: "NOT_FOUND", specId: string }', example="noSuchSpec"),
        _STORE_DOWN, request=_ID,
    ),
    Route(
        "GET", "/specs/:id", "The inspector: a stored spec as a page for people.",
        Answer(200, "Found.", "page", media_type=HTML),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
        Answer(400, "`:id` is not a UUID.", "page that says so", media_type=HTML),
        Answer(404, "No spec has this id.", "page that says so", media_type=HTML),
        Answer(500, "A fault of the service.", "page that says so", media_type=HTML),
        Answer(503, "The store is down.", "page that says so", media_type=HTML),
        request=_ID,
        query={"q": "Words that the nodes shown have to have.",
               "open": "Which nodes are open: all, outline, pages or none; anything else is what suits the size."},
    ),
    Route(
        "GET", "/specs/:id/compare/:other",
        "Two stored specs compared by the ids of their nodes: what was added, removed, changed, moved.",
        Answer(200, "Both are found.", "page", media_type=HTML),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
        Answer(400, "One of the ids is not a UUID.", "page that says so", media_type=HTML),
        Answer(404, "No spec has one of the ids.", "page that says so", media_type=HTML),
        Answer(500, "A fault of the service.", "page that says so", media_type=HTML),
        Answer(503, "The store is down.", "page that says so", media_type=HTML),
        request="`:id` and `:other` are UUIDs of stored specs.",
    ),
    Route(
        "GET", "/", "The front page for people: what this is, and a box to check, inspect and store a RUI.",
        Answer(200, "Always.", "page", media_type=HTML),
        Answer(500, "A fault of the service.", "page that says so", media_type=HTML),
    ),
    Route(
        "POST", "/", "What the box of the front page sends; programs use the API.",
        Answer(200, "What was found in the document, or the document as a page.", "page", media_type=HTML),
        Answer(303, "Stored. `Location` is its page.", "no body", media_type=""),
        Answer(400, "The form cannot be read, or the document is too long.", "page that says so", media_type=HTML),
        Answer(500, "A fault of the service.", "page that says so", media_type=HTML),
        Answer(503, "The store is down.", "page that says so", media_type=HTML),
        request="A form with the document as `rui`, or as a file in `file`, and `do`: check, inspect or store.",
        takes=FORM,
    ),
    Route(
        "GET", "/api/schema", "The vocabulary: shapes with properties and examples, rules, planned features, limits.",
        Answer(200, "The vocabulary, or the part of it that was asked for.",
               "object: the vocabulary, with its JSON Schema as `jsonSchema`"),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
        Answer(400, "A parameter that there is not, or a `form` that there is not.",
               '{ error: "BAD_REQUEST", message: string }', example="badRequest"),
        Answer(404, "`type` names no shape.", '{ error: "NOT_FOUND", message: string }',
               example="noSuchShape"),
        query={
            "form": "`compact` is the same in few words, for a model's context.",
            "type": "The name of a shape: only that one, with all that it holds and the rules that it can break. "
            "Several with commas between them.",
        },
    ),
    Route(
        "GET", "/api/docs", "The workflow, the endpoints and the catalogue of errors.",
        Answer(200, "Always.", "object"),
        Answer(200, "`Accept` asks for text/markdown.", "the same as Markdown", media_type=MARKDOWN),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
    ),
    Route(
        "GET", "/llms.txt", "Where an agent begins.",
        Answer(200, "Always.", "text in the form of llmstxt.org", media_type=TEXT),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
    ),
    Route(
        "GET", "/api/openapi.json", "This service in OpenAPI 3.1.",
        Answer(200, "Always.", "object: an OpenAPI document"),
        Answer(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type=""),
    ),
    Route(
        "GET", "/api/health", "Whether the process is up.",
        Answer(200, "Always.", '{ status: "ok" }', example="healthy"),
    ),
    Route(
        "GET", "/api/ready", "Whether the store answers.",
        Answer(200, "It does.", '{ status: "ready" }', example="ready"),
        _STORE_DOWN,
    ),
    Route(
        "GET", "/metrics", "Numbers for whoever runs the service.",
        Answer(200, "Unless the operator serves them elsewhere.", "text in the form of Prometheus", media_type=METRICS),
    ),
)  # fmt: skip
"""Every endpoint, the main ones first."""

ANY_ROUTE: tuple[Answer, ...] = (
    Answer(400, "The request makes no sense as HTTP, such as a `Host` with characters that no host has.",
           '{ error: "BAD_REQUEST", message: string }', example="badRequest"),
    Answer(404, "No endpoint has this path.", '{ error: "NOT_FOUND", message: string }', example="noSuchPath"),
    Answer(405, "The path has other methods: see `Allow`.",
           '{ error: "METHOD_NOT_ALLOWED", message: string }', example="methodNotAllowed"),
    Answer(500, "A fault of the service.", '{ error: "INTERNAL_ERROR", message: string }', example="internalError"),
    Answer(503, "Too much to do, or about to be restarted. `Retry-After` says when to ask again.",
           '{ error: "OVERLOADED", message: string }', example="overloaded"),
)  # fmt: skip
"""What any address may answer."""
