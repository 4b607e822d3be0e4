"""A client of the service that needs only the standard library. README.md has an example."""

from __future__ import annotations

from rui_common.client.client import Client
from rui_common.client.results import (
    ErrorItem,
    InvalidRuiError,
    NotFoundError,
    ResponseError,
    SavedSpec,
    ServiceError,
    ServiceTimeoutError,
    UnavailableError,
    UnexpectedResponseError,
    UnreachableError,
    Validation,
)

__all__ = [
    "Client",
    "ErrorItem",
    "InvalidRuiError",
    "NotFoundError",
    "ResponseError",
    "SavedSpec",
    "ServiceError",
    "ServiceTimeoutError",
    "UnavailableError",
    "UnexpectedResponseError",
    "UnreachableError",
    "Validation",
]
