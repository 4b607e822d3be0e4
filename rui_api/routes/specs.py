"""Validate, store and retrieve specs (specification, sections 4.1 to 4.3)."""

from collections.abc import Callable, Sequence
from functools import partial
from time import time
from typing import NamedTuple
from uuid import uuid4

from litestar import Response, post, route
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from rui_api.contract.endpoints import FIX, JSON, WARNINGS
from rui_api.contract.errors import (
    GONE,
    INVALID_SPEC_ID,
    NOT_FOUND,
    OUTCOME_UNKNOWN,
    STORAGE_UNAVAILABLE,
    STORE_FULL,
)
from rui_api.decoding.typed_decoder import FastPath
from rui_api.http import responses
from rui_api.http.bodies import read_body, read_rui
from rui_api.http.errors import InvalidBody, ServiceError
from rui_api.http.requests import GET, HttpRequest, is_set
from rui_api.http.responses import CODES, NOTHING, STORED, Further, conditional, entity_tag, to_json
from rui_api.observability.metrics import Verdict, Work, count_validation, count_work
from rui_api.routes.dependencies import Injected, Services, Site
from rui_api.routes.fixes import fix_fields
from rui_api.routes.new_version import BasedBody, base_of, change_fields, document_of, name_base, with_base
from rui_api.store.base import OutcomeUnknown, StorageUnavailable, Store, StoredSpec, StoreFull, timestamp
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.json_values import as_object
from rui_common.problems.finding import Finding
from rui_common.spec_ids import canonical_spec_id
from rui_common.validation.analysis import Analysis, validate
from rui_common.validation.diagnostics import warning_items
from rui_common.validation.validator import ValidationResult
from rui_common.version import RUI_VERSION
from rui_common.versions.from_base import explain
from rui_common.vocabulary.rules import MAX_ERRORS, MAX_WARNINGS

SPECS = "/api/specs"

_read_valid = FastPath().read


class Checked(NamedTuple):
    """The result of the validation of a body.

    It has the findings, at most one more than a response contains; else the normal form as JSON, and a function that
    returns its hash (section 2.4).
    """

    findings: Sequence[Finding]
    rui: bytes = b""
    content_hash: Callable[[], str] = str
    further: Further = NOTHING  # its last fields


def check_decoded(body: bytes) -> Checked | None:
    """Return the RUI that the typed decoder reads, or None if it refuses the body."""
    decoded = _read_valid(body)
    if decoded is None:
        return None
    return Checked([], decoded.rui, decoded.content_hash)


def check_refused(body: bytes) -> Checked:
    """Validate a body that the typed decoder has refused. Raises `InvalidBody` if it contains no RUI."""
    value = as_object(read_rui(body).value)
    return _checked(validate(value, limit=MAX_ERRORS + 1), value)


def check_with_warnings(body: bytes) -> Checked:
    """Validate a body, and find its warnings (docs/decisions.md, section 3). Raises as `check_refused`."""
    decoded = check_decoded(body)
    analysis = Analysis(read_rui(body))
    checked = decoded or _checked(analysis.validation, analysis.tree.root.members)
    items, is_truncated = warning_items(analysis.document, analysis.validation.lints, MAX_WARNINGS)
    return checked._replace(further={"warnings": items, "warningsTruncated": is_truncated})


def _checked(validation: ValidationResult, value: dict[str, object]) -> Checked:
    """Return the findings of a validation; the normal form and its hash if there are none."""
    if validation.findings:
        return Checked(validation.findings)
    return Checked([], to_json(normalize(validation.tree)), lambda: content_hash(value))


async def _check(request: HttpRequest, services: Services, *, needs_fixes: bool = False) -> Checked:
    """Validate the body of a request, and count the result. Raises `InvalidBody` if it contains no RUI.

    With `needs_fixes`, the result and the error have the fields of `fix_fields`; with a base, the result has those of
    a new version.
    """
    needs_warnings = is_set(request, WARNINGS)
    base_id = base_of(request)
    based: BasedBody | None = None
    body = b""
    try:
        body = await read_body(request)
        if base_id is not None:
            based = await _with_base(services, body, base_id)
            body = based.body
        checked = None if needs_warnings else check_decoded(body)
        if checked is None:
            check = check_refused
            if needs_warnings:
                check = check_with_warnings
            checked = await services.work_thread.run_if_large(partial(check, body), len(body))
    except InvalidBody as error:
        count_validation(Verdict.UNREADABLE, [error.code])
        if needs_fixes and body:
            error.body |= await fix_fields(request, services.fixes, body)
        raise
    further: dict[str, object] = {}
    if based is not None:
        further["kept"] = based.completed.kept
        checked = checked._replace(findings=explain(checked.findings, based.completed))
    if not checked.findings:
        count_validation(Verdict.VALID)
        if based is not None:
            further |= await change_fields(request, services.playground, based.base, checked.rui)
    else:
        if based is None:
            name_base(checked.findings)
        if needs_fixes:
            further |= await fix_fields(request, services.fixes, body)
    if not further:
        return checked
    return checked._replace(further={**checked.further, **further})


