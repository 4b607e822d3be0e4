"""Find the `rui.toml` of a document. This module imports little, because `rui check` always needs it."""

import os
from typing import NamedTuple

NAME = "rui.toml"


class ApiChoice(NamedTuple):
    """The description for some documents: its file, or ``""`` for none, and whether mismatches are errors."""

    openapi: str = ""
    is_strict: bool = False


def find_configuration(folder: str) -> str | None:
    """Return the path of the nearest `rui.toml` in a folder or above it, or None."""
    absolute = os.path.abspath(folder)
    while True:
        candidate = os.path.join(folder, NAME)
        if os.path.isfile(candidate):
            return os.path.normpath(candidate)
        parent = os.path.dirname(absolute)
        if parent == absolute:
            return None
        absolute = parent
        folder = os.path.join(folder, os.pardir)
