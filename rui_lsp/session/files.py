"""The documents in the files of the workspace."""

import os
from collections.abc import Callable
from functools import cache

from rui_common.document_files import find_documents, is_document_in, read_file
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.log import logger
from rui_lsp.session.uris import path_from_uri, uri_in_folder


def document_paths(
    open_uris: list[str], folders: list[str], is_left_out: Callable[[str], bool] | None
) -> dict[str, str | None]:
    """Map the URIs of all documents to their paths: first the open ones, then the other ones in the folders.

    Folders for which `is_left_out` returns true are not searched. A file is found once, also if links lead to it or
    folders contain each other. The path of an open document that is not a file is None.
    """
    paths = {uri: path_from_uri(uri) for uri in open_uris}
    known = {os.path.realpath(path) for path in paths.values() if path is not None}
    real_folder = cache(os.path.realpath)
    for folder in folders:
        root = path_from_uri(folder)
        if root is None:
            continue
        for path in find_documents(root, _log_skipped, _log_unreadable, is_left_out):
            if os.path.islink(path):  # noqa: PTH114
                real_path = os.path.realpath(path)
            else:
                folder_of_path, name = os.path.split(path)
                real_path = os.path.join(real_folder(folder_of_path), name)  # noqa: PTH118
            if real_path not in known:
                known.add(real_path)
                # Keep the client's own spelling of the folder.
                paths[uri_in_folder(folder, path[len(root) :].lstrip(os.sep))] = path
    return paths


@cache  # Clients ask for the files again and again.
def _log_skipped(path: str, why: str) -> None:
    logger.warning("%s is skipped: %s", path, why)


def _log_unreadable(error: OSError) -> None:
    """Log a folder that cannot be searched; none that has been removed meanwhile."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        _log_skipped(str(error.filename), error.strerror or str(error))


def is_in_folders(path: str, folders: list[str]) -> bool:
    """Return whether `document_paths` finds a file, or found it before it was deleted."""
    roots = (path_from_uri(folder) for folder in folders)
    return any(root is not None and is_document_in(root, path) for root in roots)


def is_listed(path: str) -> bool:
    """Return whether the folder of a file lists it under this name: some systems find it under others, too."""
    folder, name = os.path.split(path)
    try:
        return name in os.listdir(folder)  # noqa: PTH208
    except OSError:
        return False


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
