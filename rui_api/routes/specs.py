"""Validate, store and retrieve specs (specification, sections 4.1 to 4.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from litestar import Request, post, route
from msgspec import Raw

from rui_api.decoding.typed_decoder import FastPath
from rui_api.http.error_responses import invalid_spec_id, spec_deleted, spec_not_found
from rui_api.http.etags import conditional_response, entity_tag
from rui_api.http.request_body import read_body, read_rui
from rui_api.http.request_record import record_stored
from rui_api.http.responses import Response, invalid, saved_spec, to_json, valid
from rui_api.http.urls import base_url, canonical_spec_id
from rui_api.routes.dependencies import StoreDependency, WorkThreadDependency
from rui_api.store.base import DeletedSpec, StoredSpec
from rui_api.work_thread import WorkThread
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.vocabulary.rui_0_1 import VERSION

# Litestar evaluates the annotations of handlers, so this name exists at run time.
AnyRequest = Request[Any, Any, Any]

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


@post(VALIDATE)
async def validate_rui(request: AnyRequest, work_thread: WorkThreadDependency) -> Response:
    """Validate a RUI and send its normal form or its errors (section 4.1)."""
    body = await read_body(request.scope, request.receive)
    decoded = _read_valid(body)
    if decoded is not None:
        return valid(decoded.root)
    return await work_thread.run_if_large(lambda: _validate_refused(body), len(body))


@post(SPECS)
async def create_spec(request: AnyRequest, store: StoreDependency, work_thread: WorkThreadDependency) -> Response:
    """Validate a RUI and store its normal form under a new id (section 4.2)."""
    spec = await _parse(await read_body(request.scope, request.receive), work_thread)
    if isinstance(spec, Response):
        return spec
    await store.store(spec)
    record_stored(request.scope, spec)
    url = base_url(request)
    content, head = saved_spec(spec, url)
    headers = {"location": f"{url}{SPECS}/{spec.spec_id}", "etag": entity_tag(head)}
    return Response(content, status=201, headers=headers)


@route(f"{SPECS}/{{spec_id:str}}", http_method=["GET", "HEAD"])
async def get_stored_spec(request: AnyRequest, store: StoreDependency) -> Response:
    """Send a stored spec, or 304 if the client has it (section 4.3)."""
    spec_id = canonical_spec_id(request.path_params["spec_id"])
    if spec_id is None:
        return invalid_spec_id()
    spec = await store.fetch(spec_id)
    if spec is None:
        return spec_not_found(spec_id)
    if isinstance(spec, DeletedSpec):
        return spec_deleted(spec_id)
    content, head = saved_spec(spec, base_url(request))
    return conditional_response(
        request.scope, entity_tag(head), request.app.state.cache_control, lambda: Response(content)
    )


async def _parse(body: bytes, work_thread: WorkThread) -> StoredSpec | Response:
    """Return the new spec for a request body, or the response if the RUI is invalid."""
    decoded = _read_valid(body)
    if decoded is not None:
        return new_spec(decoded.rui, decoded.content_hash())
    return await work_thread.run_if_large(lambda: _parse_refused(body), len(body))
