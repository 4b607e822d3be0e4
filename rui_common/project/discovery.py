"""Find the `rui.toml` of a document. This module imports little, because `rui check` always needs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

CONFIGURATION_FILE = "rui.toml"


class ConfigurationError(Exception):
    """A `rui.toml` cannot be used; the message is one sentence with its name and the reason."""


class Exclusion(Protocol):
    """What excludes documents: a `ProjectConfiguration`, which is slow to import."""

    folder: str  # the folder of its `rui.toml`

    def excludes(self, path: str, *, is_folder: bool = False) -> bool: ...


class ApiChoice(NamedTuple):
    """The description for some documents: its file, or ``""`` for none, and whether mismatches are errors."""

    openapi: str = ""
    is_strict: bool = False


def find_configuration(folder: str, exists: Callable[[str], bool] = os.path.lexists) -> str | None:
    """Return the path of the nearest `rui.toml` in a folder or above it, or None; `exists` says whether there is one.

    One that is no file, or a link that leads nowhere, is returned, too: reading it is an error, and no silence.
    """
    absolute = os.path.abspath(folder)
    while True:
        candidate = os.path.normpath(os.path.join(folder, CONFIGURATION_FILE))
        if exists(candidate):
            return candidate
        parent = os.path.dirname(absolute)
        if parent == absolute:
            return None
        absolute = parent
        folder = os.path.join(folder, os.pardir)


def find_configurations(folder: str, find: Callable[[str], str | None]) -> Iterator[str]:
    """Yield the paths of every `rui.toml` in a folder and above it, the nearest one first.

    `find` returns the nearest one of a folder: `find_configuration`, or what remembers its results.
    """
    path = find(folder)
    while path is not None:
        yield path
        inner = os.path.dirname(path) or os.curdir
        outer = os.path.normpath(os.path.join(inner, os.pardir))
        if os.path.abspath(outer) == os.path.abspath(inner):
            return
        path = find(outer)


def is_excluded(path: str, configurations: Iterable[Exclusion], *, is_folder: bool = False) -> bool:
    """Return whether a document, or a folder with all that is in it, is excluded by one of its `rui.toml` files.

    `configurations` are those above it, the nearest one first. Each decides about what is in its folder, up to the
    folder of the one before: a `rui.toml` in an excluded folder cannot include it.
    """
    for configuration in configurations:
        if configuration.excludes(path, is_folder=is_folder):
            return True
        path, is_folder = configuration.folder or os.curdir, True
    return False
