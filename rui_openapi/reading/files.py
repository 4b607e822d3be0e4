"""Read a JSON or YAML file, within limits of size and depth."""

from __future__ import annotations

import json
import os
import stat
from typing import NamedTuple

from rui_common.document_files import read_file
from rui_openapi.errors import OpenApiError

MAX_YAML_BYTES = 4 * 1024 * 1024
"""Maximum size of a YAML file: parsing takes ten times as long as for JSON."""

YAML_SUFFIXES = (".yaml", ".yml")

EXTRA = "rui-toolkit[openapi]"
"""The extra of this distribution with the dependencies of this package."""


class Version(NamedTuple):
    """What changes when a file does."""

    modified: int
    size: int
    inode: int


def version_of(path: str) -> Version | None:
    """Return the version of a file; None if there is no regular file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Version(status.st_mtime_ns, status.st_size, status.st_ino)


def read_value(path: str) -> object:
    """Return the value of a file; the suffix, or the first character, distinguishes JSON and YAML.

    Raises:
        OpenApiError: it cannot be read or parsed, is too large or nested too deeply, or PyYAML is missing.
    """
    data = read_data(path)
    if is_yaml(path, data):
        return _parse_yaml(path, data)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise OpenApiError(f"cannot read {path}: it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise OpenApiError(f"cannot read {path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise OpenApiError(f"cannot read {path}: it has too many levels of nesting, or too long a number") from None


def is_yaml(path: str, data: bytes) -> bool:
    """Return whether a file is YAML, by its suffix or its first character."""
    return path.lower().endswith(YAML_SUFFIXES) or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[")


def read_data(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        OpenApiError: it cannot be read, or is too large.
    """
    try:
        return read_file(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OpenApiError(f"cannot read {path}: {reason}") from None
    except ValueError as error:  # a name with a zero byte
        raise OpenApiError(f"cannot read {path}: {error}") from None


def _parse_yaml(path: str, data: bytes) -> object:
    if len(data) > MAX_YAML_BYTES:
        raise OpenApiError(f"cannot read {path}: it has more than {MAX_YAML_BYTES:,} bytes, the limit for YAML")
    try:
        from rui_openapi.reading.yaml_values import YamlError, parse_yaml  # noqa: PLC0415  not for JSON
    except ModuleNotFoundError as error:
        raise OpenApiError(f"cannot read {path}: {error.name} is not installed: pip install '{EXTRA}'") from None
    try:
        return parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise OpenApiError(f"cannot read {path}: it is not UTF-8") from None
    except YamlError as error:
        raise OpenApiError(f"cannot read {path}: {error}") from None
