"""Data of the client: a raw HTTP response, and the results read from it (specification, sections 2.4 to 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RawResponse:
    """An HTTP response: status, headers by lower-case name, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ErrorItem:
    """One item of ``errors[]`` (section 2.5)."""

    path: str
    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of validating a RUI (section 4.1).

    Attributes:
        valid: whether it is valid.
        errors: its errors; empty if it is valid. For a body that is not JSON (status 400) this is one item with the
            code ``INVALID_JSON``.
        truncated: whether there are more errors than `errors` contains.
        normalized_rui: its normal form if it is valid, else None.
    """

    valid: bool
    errors: tuple[ErrorItem, ...]
    truncated: bool
    normalized_rui: Json | None


@dataclass(frozen=True, slots=True)
class SavedSpec:
    """A stored RUI (section 2.4).

    Attributes:
        spec_id: its id, a UUID.
        url: its address for programs.
        view_url: the address of its page in the inspector.
        created_at: when it was stored, in ISO 8601 and UTC.
        content_hash: ``sha256:`` and the digest of the RFC 8785 form of `normalized_rui`.
        validation_version: the version of the rules that it was checked by.
        registry_version: the version of the vocabulary.
        normalized_rui: the RUI in its normal form.
    """

    spec_id: str
    url: str
    view_url: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    normalized_rui: Json
