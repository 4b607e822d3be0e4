"""Find documents in a folder, and read files that may be hostile: only regular ones and named pipes, up to a limit."""

import os
import stat
import unicodedata
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

SUFFIX = ".rui.json"  # the file name suffix of documents

MAX_FILE_BYTES = 16 * 1024 * 1024
"""Maximum size of a document, an OpenAPI description or a `rui.toml`. GitHub's description has 13 MB."""

_IS_POSIX = os.name == "posix"
_MAX_STEM = 60  # Maximum number of characters before the suffix. A file name has at most 255 bytes on most systems.

_PORTS = {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789"}
_RESERVED = {"con", "prn", "aux", "nul", *_PORTS}
"""Names that Windows does not allow, with any suffix."""

_KINDS = {
    stat.S_ISDIR: "folder",
    stat.S_ISFIFO: "pipe",
    stat.S_ISSOCK: "socket",
    stat.S_ISCHR: "device",
    stat.S_ISBLK: "device",
}
"""The kinds of files that are not regular."""


def file_name(title: str, default: str) -> str:
    """Return a file name for a document: the letters and digits of its title in lower case, with dashes between words.

    `default` is the part before the suffix if the title has none of them.

    >>> file_name("Größe / Order desk", "new"), file_name("CON", "new"), file_name("", "new")
    ('größe-order-desk.rui.json', 'con-app.rui.json', 'new.rui.json')
    """
    normal = unicodedata.normalize("NFKC", title).lower()
    kept = "".join(mark if unicodedata.category(mark)[0] in "LMN" else " " for mark in normal)
    stem = "-".join(kept.split())[:_MAX_STEM].rstrip("-")
    if stem in _RESERVED:
        stem = f"{stem}-app"
    return f"{stem or default}{SUFFIX}"


def find_documents(
    folder: str,
    on_skipped: Callable[[str, str], None],
    on_error: Callable[[OSError], None] | None = None,
    is_left_out: Callable[[str], bool] | None = None,
) -> list[str]:
    """Return the paths of every ``*.rui.json`` below a folder, sorted, without ``node_modules`` and hidden ones.

    Hidden files are those of editors and systems, such as ``.#a.rui.json`` of Emacs and ``._a.rui.json`` of macOS.
    `on_skipped` gets the path of each file that is not read, and the reason; `on_error` a subfolder that cannot be. A
    subfolder for which `is_left_out` returns true is not searched.
    """
    found: list[_Found] = []
    folders = [folder]
    while folders:  # `os.walk` of Python 3.11 recurses: a thousand levels raise an error.
        try:
            inner, files = _list_folder(folders.pop())
        except OSError as error:
            if on_error is not None:
                on_error(error)
            continue
        folders += inner if is_left_out is None else [path for path in inner if not is_left_out(path)]
        found += files
    found.sort(key=lambda file: file.path.split(os.sep))
    documents = []
    for path, is_regular in found:
        if is_regular:
            documents.append(path)
        elif leads_out(path, folder):
            on_skipped(path, "it leads out of the folder")
        elif _is_special(path):
            on_skipped(path, "it is no regular file")
        else:
            documents.append(path)
    return documents


class _Found(NamedTuple):
    """A file that is named as a document is."""

    path: str
    is_regular: bool  # whether it is a regular file in its folder, and no link


def _list_folder(folder: str) -> tuple[list[str], list[_Found]]:
    """Return the paths of the folders, and the documents, in a folder, without hidden ones."""
    folders: list[str] = []
    documents: list[_Found] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if _is_excluded(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.name.endswith(SUFFIX):
                is_regular = _IS_POSIX and entry.is_file(follow_symlinks=False)  # Windows has further links of folders.
                if is_regular or not os.path.isdir(entry.path):
                    documents.append(_Found(entry.path, is_regular))
    return folders, documents


def is_document_in(folder: str, path: str) -> bool:
    """Return whether `find_documents` finds a path in a folder, which may be spelled in another way."""
    if not path.endswith(SUFFIX) or leads_out(path, folder) or _is_special(path):
        return False
    inner = os.path.join(folder, "")
    if not path.startswith(inner):
        path = os.path.realpath(path)
        inner = os.path.join(os.path.realpath(folder), "")
    return not any(map(_is_excluded, path.removeprefix(inner).split(os.sep)))


def _is_excluded(name: str) -> bool:
    return name.startswith(".") or name == "node_modules"


def leads_out(path: str, folder: str) -> bool:
    return not os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def _is_special(path: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # reading it reports the error
        return False


def read_file(path: str, *, may_be_pipe: bool = False) -> bytes:
    """Return the content of a regular file; a device is not read, nor is a pipe, unless the user has named it.

    Raises:
        OSError: it cannot be read, is no file of these kinds, or has more than `MAX_FILE_BYTES`.
        ValueError: the path contains a zero byte.
    """
    status = os.stat(path)
    is_pipe = may_be_pipe and stat.S_ISFIFO(status.st_mode)
    if not is_pipe:
        check_regular(status)  # Opening a device may change its state.
    with open(path, "rb", opener=None if is_pipe else _open_without_waiting) as file:
        if not is_pipe:
            check_regular(os.fstat(file.fileno()))  # The path may have been replaced since.
        return read_limited(file)


def read_limited(stream: BinaryIO) -> bytes:
    """Return the rest of a stream.

    Raises:
        OSError: it has more than `MAX_FILE_BYTES`. No more than one further byte is read.
    """
    data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise OSError(f"it has more than {MAX_FILE_BYTES:,} bytes")
    return data


def check_regular(status: os.stat_result) -> None:
    """Raise OSError, which names the kind of the file, if it is not a regular one."""
    for is_kind, kind in _KINDS.items():
        if is_kind(status.st_mode):
            raise OSError(f"it is a {kind}")


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has neither the flag nor pipes in folders.


def is_network_path(path: str) -> bool:
    r"""Return whether Windows looks for a path on another computer: ``\\host\share`` or ``//host/share``.

    Opening it sends credentials of the user to the host.
    """
    return path.replace("\\", "/").startswith("//")
