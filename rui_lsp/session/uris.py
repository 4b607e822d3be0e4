"""Addresses of documents and folders. Clients spell one in several ways, and get back the spelling that they sent."""

import os
import re
from collections.abc import Iterable, Iterator, MutableMapping
from functools import lru_cache
from typing import NamedTuple, TypeVar
from urllib.parse import quote, unquote

from rui_common.document_files import is_network_path

_T = TypeVar("_T")

IS_WINDOWS = os.name == "nt"

_FILE = re.compile(r"file:(?://(?P<host>[^/\\]*))?(?P<path>.*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"/?[A-Za-z]:(?![^/\\])")
_SLASHES = re.compile(r"//+")


class _FileAddress(NamedTuple):
    """The parts of a ``file:`` URI: the host in lower case, ``""`` for this computer, and the path without escapes."""

    host: str
    path: str


@lru_cache(maxsize=4096)  # Clients ask for all files every two seconds, and each address is looked up ten times.
def _file_address(uri: str, *, windows: bool) -> _FileAddress | None:
    found = _FILE.fullmatch(uri)
    if found is None:
        return None
    host = unquote(found["host"] or "").lower()
    path = unquote(found["path"], errors="surrogateescape")
    if _DRIVE.fullmatch(host):  # file://c:/a
        path = f"{host}{path}"
        host = ""
    if windows or _DRIVE.match(path):
        path = path.replace("\\", "/")
    if host == "localhost":
        host = ""
    if not host and is_network_path(path):  # file:////host/share
        host, _, path = path.replace("\\", "/").lstrip("/").partition("/")
    return _FileAddress(host, _SLASHES.sub("/", f"/{path}").rstrip("/"))


def uri_key(uri: str, *, windows: bool = IS_WINDOWS) -> str:
    """Return the normal form of an address: equal for all spellings of one. That of other schemes is the URI itself."""
    address = _file_address(uri, windows=windows)
    if address is None:
        return uri
    path = address.path
    if windows:
        path = path.lower()
    elif _DRIVE.match(path):
        path = path[:2].lower() + path[2:]
    return f"file://{address.host}{path}"


def path_from_uri(uri: str, *, windows: bool = IS_WINDOWS) -> str | None:
    """Return the path of a ``file:`` URI; None for other URIs, files of another computer and what can be no file."""
    address = _file_address(uri, windows=windows)
    if address is None or address.host or not _can_be_path(address.path):
        return None
    if not windows:
        return address.path or "/"
    path = address.path
    if _DRIVE.match(path):
        path = path[1:]
    if not path or path.endswith(":"):  # the root, or a drive
        path = f"{path}/"
    return path.replace("/", "\\")


def _can_be_path(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a character
        return False


def uri_in_folder(folder: str, path: str) -> str:
    """Return the address of a file, by its path in a folder, in the client's spelling of that folder."""
    return f"{folder.removesuffix('/')}/{quote(path.replace(os.sep, '/'), errors='surrogateescape')}"


def name_of(uri: str) -> str:
    """Return the file name of an address, for messages."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri


def innermost_folder(uri: str, folders: Iterable[str]) -> str | None:
    """Return the innermost folder that contains a document, also after links are resolved; None if none does."""
    keys = {folder: uri_key(folder).rstrip("/") for folder in folders}
    if not keys:
        return None
    key = uri_key(uri)
    containing = [folder for folder in keys if key.startswith(f"{keys[folder]}/")]
    path = path_from_uri(uri)
    if not containing and path is not None:
        real_path = os.path.realpath(path)
        for folder in keys:
            root = path_from_uri(folder)
            if root is not None and real_path.startswith(os.path.join(os.path.realpath(root), "")):  # noqa: PTH118
                containing.append(folder)
    return max(containing, key=lambda folder: len(keys[folder]), default=None)


class UriDict(MutableMapping[str, _T]):
    """A dictionary in which all spellings of an address are one key. It keeps the one that was set last."""

    def __init__(self) -> None:
        self._items: dict[str, tuple[str, _T]] = {}

    def __getitem__(self, uri: str) -> _T:
        return self._items[uri_key(uri)][1]

    def __setitem__(self, uri: str, value: _T) -> None:
        self._items[uri_key(uri)] = (uri, value)

    def __delitem__(self, uri: str) -> None:
        del self._items[uri_key(uri)]

    def __iter__(self) -> Iterator[str]:
        return iter([uri for uri, _ in self._items.values()])

    def __len__(self) -> int:
        return len(self._items)

    def spelling(self, uri: str) -> str:
        """Return the spelling of an address that was set; the one given if it is no key."""
        return self._items.get(uri_key(uri), (uri,))[0]