async def _with_base(services: Services, body: bytes, base_id: str) -> BasedBody:
    """Return a body with what it keeps of its base. Raises `ServiceError` if the one cannot be read, or the other."""
    document = await services.work_thread.run_if_large(partial(document_of, body), len(body))
    try:
        base = await fetch_spec(services.store, base_id)
        based = await services.work_thread.run_if_large(partial(with_base, document, base), len(body) + len(base.rui))
    except ServiceError:
        count_work(Work.BASE, "refused")
        raise
    count_work(Work.BASE, "done")
    return based


@post("/api/validate", status_code=200)
async def validate_rui(request: HttpRequest, services: Injected[Services]) -> ASGIResponse:
    """Validate a RUI and send its normal form or its errors (section 4.1)."""
    checked = await _check(request, services, needs_fixes=is_set(request, FIX))
    if checked.findings:
        return _invalid(request, checked)
    return ASGIResponse(body=responses.valid(checked.rui, checked.further), media_type=JSON)


@post(SPECS)
async def create_spec(request: HttpRequest, services: Injected[Services], site: Injected[Site]) -> ASGIResponse:
    """Validate a RUI and store its normal form under a new id (section 4.2)."""
    checked = await _check(request, services)
    if checked.findings:
        return _invalid(request, checked)
    hash_ = await services.work_thread.run_if_large(checked.content_hash, len(checked.rui))
    spec = new_spec(checked.rui, hash_)
    await store_spec(request, services.store, spec)
    content = responses.saved_spec(spec, site.url)
    headers = {"location": f"{site.url}{SPECS}/{spec.spec_id}", "etag": entity_tag(content)}
    if checked.further:  # the entity tag stays that of the stored spec
        content = responses.saved_spec(spec, site.url, checked.further)
    return ASGIResponse(body=content, status_code=201, media_type=JSON, headers=headers)


@route(f"{SPECS}/{{spec_id:str}}", http_method=GET)
async def get_stored_spec(
    request: HttpRequest, services: Injected[Services], site: Injected[Site], spec_id: FromPath[str]
) -> Response[bytes]:
    """Send a stored spec, or 304 if the client has it (section 4.3)."""
    spec = await fetch_spec(services.store, spec_id)
    return conditional(request, responses.saved_spec(spec, site.url), site.cache_control)


async def fetch_spec(store: Store, spec_id: str) -> StoredSpec:
    """Return a stored spec. Raises `ServiceError` if there is none with this id, or if it cannot be read."""
    canonical = canonical_spec_id(spec_id)
    if canonical is None:
        raise invalid_spec_id()
    try:
        spec = await store.fetch(canonical)
    except StorageUnavailable as error:
        cause = f"The spec {canonical} may well be there, but it cannot be read at the moment."
        raise storage_unavailable(error, cause) from None
    if spec is None:
        cause = f"Nothing is stored here under {canonical}. Check the id, and that this is the service that stored it."
        raise ServiceError(NOT_FOUND, spec_id=canonical, title="There is no such spec", cause=cause)
    if spec.is_deleted:
        cause = f"The operator of this service deleted the spec {canonical}. Its id is not used again."
        raise ServiceError(GONE, spec_id=canonical, cause=cause)
    return spec


def storage_unavailable(error: StorageUnavailable, cause: str = "") -> ServiceError:
    """Return the error 503 of a store that does not respond or is full (sections 4.2 and 4.3)."""
    return ServiceError(STORAGE_UNAVAILABLE, STORE_FULL if isinstance(error, StoreFull) else "", cause=cause)


def invalid_spec_id() -> ServiceError:
    """Return the error 400 of an id that is no UUID."""
    cause = "The id of a spec is a UUID. Check that the address was copied whole, with nothing added at its end."
    return ServiceError(INVALID_SPEC_ID, title="This address holds no spec id", cause=cause)


def new_spec(rui: bytes, content_hash: str) -> StoredSpec:
    """Return a spec of a normal form as JSON, with its hash, a new id and the current time."""
    return StoredSpec(str(uuid4()), timestamp(time()), content_hash, RUI_VERSION, RUI_VERSION, rui)


async def store_spec(request: HttpRequest, store: Store, spec: StoredSpec) -> None:
    """Store a spec, which the log names. Raises `ServiceError` if it is not stored, or if that is not known."""
    try:
        await store.store(spec)
    except OutcomeUnknown:
        raise ServiceError(OUTCOME_UNKNOWN) from None
    except StorageUnavailable as error:
        raise storage_unavailable(error) from None
    request.scope["state"][STORED] = {"specId": spec.spec_id, "size": len(spec.rui)}


def _invalid(request: HttpRequest, checked: Checked) -> ASGIResponse:
    content, codes = responses.invalid(checked.findings, checked.further)
    count_validation(Verdict.INVALID, codes)
    request.scope["state"][CODES] = codes
    return ASGIResponse(body=content, media_type=JSON)
