"""The error of this package."""


class OpenApiError(Exception):
    """A file cannot be used; the message is one sentence with its name and the reason."""
