"""Fixtures of malformed input: the surfaces."""

from tests.support.fixtures import editor, service

__all__ = ["editor", "service"]
