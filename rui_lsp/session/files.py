"""The documents in the files of the workspace: their paths, and a cache of results computed from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import pathname2url, url2pathname

from rui_common.document_files import find_documents, leads_out, read_file
from rui_common.network_path import is_network_path
from rui_common.syntax.document import Document, read
from rui_lsp.protocol.log import logger

_T = TypeVar("_T")


class _CachedResult(NamedTuple):
    size: int
    mtime_ns: int
    value: object


def document_paths(open_uris: list[str], folders: list[str]) -> dict[str, str | None]:
    """Map the URIs of all documents to their paths: first the open ones, then the other ones in the folders.

    The path of an open document that is not a file is None.
    """
    paths = {uri: path_from_uri(uri) for uri in open_uris}
    known_paths = set(paths.values())
    for folder in folders:
        root = path_from_uri(folder)
        if root is None:
            continue
        for path in find_documents(root, _log_skipped):
            if path not in known_paths:
                known_paths.add(path)
                # Keep the client's own spelling of the folder: it compares URIs as strings.
                paths[f"{folder.rstrip('/')}/{pathname2url(path[len(root) :]).lstrip('/')}"] = path
    return paths


@cache  # Clients ask for the files again and again.
def _log_skipped(path: str, why: str) -> None:
    logger.warning("%s is skipped: %s", path, why)


def is_in_folders(uri: str, path: str, folders: list[str]) -> bool:
    """Return whether a file is in one of the folders, also after its links are resolved."""
    for folder in folders:
        root = path_from_uri(folder)
        if root is not None and uri.startswith(f"{folder.rstrip('/')}/") and not leads_out(path, root):
            return True
    return False


def path_from_uri(uri: str) -> str | None:
    """Return the path of a ``file:`` URI, or None for any other URI and for files of another computer."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = url2pathname(parts.path)
    if is_network_path(path):
        return None
    return path


def name_of(uri: str) -> str:
    """Return the file name of an address, for messages."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri


def compute_from_file(path: str, key: Hashable, compute: Callable[[Document], _T]) -> _T | None:
    """Return `compute(document)` for the document in a file. The result is cached until the file changes.

    Args:
        path: the file.
        key: identifies the computation and its inputs other than the file.
        compute: computes the result.

    Returns:
        None if the file cannot be read, for example because it has just been deleted.
    """
    results = _results()
    try:
        state = os.stat(path)  # noqa: PTH116
        cached = results.get((path, key))
        if cached is not None and (cached.size, cached.mtime_ns) == (state.st_size, state.st_mtime_ns):
            return cached.value  # type: ignore[return-value]
        document = read(read_file(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger.warning("cannot read %s: %s", path, error)
        return None
    value = compute(document)
    results[path, key] = _CachedResult(state.st_size, state.st_mtime_ns, value)
    return value


def cached_results() -> Iterator[tuple[str, object]]:
    """Yield the path and the result of each computation whose file has not changed since, changed last first."""
    for (path, _), cached in sorted(_results().items(), key=lambda item: -item[1].mtime_ns):
        try:
            state = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            continue
        if (cached.size, cached.mtime_ns) == (state.st_size, state.st_mtime_ns):
            yield path, cached.value


@cache
def _results() -> dict[tuple[str, Hashable], _CachedResult]:
    """Return the results of this process, by path and key."""
    return {}
