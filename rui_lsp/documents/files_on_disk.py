"""The documents in the files of the workspace: their paths, and a cache of results computed from them."""

from __future__ import annotations

import os
from functools import cache
from typing import NamedTuple
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
"""The file name suffix of documents."""

_SKIPPED_FOLDERS = {"node_modules", "__pycache__"}


class _CachedResult(NamedTuple):
    size: int
    mtime_ns: int
    value: object


def document_paths(open_uris: list[str], folders: list[str]) -> dict[str, str | None]:
    """Map the URIs of all documents to their paths: first the open ones, then the other ones in the folders.

    The path of an open document that is not a file is None. Hidden folders are skipped.
    """
    paths = {uri: path_from_uri(uri) for uri in open_uris}
    known_paths = set(paths.values())
    for folder in folders:
        root = path_from_uri(folder)
        if root is None:
            continue
        for path in _find_files(root):
            if path not in known_paths:
                known_paths.add(path)
                # Keep the client's own spelling of the folder: it compares URIs as strings.
                paths[f"{folder.rstrip('/')}/{pathname2url(path[len(root) :]).lstrip('/')}"] = path
    return paths


def _find_files(root: str) -> Iterator[str]:
    for parent, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        for name in sorted(names):
            if name.endswith(SUFFIX):
                yield os.path.join(parent, name)  # noqa: PTH118  paths are strings here


def path_from_uri(uri: str) -> str | None:
    """Return the path of a ``file:`` URI, or None for any other URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    return url2pathname(parts.path)


def compute_from_file(path: str, key: Hashable, compute: Callable[[Document], _T]) -> _T | None:
    """Return `compute(document)` for the document in a file. The result is cached until the file changes.

    Args:
        path: the file.
        key: identifies the computation and its inputs other than the file.
        compute: computes the result.

    Returns:
        None if the file cannot be read, for example because it has just been deleted.
    """
    results = _cached_results()
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            state = os.fstat(file.fileno())
            cached = results.get((path, key))
            if cached is not None and (cached.size, cached.mtime_ns) == (state.st_size, state.st_mtime_ns):
                return cached.value  # type: ignore[return-value]
            document = read(file.read())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger.warning("cannot read %s: %s", path, error)
        return None
    value = compute(document)
    results[path, key] = _CachedResult(state.st_size, state.st_mtime_ns, value)
    return value


@cache
def _cached_results() -> dict[tuple[str, Hashable], _CachedResult]:
    """Return the results of this process, by path and key."""
    return {}
