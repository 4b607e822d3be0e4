"""A client of the service that needs only the standard library. The command line and the editor use it, too.

from rui_common.client import Client, InvalidRuiError

client = Client("https://rui.example.org")
try:
print(client.store(Path("shop.rui.json").read_bytes()).view_url)
except InvalidRuiError as error:
for item in error.errors:
print(item.path, item.message, item.hint)
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
