"""The error of this package."""

from __future__ import annotations


class OpenApiError(Exception):
    """A file cannot be used; the message is one sentence with its name and the reason."""
