"""Tests that need a program or a file which a machine may lack."""

import os
import shutil
from typing import NoReturn

import pytest


def skip(reason: str) -> NoReturn:
    """Skip the test, because something is missing. In CI it fails: a test that is always skipped finds nothing."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def need_program(name: str) -> None:
    """Skip the test if a program is not installed. In CI it fails."""
    if shutil.which(name) is None:
        skip(f"{name} is not installed")
