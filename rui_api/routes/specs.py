"""Validate, store, retrieve (specification, sections 4.1 to 4.3).

What the endpoints do stands in `Specs`, which takes requests as ASGI has them. It is asked by the handlers below, and
by `rui_api.routes.shortcut`, which keeps plain requests from Litestar's general machinery.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from litestar import Request, post, route
from msgspec import Raw

from rui_api.decoding.typed_decoder import FastPath
from rui_api.http import responses as replies
from rui_api.http.negotiation import names_entity_tag
from rui_api.http.request_body import read_body, read_rui
from rui_api.http.responses import Reply
from rui_api.http.urls import address_of, canonical_spec_id
from rui_api.store.base import StoredSpec
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.vocabulary.rui_0_1 import VERSION

if TYPE_CHECKING:
    from litestar.types import HTTPScope, Receive

    from rui_api.config.options import Settings
    from rui_api.store.base import Store

# The service reads `Request` at run time, to know what the handlers want.
AnyRequest = Request[Any, Any, Any]

VALIDATE = "/api/validate"
SPECS = "/api/specs"

_read_plainly = FastPath().read


def judged(body: bytes | bytearray) -> Reply:
    """What is answered to a body that is to be checked (section 4.1).

    Raises:
        InvalidBody: there is no RUI in it.
    """
    plain = _read_plainly(body)
    if plain is not None:
        return replies.valid(plain.root)
    value = read_rui(bytes(body))
    return replies.invalid(value) or replies.valid(Raw(replies.to_json(normalize(value))))


def to_store(body: bytes | bytearray) -> StoredSpec | Reply:
    """What a body is stored as (section 4.2); or, if it is not, what is answered.

    Raises:
        InvalidBody: there is no RUI in it.
    """
    plain = _read_plainly(body)
    if plain is not None:
        return new_spec(plain.rui, plain.content_hash())
    value = read_rui(bytes(body))
    return replies.invalid(value) or new_spec(replies.to_json(normalize(value)), content_hash(value))


class Specs:
    """The three endpoints. Their methods raise `InvalidBody` and `StorageUnavailable`, which `rui_api.app` answers.

    Args:
        settings: of these the base URL.
        store: where specs are kept.
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._base_url = settings.base_url
        self._store = store

    async def validate(self, scope: HTTPScope, receive: Receive) -> Reply:
        """Check a RUI, give its normal form or what is wrong with it (section 4.1)."""
        return judged(await read_body(scope, receive))

    async def create(self, scope: HTTPScope, receive: Receive) -> Reply:
        """Check a RUI and store its normal form under a new id (section 4.2)."""
        spec = to_store(await read_body(scope, receive))
        if isinstance(spec, Reply):
            return spec
        await self._store.put(spec)
        return self.created(scope, spec)

    def created(self, scope: HTTPScope, spec: StoredSpec) -> Reply:
        """What is answered once `spec` is stored."""
        address = address_of(scope, self._base_url)
        before, tag = replies.saved(spec, address)
        content = replies.with_rui(before, spec.rui)
        return Reply(content, status=201, headers={"location": f"{address}{SPECS}/{spec.spec_id}", "etag": tag})

    async def retrieve(self, scope: HTTPScope, spec_id: str) -> Reply:
        """A stored spec (section 4.3), or 304 for whoever has it already."""
        canonical = canonical_spec_id(spec_id)
        if canonical is None:
            return replies.invalid_spec_id()
        return self.found(scope, canonical, await self._store.get(canonical))

    def found(self, scope: HTTPScope, canonical: str, spec: StoredSpec | None) -> Reply:
        """What is answered once the store was asked for a spec."""
        if spec is None:
            return replies.no_such_spec(canonical)
        before, tag = replies.saved(spec, address_of(scope, self._base_url))
        headers = {"etag": tag, "cache-control": "no-cache"}
        known = [value.decode("latin-1") for name, value in scope["headers"] if name == b"if-none-match"]
        if known and (known == [tag] or names_entity_tag(known, tag)):
            return Reply(status=304, headers=headers)
        return Reply(replies.with_rui(before, spec.rui), headers=headers)


@post(VALIDATE, status_code=200)
async def validate_rui(request: AnyRequest) -> Reply:
    """`Specs.validate`."""
    return await _specs(request).validate(request.scope, request.receive)


@post(SPECS, status_code=201)
async def create_spec(request: AnyRequest) -> Reply:
    """`Specs.create`."""
    return await _specs(request).create(request.scope, request.receive)


@route(f"{SPECS}/{{spec_id:str}}", http_method=["GET", "HEAD"])
async def retrieve_spec(request: AnyRequest) -> Reply:
    """`Specs.retrieve`."""
    return await _specs(request).retrieve(request.scope, request.path_params["spec_id"])


def _specs(request: AnyRequest) -> Specs:
    specs: Specs = request.app.state.specs
    return specs


def new_spec(rui: bytes, content_hash: str) -> StoredSpec:
    """A normal form as it is stored: with an id, the time and its hash (section 2.4)."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
    return StoredSpec(_new_id(), f"{now}Z", content_hash, VERSION, VERSION, rui)


_DRAWN = 64
"""Ids that are made of one read of random bytes: asking the system costs more than all the rest of an id."""
_VARIANTS = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
_ids: list[str] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_ids.clear)  # two processes must not draw from the same


def _new_id() -> str:
    """A random UUID of version 4, as `uuid.uuid4` makes them."""
    if not _ids:
        digits = os.urandom(16 * _DRAWN).hex()
        for start in range(0, len(digits), 32):
            a = digits[start : start + 32]
            _ids.append(f"{a[:8]}-{a[8:12]}-4{a[13:16]}-{_VARIANTS[a[16]]}{a[17:20]}-{a[20:]}")
    return _ids.pop()
