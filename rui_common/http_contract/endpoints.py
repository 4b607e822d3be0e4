"""DATA: the endpoints and what each of them answers (specification, section 4; docs/decisions.md, section 6).

A test of the service holds this table against its real routes and answers.
"""

from __future__ import annotations

from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
FORM = "multipart/form-data"
METRICS = "text/plain; version=0.0.4; charset=utf-8"

COMPACT, FULL = FORMS = ("compact", "full")
"""The forms of the vocabulary that can be asked for; the last is what is given to whoever asks for none."""

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


class ResponseSpec:
    """One answer of an endpoint.

    Attributes:
        status: the HTTP status.
        when: in which case.
        media_type: the Content-Type, or ``""`` for an answer without a body.
        shape: the body's shape in the notation of the specification, or words.
        example: the name of an example (see `rui_common.http_contract.docs_json`), or ``""``.
    """

    __slots__ = ("example", "media_type", "shape", "status", "when")

    def __init__(self, status: int, when: str, shape: str, *, example: str = "", media_type: str = JSON) -> None:
        self.status = status
        self.when = when
        self.shape = shape
        self.example = example
        self.media_type = media_type


class Parameter:
    """One parameter behind the question mark, or one field of a form.

    Attributes:
        name: what it is called.
        words: what it asks for.
        values: what it may be; empty for any text.
        closed: whether any other value is refused; else it counts as none.
        required: whether the request makes no sense without it.
        several: whether there may be several values, with commas between them.
        is_id: whether it is the id of a spec.
    """

    __slots__ = ("closed", "is_id", "name", "required", "several", "values", "words")

    def __init__(
        self, name: str, words: str, values: tuple[str, ...] = (), *, closed: bool = False, required: bool = False,
        several: bool = False, is_id: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.words = words
        self.values = values
        self.closed = closed
        self.required = required
        self.several = several
        self.is_id = is_id


class Endpoint:
    """One endpoint.

    Attributes:
        method: the HTTP method.
        path: with ``:id`` and the like for ids of specs.
        summary: what it is for.
        request: what it takes, in words, or ``""``.
        query: the parameters behind the question mark.
        fields: the fields of the form that it takes, if it takes one.
        answers: every answer of its own; those that any endpoint may give are `ANY_ENDPOINT`.
    """

    __slots__ = ("answers", "fields", "method", "path", "query", "request", "summary")

    def __init__(
        self, method: str, path: str, summary: str, *answers: ResponseSpec, request: str = "",
        query: tuple[Parameter, ...] = (), fields: tuple[Parameter, ...] = (),
    ) -> None:  # fmt: skip
        self.method = method
        self.path = path
        self.summary = summary
        self.request = request
        self.query = query
        self.fields = fields
        self.answers = answers

    @property
    def takes(self) -> str:
        """The media type of its body, if it takes one."""
        return FORM if self.fields else JSON


_RAW_RUI = (
    f"Content-Type: {JSON}. The body is the RUI itself, at most {MAX_BODY_BYTES} bytes. It is never wrapped: no "
    '{"rui": ...} around it.'
)
_ID = "`:id` is the UUID of a stored spec."

_SAVED_SPEC = (
    "{ specId: string, url: string, viewUrl: string, createdAt: string, contentHash: string, "
    "validationVersion: string, registryVersion: string, normalizedRui: object }"
)
_INVALID = ResponseSpec(
    200, "The RUI breaks rules. 200 can mean invalid: look at `valid`.",
    "{ valid: false, validationVersion: string, registryVersion: string, errors: ErrorItem[], truncated: boolean }",
    example="invalid",
)  # fmt: skip
_NO_JSON = ResponseSpec(
    400, "The body is not JSON, not an object, empty, too long, or not sent as JSON.",
    '{ valid: false, errors: [{ path: "", code: "INVALID_JSON", message: string, hint: string }] }',
    example="noJson",
)  # fmt: skip
_STORE_DOWN = ResponseSpec(
    503, "The store is down. `Retry-After` says when to ask again.",
    '{ error: "STORAGE_UNAVAILABLE", message: string }', example="storeDown",
)  # fmt: skip

_KNOWN = ResponseSpec(304, "`If-None-Match` names the `ETag`: you have it already.", "no body", media_type="")


def _page(status: int, when: str, shape: str = "page that says so") -> ResponseSpec:
    return ResponseSpec(status, when, shape, media_type=HTML)


_FAULT_PAGE = _page(500, "A fault of the service.")
_NO_STORE_PAGE = _page(503, "The store is down.")

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", "/api/validate", "Checks a RUI and gives its normal form. Stores nothing.",
        ResponseSpec(200, "The RUI is valid.",
               "{ valid: true, validationVersion: string, registryVersion: string, normalizedRui: object }",
               example="valid"),
        _INVALID, _NO_JSON, request=_RAW_RUI,
    ),
    Endpoint(
        "POST", "/api/specs", "Checks a RUI and stores its normal form, every time under a new id.",
        ResponseSpec(201, "Stored. `Location` is the address of the spec.", _SAVED_SPEC, example="saved"),
        _INVALID, _NO_JSON, _STORE_DOWN, request=_RAW_RUI,
    ),
    Endpoint(
        "GET", "/api/specs/:id", "A stored spec, with an `ETag`.",
        ResponseSpec(200, "Found.", _SAVED_SPEC, example="saved"),
        _KNOWN,
        ResponseSpec(
            400, "`:id` is not a UUID.", '{ error: "INVALID_SPEC_ID", message: string }', example="invalidSpecId"
        ),
        ResponseSpec(404, "No spec has this id.", '{ error: "NOT_FOUND", specId: string }', example="noSuchSpec"),
        _STORE_DOWN, request=_ID,
    ),
    Endpoint(
        "GET", "/specs/:id", "The inspector: a stored spec as a page for people.",
        _page(200, "Found.", "page"), _KNOWN,
        _page(400, "`:id` is not a UUID."), _page(404, "No spec has this id."), _FAULT_PAGE, _NO_STORE_PAGE,
        request=_ID,
        query=(
            Parameter("q", "Words that the nodes shown have to have."),
            Parameter("open", "Which nodes are open; anything else is what suits the size of the document.",
                      ("all", "outline", "pages", "none")),
        ),
    ),
    Endpoint(
        "GET", "/specs/:id/compare/:other",
        "Two stored specs compared by the ids of their nodes: what was added, removed, changed, moved.",
        _page(200, "Both are found.", "page"), _KNOWN,
        _page(400, "One of the ids is not a UUID."), _page(404, "No spec has one of the ids."),
        _FAULT_PAGE, _NO_STORE_PAGE,
        request="`:id` and `:other` are UUIDs of stored specs.",
    ),
    Endpoint(
        "GET", "/specs/:id/compare", "Where the form of the inspector goes: on to the comparison with another spec.",
        ResponseSpec(303, "`Location` is the address of the comparison.", "no body", media_type=""),
        _page(400, "One of the ids is not a UUID."), _FAULT_PAGE,
        request=_ID,
        query=(Parameter("with", "The id of the other spec, or its address.", required=True, is_id=True),),
    ),
    Endpoint(
        "GET", "/", "The front page for people: what this is, and a box to check, inspect and store a RUI.",
        _page(200, "Always.", "page"), _FAULT_PAGE,
        query=(
            Parameter("example", "Which example is in the box, with what is found in it; anything else is none.",
                      ("minimal", "full", "wrong", "broken")),
            Parameter("do", "`inspect` shows the example as the inspector would.", ("inspect",)),
        ),
    ),
    Endpoint(
        "POST", "/", "What the box of the front page sends; programs use the API.",
        _page(200, "What was found in the document, or the document as a page.", "page"),
        ResponseSpec(303, "Stored. `Location` is its page.", "no body", media_type=""),
        _page(400, "The form cannot be read, or the document is too long."), _FAULT_PAGE, _NO_STORE_PAGE,
        request="A form, as multipart/form-data or application/x-www-form-urlencoded.",
        fields=(
            Parameter("rui", "The document."),
            Parameter("file", "The document as a file; it wins over `rui`."),
            Parameter("do", "What is to be done with it; anything else is `check`.", ("check", "inspect", "store")),
        ),
    ),
    Endpoint(
        "GET", "/api/schema", "The vocabulary: shapes with properties and examples, rules, planned features, limits.",
        ResponseSpec(200, "The vocabulary, or the part of it that was asked for.",
               "object: the vocabulary, with its JSON Schema as `jsonSchema`"),
        _KNOWN,
        ResponseSpec(400, "A parameter that there is not, or a `form` that there is not.",
               '{ error: "BAD_REQUEST", message: string }', example="noSuchForm"),
        ResponseSpec(404, "`type` names no shape.", '{ error: "NOT_FOUND", message: string }',
               example="noSuchShape"),
        query=(
            Parameter("form", "`compact` is the same in few words, for a model's context.", FORMS, closed=True),
            Parameter("type", "The name of a shape: only that one, with all that it holds and the rules that it can "
                      "break. Several with commas between them.", tuple(VOCABULARY.shapes), closed=True, several=True),
        ),
    ),
    Endpoint(
        "GET", "/api/docs", "The workflow, the endpoints and the catalogue of errors.",
        ResponseSpec(200, "Always.", "object"),
        ResponseSpec(200, "`Accept` asks for text/markdown.", "the same as Markdown", media_type=MARKDOWN),
        _KNOWN,
    ),
    Endpoint(
        "GET", "/llms.txt", "Where an agent begins.",
        ResponseSpec(200, "Always.", "text in the form of llmstxt.org", media_type=TEXT),
        _KNOWN,
    ),
    Endpoint(
        "GET", "/api/openapi.json", "This service in OpenAPI 3.1.",
        ResponseSpec(200, "Always.", "object: an OpenAPI document"),
        _KNOWN,
    ),
    Endpoint(
        "GET", "/api/health", "Whether the process is up.",
        ResponseSpec(200, "Always.", '{ status: "ok" }', example="healthy"),
    ),
    Endpoint(
        "GET", "/api/ready", "Whether the store answers.",
        ResponseSpec(200, "It does.", '{ status: "ready" }', example="ready"),
        _STORE_DOWN,
    ),
    Endpoint(
        "GET", "/metrics", "Numbers for whoever runs the service.",
        ResponseSpec(
            200, "Unless the operator serves them elsewhere.", "text in the form of Prometheus", media_type=METRICS
        ),
    ),
)  # fmt: skip
"""Every endpoint, the main ones first."""

OPTIONS = ResponseSpec(204, "To OPTIONS: `Allow` names the methods of the path.", "no body", media_type="")

ANY_ENDPOINT: tuple[ResponseSpec, ...] = (
    OPTIONS,
    ResponseSpec(400, "The request makes no sense as HTTP, such as a `Host` with characters that no host has.",
           '{ error: "BAD_REQUEST", message: string }', example="badRequest"),
    ResponseSpec(404, "No endpoint has this path.", '{ error: "NOT_FOUND", message: string }', example="noSuchPath"),
    ResponseSpec(405, "The path has other methods: see `Allow`.",
           '{ error: "METHOD_NOT_ALLOWED", message: string }', example="methodNotAllowed"),
    ResponseSpec(
        500, "A fault of the service.", '{ error: "INTERNAL_ERROR", message: string }', example="internalError"
    ),
    ResponseSpec(503, "Too much to do, or about to be restarted. `Retry-After` says when to ask again.",
           '{ error: "OVERLOADED", message: string }', example="overloaded"),
)  # fmt: skip
"""What any address may answer."""
