"""Validate, store and retrieve specs (specification, sections 4.1 to 4.3).

The three endpoints are ASGI callables: Litestar's request and response objects cost more than validating a small RUI.
Litestar routes requests to them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from litestar import route
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Method, Receive, Scope, Send
from msgspec import Raw

from rui_api.decoding.typed_decoder import FastPath
from rui_api.http.error_responses import invalid_spec_id, spec_deleted, spec_not_found
from rui_api.http.etags import conditional_response, entity_tag
from rui_api.http.request_body import read_body, read_rui
from rui_api.http.request_record import record_stored
from rui_api.http.responses import Response, invalid, saved_spec, to_json, valid
from rui_api.http.urls import base_url_of, canonical_spec_id
from rui_api.store.base import DeletedSpec, ReadResult, Store, StoredSpec
from rui_api.work_thread import WorkThread
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.vocabulary.rui_0_1 import VERSION

VALIDATE = "/api/validate"
SPECS = "/api/specs"

_read_valid = FastPath().read


def validate_body(body: bytes | bytearray) -> Response:
    """Validate a request body (section 4.1).

    Raises:
        InvalidBody: the body contains no RUI.
    """
    decoded = _read_valid(body)
    if decoded is not None:
        return valid(decoded.root)
    return _validate_refused(body)


def _validate_refused(body: bytes | bytearray) -> Response:
    """Validate a body that the typed decoder has refused."""
    value = read_rui(bytes(body))
    return invalid(value) or valid(Raw(to_json(normalize(value))))


def _parse_refused(body: bytes) -> StoredSpec | Response:
    """Return the new spec for a body that the typed decoder has refused, or the response if the RUI is invalid."""
    value = read_rui(body)
    return invalid(value) or new_spec(to_json(normalize(value)), content_hash(value))


def new_spec(rui: bytes, content_hash: str) -> StoredSpec:
    """Return a spec with a new id and the current time.

    Args:
        rui: the normal form as JSON.
        content_hash: its hash (section 2.4).
    """
    now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
    return StoredSpec(str(uuid4()), f"{now}Z", content_hash, VERSION, VERSION, rui)


class SpecEndpoints:
    """The three endpoints as ASGI callables.

    They raise `InvalidBody`, `StorageUnavailable` and `OverloadedError`; `rui_api.routes.errors` has the responses.

    Args:
        base_url: the configured base URL, or ``""``.
        store: the store of the specs.
        cache_control: the Cache-Control of stored specs.
        thread: validates large documents that the typed decoder refuses.
    """

    def __init__(self, base_url: str, store: Store, cache_control: str, thread: WorkThread) -> None:
        self._base_url = base_url
        self._store = store
        self._cache_control = cache_control
        self._thread = thread

    def handlers(self) -> list[HTTPRouteHandler]:
        """Return the route handlers for Litestar."""
        return [
            _handler(VALIDATE, self.validate, "POST"),
            _handler(SPECS, self.create, "POST"),
            _handler(f"{SPECS}/{{spec_id:str}}", self.retrieve, "GET", "HEAD"),
        ]

    async def validate(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Validate a RUI and send its normal form or its errors (section 4.1)."""
        body = await read_body(scope, receive)
        decoded = _read_valid(body)
        if decoded is not None:
            response = valid(decoded.root)
        else:
            response = await self._thread.run_if_large(lambda: _validate_refused(body), len(body))
        await response(scope, receive, send)

    async def create(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Validate a RUI and store its normal form under a new id (section 4.2)."""
        spec = await self._parse(await read_body(scope, receive))
        if isinstance(spec, Response):
            response = spec
        else:
            await self._store.store(spec)
            record_stored(scope, spec)
            response = self._created(scope, spec)
        await response(scope, receive, send)

    async def retrieve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a stored spec, or 304 if the client has it (section 4.3)."""
        spec_id = canonical_spec_id(scope["path"].rpartition("/")[2])
        if spec_id is None:
            response = invalid_spec_id()
        else:
            response = self._retrieved(scope, spec_id, await self._store.fetch(spec_id))
        await response(scope, receive, send)

    async def _parse(self, body: bytes) -> StoredSpec | Response:
        """Return the new spec for a request body, or the response if the RUI is invalid."""
        decoded = _read_valid(body)
        if decoded is not None:
            return new_spec(decoded.rui, decoded.content_hash())
        return await self._thread.run_if_large(lambda: _parse_refused(body), len(body))

    def _created(self, scope: Scope, spec: StoredSpec) -> Response:
        base_url = base_url_of(scope, self._base_url)
        content, head = saved_spec(spec, base_url)
        headers = {"location": f"{base_url}{SPECS}/{spec.spec_id}", "etag": entity_tag(head)}
        return Response(content, status=201, headers=headers)

    def _retrieved(self, scope: Scope, spec_id: str, spec: ReadResult) -> Response:
        if spec is None:
            return spec_not_found(spec_id)
        if isinstance(spec, DeletedSpec):
            return spec_deleted(spec_id)
        content, head = saved_spec(spec, base_url_of(scope, self._base_url))
        return conditional_response(scope, entity_tag(head), self._cache_control, lambda: Response(content))


def _handler(path: str, endpoint: ASGIApp, *methods: Method) -> HTTPRouteHandler:
    """Return a route handler that passes requests on to an ASGI callable.

    `@asgi` handlers get requests of all methods, and Litestar 2 does not support parameters in their paths.
    """

    async def get_endpoint() -> ASGIApp:
        return endpoint

    return route(path, http_method=methods)(get_endpoint)
