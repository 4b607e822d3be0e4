"""Fixtures of the command line."""

from tests.support.fixtures import service

__all__ = ["service"]
