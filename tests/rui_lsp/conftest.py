"""Fixtures of the language server."""

from tests.support.fixtures import service

__all__ = ["service"]
