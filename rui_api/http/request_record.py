"""The record of one request: body and response fill it, log, metrics and traces read it."""

from __future__ import annotations

from collections.abc import Sequence

from litestar.types import Scope

from rui_api.store.base import StoredSpec

RECORD = "rui.record"
"""Key of the `RequestRecord` in the state of an ASGI scope."""

CLIENT_CLOSED_REQUEST = 499
"""Status in logs and metrics when the client left before there was a response; nginx has the same number."""


class RequestRecord:
    """Data about one request.

    Attributes:
        codes: the error codes in the response.
        sent: bytes of the response's body.
        status: HTTP status of the response, or `CLIENT_CLOSED_REQUEST`.
        stored: the spec that the request stored, if it has.
    """

    __slots__ = ("codes", "sent", "status", "stored")

    def __init__(self) -> None:
        self.codes: Sequence[str] = ()
        self.sent = 0
        self.status = CLIENT_CLOSED_REQUEST
        self.stored: StoredSpec | None = None


def record_codes(scope: Scope, codes: Sequence[str]) -> None:
    """Set the error codes in the record of the request, if it has one."""
    record = scope["state"].get(RECORD)
    if record is not None:
        record.codes = codes


def record_stored(scope: Scope, spec: StoredSpec) -> None:
    """Set the stored spec in the record of the request, if it has one."""
    record = scope["state"].get(RECORD)
    if record is not None:
        record.stored = spec
