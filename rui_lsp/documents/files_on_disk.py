"""The documents of the workspace that are in files: where they are, and what was made of them."""

from __future__ import annotations

import os
from urllib.parse import urlsplit
from urllib.request import pathname2url, url2pathname

from rui_common.syntax.document import read
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import TypeVar

    from rui_common.syntax.document import Document

    _T = TypeVar("_T")

SUFFIX = ".rui.json"
"""What the names of documents end with."""

_SKIPPED = {"node_modules", "__pycache__"}
"""Folders that are not looked into, beside those whose name begins with a dot."""

_kept: dict[tuple[str, Hashable], tuple[tuple[int, int], object]] = {}
"""Path of a file and what is made of it → its size and time, and what was made then."""


def document_paths(documents: list[str], folders: list[str]) -> dict[str, str | None]:
    """Every open document, then every other one in some folders: its address, and its path if it is in a file."""
    found = {uri: path_from_uri(uri) for uri in documents}
    known = set(found.values())
    for folder in folders:
        root = path_from_uri(folder)
        for path in () if root is None else _walk(root):
            if root is not None and path not in known:
                known.add(path)
                # As the client would write it: with the beginning that it wrote itself.
                found[f"{folder.rstrip('/')}/{pathname2url(path[len(root) :]).lstrip('/')}"] = path
    return found


def _walk(root: str) -> Iterator[str]:
    for around, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            if name.endswith(SUFFIX):
                yield os.path.join(around, name)  # noqa: PTH118  strings go in and out


def path_from_uri(uri: str) -> str | None:
    """The path of a file by its address, or None for an address of another kind."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return url2pathname(parts.path) if parts.scheme == "file" else None


def compute_from_file(path: str, what: Hashable, make: Callable[[Document], _T]) -> _T | None:
    """What `make` gives for the document in a file; it is asked again only when size or time of the file change.

    Args:
        path: the file.
        what: names what is made, with everything that it depends on besides the file.
        make: makes it.

    Returns:
        None if the file cannot be read, as one that has just been deleted.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            state = os.fstat(file.fileno())
            stamp = state.st_size, state.st_mtime_ns
            if (path, what) in _kept and _kept[path, what][0] == stamp:
                return _kept[path, what][1]  # type: ignore[return-value]
            document = read(file.read())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger().warning("cannot read %s: %s", path, error)
        return None
    made = make(document)
    _kept[path, what] = stamp, made
    return made
