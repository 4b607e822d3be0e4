"""A client of the service, on the standard library alone: what command line, editor and Python scripts share.

    from rui_common.client import Client, InvalidRuiError

    client = Client("https://rui.example.org")
    try:
        print(client.store(Path("shop.rui.json").read_bytes()).view_url)
    except InvalidRuiError as refused:
        for item in refused.errors:
            print(item.path, item.message, item.hint)

It speaks the contract (specification, section 4) and knows nothing of how a service is made.
"""

from __future__ import annotations

from rui_common.client.client import Client
from rui_common.client.errors import (
    InvalidRuiError,
    NotFoundError,
    ResponseError,
    ServiceError,
    ServiceTimeoutError,
    UnavailableError,
    UnexpectedResponseError,
    UnreachableError,
)
from rui_common.client.models import ErrorItem, SavedSpec, Validation

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
