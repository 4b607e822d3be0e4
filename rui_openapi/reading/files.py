"""Read a JSON or YAML file, within limits of size and depth."""

from __future__ import annotations

import json
import os
import stat

from rui_common.document_files import read_file
from rui_openapi.errors import OpenApiError

MAX_YAML_BYTES = 4 * 1024 * 1024
"""Maximum size of a YAML file: parsing takes ten times as long as for JSON."""

MAX_YAML_BYTES_IN_PYTHON = 2 * 1024 * 1024
"""The same without PyYAML's compiled module, which takes a tenth of the time."""


Version = tuple[int, int, int]
"""Time of the last change, size and inode of a file."""


def version_of(path: str) -> Version | None:
    """Return what changes when a file does; None if there is no regular file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def read_value(path: str) -> object:
    """Return the value of a file; the suffix, or the first character, distinguishes JSON and YAML.

    Raises:
        OpenApiError: it cannot be read or parsed, is too large or nested too deeply, or PyYAML is missing.
    """
    data = read_data(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OpenApiError(f"cannot read {path}: it is not UTF-8") from None
    if is_yaml(path, data):
        return _parse_yaml(path, text, len(data))
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise OpenApiError(f"cannot read {path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise OpenApiError(f"cannot read {path}: it has too many levels of nesting, or too long a number") from None


def is_yaml(path: str, data: bytes) -> bool:
    """Return whether a file is YAML, by its suffix or its first character."""
    return path.lower().endswith((".yaml", ".yml")) or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[")


def read_data(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        OpenApiError: it cannot be read, or is too large.
    """
    try:
        return read_file(path)
    except OSError as error:
        raise OpenApiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:  # a name with a zero byte
        raise OpenApiError(f"cannot read {path}: {error}") from None


def _parse_yaml(path: str, text: str, size: int) -> object:
    try:
        from rui_openapi.reading import yaml_text  # noqa: PLC0415  PyYAML may be missing
    except ModuleNotFoundError as error:
        raise OpenApiError(
            f"cannot read {path}: {error.name} is not installed: pip install 'rui-toolkit[openapi]'"
        ) from None
    limit = MAX_YAML_BYTES if yaml_text.IS_COMPILED else MAX_YAML_BYTES_IN_PYTHON
    if size > limit:
        raise OpenApiError(f"cannot read {path}: it has more than {limit:,} bytes, the limit for YAML")
    try:
        return yaml_text.parse_yaml(text)
    except yaml_text.YamlError as error:
        raise OpenApiError(f"cannot read {path}: {error}") from None
