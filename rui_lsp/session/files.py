"""The documents in the files of the workspace: their paths, and a cache of results computed from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import NamedTuple, TypeVar

from rui_common.document_files import find_documents, is_document_in, read_file
from rui_common.syntax.document import Document, read
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.log import logger
from rui_lsp.session.uris import path_from_uri, uri_in_folder

_T = TypeVar("_T")


class _CachedResult(NamedTuple):
    size: int
    mtime_ns: int
    value: object


def document_paths(open_uris: list[str], folders: list[str]) -> dict[str, str | None]:
    """Map the URIs of all documents to their paths: first the open ones, then the other ones in the folders.

    A file is found once, also if links lead to it or folders contain each other. The path of an open document that is
    not a file is None.
    """
    paths = {uri: path_from_uri(uri) for uri in open_uris}
    known = {os.path.realpath(path) for path in paths.values() if path is not None}
    for folder in folders:
        root = path_from_uri(folder)
        if root is None:
            continue
        for path in find_documents(root, _log_skipped):
            real_path = os.path.realpath(path)
            if real_path not in known:
                known.add(real_path)
                # Keep the client's own spelling of the folder.
                paths[uri_in_folder(folder, path[len(root) :].lstrip(os.sep))] = path
    return paths


@cache  # Clients ask for the files again and again.
def _log_skipped(path: str, why: str) -> None:
    logger.warning("%s is skipped: %s", path, why)


def is_in_folders(path: str, folders: list[str]) -> bool:
    """Return whether `document_paths` finds a file, or found it before it was deleted."""
    roots = (path_from_uri(folder) for folder in folders)
    return any(root is not None and is_document_in(root, path) for root in roots)


def read_closed(uri: str) -> bytes:
    """Return the content of the file of a document that is not open.

    Raises:
        RequestFailedError: it cannot be read; the message is for the author.
    """
    path = path_from_uri(uri)
    if path is None:
        raise RequestFailedError(f"{uri} is not open, and is no file of this computer. Open it in the editor first.")
    try:
        return read_file(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RequestFailedError(f"{uri} is not open, and its file cannot be read: {reason}.") from None


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
    return {}
