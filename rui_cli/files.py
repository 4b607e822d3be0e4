"""Find, read and write documents, as bytes."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fnmatch import fnmatch
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from rui_cli import output
from rui_cli.errors import OperationalError, UsageError, reason
from rui_common.document_files import SUFFIX, find_documents, read_file, read_limited
from rui_common.project.discovery import (
    CONFIGURATION_FILE,
    ConfigurationError,
    find_configuration,
    find_configurations,
    is_excluded,
)
from rui_common.suggest import nearest
from rui_common.texts import count_of

if TYPE_CHECKING:  # slow, and only with a rui.toml
    from rui_common.project.configuration import ProjectConfiguration

STDIN = "-"

STDIN_NAME = "<stdin>"  # the name of standard input in messages, without ``--stdin-filename``

STDIN_PATHS = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}
"""Names of standard input that mean the same as ``-``. Opening them fails if it is a socket, as below Node.js."""


_WILDCARD = re.compile(r"[*?]|\[.+\]")

_FULL = {errno.ENOSPC, errno.EDQUOT}
"""Errors of a full disk. Nothing is written in place then: not every file system could write the old content again."""


class File(NamedTuple):
    """A document."""

    name: str  # its name, or `STDIN`
    location: str  # its name; for standard input the name that the user gives it, or ``""``
    data: bytes

    @property
    def shown_name(self) -> str:
        return self.location or STDIN_NAME


class Excluding(Enum):
    """Which documents the `exclude` of a `rui.toml` leaves out."""

    NONE = 0
    FOUND = 1  # documents that are found in folders, or by a glob
    ALL = 2  # also those that are named: pre-commit names each file

    @classmethod
    def of(cls, args: Namespace, *, named: bool) -> Excluding:
        """Return the choice of a command line; `named` says whether its command leaves out what is named, too."""
        if args.no_exclude:
            return cls.NONE
        return cls.ALL if named else cls.FOUND


class Documents:
    """The documents in a command line, read while they are iterated.

    What cannot be read is one line on standard error, and the others go on.

    Args:
        arguments: files, folders, globs, and ``-`` for standard input; no argument is the current folder. A folder
            includes the documents that `find_documents` returns, a glob those of them that fit. A file that is named
            may have any name, and may be a pipe.
        command: the name of the command.
        stdin_filename: the name of standard input in messages.
        excluding: which of them the `exclude` of their `rui.toml` leaves out.
        report_to: gets what would be a line on standard error, with the name of its file; notes are left out then.
    """

    def __init__(
        self,
        arguments: list[str],
        command: str,
        stdin_filename: str = "",
        *,
        excluding: Excluding = Excluding.FOUND,
        report_to: Callable[[str, str], None] | None = None,
    ) -> None:
        self._arguments = arguments
        self.command = command
        self._stdin_filename = stdin_filename
        self._excluding = excluding
        self._report_to = report_to
        self._find = cache(find_configuration)
        self._configurations: dict[str, ProjectConfiguration | None] = {}  # by path; None for one that cannot be used
        self._above: dict[str, list[ProjectConfiguration]] = {}  # by folder: those in it and above it
        self.has_excluded = False  # whether a search has left something out
        self.problems = 0  # the number of files and folders that could not be read, written or used

    def __iter__(self) -> Iterator[File]:
        read = set()
        excluded: list[str] = []  # the files that are named
        for name, is_named in self._names():
            path = name if name == STDIN else os.path.realpath(name)
            if path in read:
                continue
            read.add(path)
            is_file = is_named and os.path.isfile(name)  # no pipe, and not missing
            if is_file and self._excluding is Excluding.ALL and self.excludes(name):
                excluded.append(name)
                continue
            try:
                data = read_bytes(name, self._stdin_filename, may_be_pipe=is_named)
            except OperationalError as error:
                self.report(str(error), name)
            else:
                yield File(name, self._stdin_filename if name == STDIN else name, data)
        if excluded:
            what = f"{excluded[0]} is" if len(excluded) == 1 else f"{count_of(len(excluded), 'files')} are"
            self.note(f"{what} excluded by {CONFIGURATION_FILE}; --no-exclude includes what is excluded")

    @property
    def searched(self) -> list[str]:
        """The folders that are searched as a whole."""
        return [argument for argument in self._arguments or [os.curdir] if os.path.isdir(argument)]

    @property
    def configurations(self) -> list[ProjectConfiguration]:
        """Every `rui.toml` that has been read and can be used."""
        return [configuration for configuration in self._configurations.values() if configuration is not None]

    def note(self, text: str) -> None:
        """Write what is no problem to standard error."""
        self.print(f"note: {text}")

    def print(self, text: str) -> None:
        """Write a line to standard error, unless that is for the report alone."""
        if self._report_to is None:
            output.print_message(text, self.command)

    def report(self, problem: str, name: str) -> None:
        """Write a problem with a file to standard error, or into the report, and count it."""
        self.problems += 1
        if self._report_to is not None:
            self._report_to(name, problem)
        self.print(problem)

    def replace(self, file: File, data: bytes, verb: str) -> bool:
        """Replace the content of a file, which is no pipe, and print that or the error. Return whether it is replaced.

        It is not if another program has changed the file since. `verb` is the past participle for the message, such as
        "formatted".
        """
        try:
            if read_file(file.name) != file.data:
                raise OSError("it has changed since it was read")
            _replace(os.path.realpath(file.name), data)
        except OSError as error:
            self.report(f"cannot write {file.name}: {reason(error)}", file.name)
            return False
        self.print(f"{verb} {file.name}")
        return True

    def configuration_of(self, file: File) -> ProjectConfiguration | None:
        """Return the nearest `rui.toml` of a document: of the current folder for a pipe; None without a usable one.

        One that cannot be used is reported once.
        """
        return self._configuration_at(file.location)

    def _configuration_at(self, location: str) -> ProjectConfiguration | None:
        folder = ""
        if os.path.isfile(location) or not os.path.exists(location):
            folder = os.path.dirname(location)
        while folder and not os.path.isdir(folder):  # The file of a new text may be in a new folder.
            folder = os.path.dirname(folder)
        path = self._find(folder)
        return None if path is None else self._configuration(path)

    def _configuration(self, path: str) -> ProjectConfiguration | None:
        """Return what is in a `rui.toml`; None if it cannot be used, which is reported once."""
        if path not in self._configurations:
            from rui_common.project.configuration import ProjectConfiguration  # see above

            self._configurations[path] = None
            try:
                self._configurations[path] = ProjectConfiguration(path)
            except ConfigurationError as error:
                self.report(str(error), path)
        return self._configurations[path]

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a document, or a folder with all that is in it, is excluded by a `rui.toml` above it.

        Nothing is if one of them cannot be used.
        """
        if self._excluding is Excluding.NONE:
            return False
        folder = os.path.normpath(os.path.join(path, os.pardir)) if is_folder else os.path.dirname(path)
        above = self._configurations_above(folder)
        return bool(above) and is_excluded(path, above, is_folder=is_folder)

    def _configurations_above(self, folder: str) -> list[ProjectConfiguration]:
        """Return what is in each `rui.toml` in a folder and above it; nothing if one of them cannot be used."""
        if folder not in self._above:
            outer = None
            if os.path.basename(folder) != os.pardir:  # The part before it is no folder around it.
                outer = self._above.get(os.path.dirname(folder))
            if outer is None or os.path.lexists(os.path.join(folder, CONFIGURATION_FILE)):
                found = [self._configuration(name) for name in find_configurations(folder, self._find)]
                outer = [] if None in found else [configuration for configuration in found if configuration is not None]
            self._above[folder] = outer
        return self._above[folder]

    def leaves_out(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a search leaves out what is excluded, and note that it has."""
        is_left_out = self.excludes(path, is_folder=is_folder)
        self.has_excluded = self.has_excluded or is_left_out
        return is_left_out

    def _names(self) -> Iterator[tuple[str, bool]]:
        """Yield the name of each document, and whether it is an argument."""
        for argument in self._arguments or [os.curdir]:
            is_folder = os.path.isdir(argument)
            if not is_folder and (not _WILDCARD.search(argument) or os.path.lexists(argument)):
                yield argument, True  # reading it reports a missing file
                continue
            self.has_excluded = False
            names = self._names_in(argument) if is_folder else self._expand(argument)
            names = [name for name in names if not self.leaves_out(name)]
            if not names:
                self._report_nothing(argument, is_folder=is_folder)
            for name in names:
                yield name, False

    def _report_nothing(self, argument: str, *, is_folder: bool) -> None:
        """Print that no document is in a folder, or fits a glob."""
        shown = "this folder" if argument == os.curdir else argument
        relation = f"in {shown}" if is_folder else f"fits {shown}"
        if self.has_excluded:
            self.note(f"no *{SUFFIX} {relation} that {CONFIGURATION_FILE} does not exclude; see --no-exclude")
        elif is_folder:
            self.note(f"no *{SUFFIX} {relation}; name files that are called otherwise")
        else:
            self.report(f"no *{SUFFIX} {relation}", argument)

    def _names_in(self, folder: str) -> list[str]:
        """Return the names of the documents in a folder."""
        is_left_out = partial(self.leaves_out, is_folder=True)
        if is_left_out(folder):
            return []
        return [_short(path) for path in find_documents(folder, self._on_skipped, self._on_error, is_left_out)]

    def _expand(self, pattern: str) -> list[str]:
        """Return the documents that a glob fits: they themselves, or a folder around them. ``**`` is any folders.

        A part of the glob that exists is a name: of ``app/[id]/*.rui.json`` only the last part is a glob in a folder
        that has ``[id]``.
        """
        parts = os.path.normpath(pattern).split(os.sep)
        first = 0  # the first part that is no name
        while first < len(parts) and (not _WILDCARD.search(parts[first]) or _exists(parts[: first + 1])):
            first += 1
        folder = os.sep.join([*parts[:first], ""]) or os.curdir
        if not os.path.isdir(folder):
            return []
        paths = self._names_in(folder)
        exists = cache(_exists)
        return [path for path in paths if _fits(path.split(os.sep), parts, exists)]

    def _on_skipped(self, path: str, why: str) -> None:
        self.note(f"{_short(path)} is skipped: {why}")

    def _on_error(self, error: OSError) -> None:
        self.report(f"cannot read {error.filename}: {reason(error)}", str(error.filename))


def _short(path: str) -> str:
    return path.removeprefix(os.path.join(os.curdir, ""))


def encode(text: str, *, bom: bool) -> bytes:
    """Return the bytes of a text, after a byte-order mark if `bom`."""
    data = text.encode("utf-8", "surrogatepass")
    if bom:
        return codecs.BOM_UTF8 + data
    return data


def _exists(names: Sequence[str]) -> bool:
    """Return whether there is a file or folder with these names from the root, or the current folder, on."""
    return os.path.lexists(os.sep.join(names))


def _fits(names: Sequence[str], parts: Sequence[str], exists: Callable[[tuple[str, ...]], bool]) -> bool:
    """Return whether the parts of a glob fit the names in a path, or the first ones of them.

    `exists` returns whether there is a file or folder with some names. A part that exists is no glob.
    """

    def fits(start: int, first: int) -> bool:
        if first == len(parts):
            return True
        part = parts[first]
        if part == "**":
            return any(fits(next_start, first + 1) for next_start in range(start, len(names) + 1))
        if start == len(names):
            return False
        name = names[start]
        is_fit = name == part or (fnmatch(name, part) and not exists((*names[:start], part)))
        return is_fit and fits(start + 1, first + 1)

    return fits(0, 0)


def read_bytes(name: str, stdin_filename: str = "", *, may_be_pipe: bool = True) -> bytes:
    """Read a file, which may be a pipe if the user has named it, or standard input for ``-``.

    Raises:
        OperationalError: it cannot be read.
    """
    try:
        if name != STDIN:
            return read_file(name, may_be_pipe=may_be_pipe)
        if sys.stdin is None or sys.stdin.closed:
            raise OSError("it is closed")
        return read_limited(sys.stdin.buffer)
    except OSError as error:
        why = reason(error)
        if isinstance(error, FileNotFoundError):
            why += _did_you_mean(name)
        elif os.path.isdir(name):
            why += "; name one file"
        raise OperationalError(f"cannot read {display_name(name, stdin_filename)}: {why}") from None


def _did_you_mean(name: str) -> str:
    """Return `` (did you mean …?)`` with a JSON file in the folder of a missing one, or ``""``.

    Suffixes are not compared: those of two documents are always the same.
    """
    folder, missing = os.path.split(name)
    try:
        files = sorted({*os.listdir(folder or os.curdir)} - {missing})  # without a link that leads nowhere
    except OSError:
        return ""
    names = [file for file in files if re.fullmatch(r"[^.]+.*\.json", file)]
    by_stem = {file.partition(".")[0]: file for file in names}
    stem = nearest(missing.partition(".")[0], by_stem)
    if stem is None:
        return ""
    return f" (did you mean {os.path.join(folder, by_stem[stem])}?)"


def display_name(name: str, stdin_filename: str = "") -> str:
    if name == STDIN:
        return stdin_filename or STDIN_NAME
    return name


def check_target(name: str, documents: Sequence[str]) -> None:
    """Raise UsageError if the file of a result is a document: in ``-o *.rui.json`` the shell has named one.

    ``""`` is no file.
    """
    if name.endswith(SUFFIX) or (name and os.path.realpath(name) in map(os.path.realpath, documents)):
        raise UsageError(f"-o {name}: this is a document")


def suffix_of_target(name: str, suffixes: Sequence[str], advice: str = "") -> str:
    """Return the suffix of the file of a result, in lower case; ``""`` without one.

    Raises:
        UsageError: it is none of `suffixes`, such as ``.svg``: the content would not be what the name says.
    """
    suffix = os.path.splitext(name)[1].lower()
    if suffix and suffix not in suffixes:
        raise UsageError(f"no format has the suffix {suffix}: use one of {', '.join(suffixes)}{advice}")
    return suffix


def write_bytes(name: str, data: bytes) -> None:
    """Write a new file, or replace the content of a file. A device or pipe gets the data.

    Raises:
        OperationalError: it cannot be written. The content of a file is unchanged.
    """
    try:
        if os.path.isfile(name):
            _replace(os.path.realpath(name), data)
        else:
            with open(name, "wb") as file:
                file.write(data)
    except OSError as error:
        folder = os.path.dirname(name)
        why = reason(error) if not folder or os.path.isdir(folder) else f"there is no folder {folder}"
        raise OperationalError(f"cannot write {name}: {why}") from None


def _replace(path: str, data: bytes) -> None:
    """Replace the content of a file. Permissions, owner, group, other names and extended attributes are kept.

    If possible, a new file replaces it: readers, and a crash, find the old or the new content. Otherwise it is written
    in place, such as a mounted file, a file with several names (hard links), or one in a folder of somebody else.
    """
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "permission denied")
    try:
        _replace_by_new_file(path, data)
    except OSError as error:
        if error.errno in _FULL:
            raise
        _overwrite(path, data)


def _replace_by_new_file(path: str, data: bytes) -> None:
    """Replace a file by a new one in its folder.

    Raises:
        OSError: there can be no such file, or it would differ from the old one in more than its content.
    """
    # `rui check` without `--fix` does not wait for these imports.
    import shutil
    import tempfile

    descriptor, temporary = tempfile.mkstemp(prefix=".rui.", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if hasattr(os, "chown"):
            status = os.stat(path)
            os.chown(temporary, status.st_uid, status.st_gid)
        shutil.copystat(path, temporary)
        os.utime(temporary)
        if _attributes(temporary) != _attributes(path):
            raise OSError("a new file would be another one")
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _attributes(path: str) -> tuple[int, int, int, int, dict[str, bytes]]:
    """Return what a new file must have in common with the old one, such as an access control list."""
    extended: dict[str, bytes] = {}
    if hasattr(os, "listxattr"):  # Linux
        with contextlib.suppress(OSError):  # The file system has none.
            extended = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    status = os.stat(path)
    return status.st_nlink, status.st_uid, status.st_gid, status.st_mode, extended


def _overwrite(path: str, data: bytes) -> None:
    """Write a file in place. After an error, such as a full disk, it has its old content."""
    with open(path, "rb") as file:
        old = file.read()
    try:
        _write_in_place(path, data)
    except BaseException:
        _write_in_place(path, old)
        raise


def _write_in_place(path: str, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()
        os.fsync(file.fileno())
