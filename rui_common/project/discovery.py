"""Find the `rui.toml` of a document. This module imports little, because `rui check` always needs it."""

import os
from typing import NamedTuple

NAME = "rui.toml"


class ConfigurationError(Exception):
    """A `rui.toml` cannot be used; the message is one sentence with its name and the reason."""


class ApiChoice(NamedTuple):
    """The description for some documents: its file, or ``""`` for none, and whether mismatches are errors."""

    openapi: str = ""
    is_strict: bool = False


def find_configuration(folder: str) -> str | None:
    """Return the path of the nearest `rui.toml` in a folder or above it, or None.

    One that is no file, or a link that leads nowhere, is returned, too: reading it is an error, and no silence.
    """
    absolute = os.path.abspath(folder)
    while True:
        candidate = os.path.normpath(os.path.join(folder, NAME))
        if os.path.lexists(candidate):
            return candidate
        parent = os.path.dirname(absolute)
        if parent == absolute:
            return None
        absolute = parent
        folder = os.path.join(folder, os.pardir)
