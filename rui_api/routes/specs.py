"""Validate, store, retrieve (specification, sections 4.1 to 4.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from litestar import Request, post, route

from rui_api import replies
from rui_api.address import base_url, canonical_spec_id
from rui_api.body import read_rui
from rui_api.negotiation import names_entity_tag
from rui_api.replies import Reply
from rui_api.store.protocol import Store, StoredSpec
from rui_common.content_hash import content_hash
from rui_common.normalizer import normalize
from rui_common.vocabulary import VERSION

# The service reads `Request` at run time, to know what the handlers want.
AnyRequest = Request[Any, Any, Any]


@post("/api/validate", status_code=200)
async def validate_rui(request: AnyRequest) -> Reply:
    """Check a RUI, give its normal form or what is wrong with it (section 4.1)."""
    value = await read_rui(request)
    return replies.invalid(value) or replies.valid(replies.to_json(normalize(value)))


@post("/api/specs", status_code=201)
async def create_spec(request: AnyRequest) -> Reply:
    """Check a RUI and store its normal form under a new id (section 4.2)."""
    value = await read_rui(request)
    failure = replies.invalid(value)
    if failure is not None:
        return failure
    spec = new_spec(normalize(value))
    store: Store = request.app.state.store
    await store.put(spec)
    address = base_url(request)
    content, tag = replies.saved(spec, address)
    return Reply(content, status=201, headers={"location": f"{address}/api/specs/{spec.spec_id}", "etag": tag})


@route("/api/specs/{spec_id:str}", http_method=["GET", "HEAD"])
async def retrieve_spec(request: AnyRequest) -> Reply:
    """A stored spec (section 4.3), or 304 for whoever has it already."""
    canonical = canonical_spec_id(request.path_params["spec_id"])
    if canonical is None:
        return replies.invalid_spec_id()
    store: Store = request.app.state.store
    spec = await store.get(canonical)
    if spec is None:
        return replies.no_such_spec(canonical)
    content, tag = replies.saved(spec, base_url(request))
    headers = {"etag": tag, "cache-control": "no-cache"}
    if names_entity_tag(request.headers.getall("if-none-match", []), tag):
        return Reply(status=304, headers=headers)
    return Reply(content, headers=headers)


def new_spec(rui: dict[str, object]) -> StoredSpec:
    """A normal form as it is stored: with an id, the time and its hash (section 2.4)."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
    return StoredSpec(str(uuid4()), f"{now}Z", content_hash(rui), VERSION, VERSION, replies.to_json(rui))
