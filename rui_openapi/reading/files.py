"""Read a JSON or YAML file, within limits of size and depth."""

import json
import os
import stat

from rui_common.document_files import read_file
from rui_common.version import missing_package
from rui_openapi.errors import OpenApiError

FileVersion = tuple[int, int, int]  # time of the last change, size and inode of a file


def version_of(path: str) -> FileVersion | None:
    """Return what changes when a file does; None if there is no regular file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def read_value(path: str, *, may_be_pipe: bool) -> object:
    """Return the value of a file; the suffix, or the first character, distinguishes JSON and YAML.

    Raises:
        OpenApiError: it cannot be read or parsed, is too large or nested too deeply, or PyYAML is missing.
    """
    data = read_data(path, may_be_pipe=may_be_pipe)
    try:
        text = data.decode("utf-8-sig")
        if not is_yaml(path, data):
            return json.loads(text)
        from rui_openapi.reading.yaml_text import parse_yaml  # PyYAML may be missing

        return parse_yaml(text)
    except ModuleNotFoundError as error:
        reason = missing_package(error.name, "openapi")
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    except json.JSONDecodeError as error:
        reason = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        reason = "it has too many levels of nesting"
    except ValueError as error:  # the YAML is malformed, or a number has too many digits
        reason = str(error)
    raise OpenApiError(f"cannot read {path}: {reason}")


def is_yaml(path: str, data: bytes) -> bool:
    """Return whether a file is YAML, by its suffix or its first character."""
    return path.lower().endswith((".yaml", ".yml")) or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[")


def read_data(path: str, *, may_be_pipe: bool = False) -> bytes:
    """Return the bytes of a file; it may be a pipe if the user has named it.

    Raises:
        OpenApiError: it cannot be read, or is too large.
    """
    try:
        return read_file(path, may_be_pipe=may_be_pipe)
    except (OSError, ValueError) as error:  # a ValueError for a name with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise OpenApiError(f"cannot read {path}: {reason.lower()}") from None
