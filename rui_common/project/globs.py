"""Globs of `rui.toml`: of paths from its folder, with slashes."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate
from functools import cached_property
from itertools import islice, product
from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

_WILDCARD = re.compile(r"[*?\[]")
_BRACKETS = re.compile(r"\[!?\]?[^\]]*\]")
_ESCAPED = re.compile(r"\\([*?\[\]\\])")
_MAX_READINGS = 16  # maximum number of readings of a glob: four parts of a path with brackets


class _Glob:
    """A glob with wildcards, compiled when a path begins as it does."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._start = _WILDCARD.split(pattern, maxsplit=1)[0]

    def fits(self, path: str) -> bool:
        return path.startswith(self._start) and self._regex.match(path) is not None

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, _readings(self._pattern))))


def _readings(pattern: str) -> Iterable[str]:
    """Return a glob with the brackets of each part as a set of characters, and as they are."""
    parts = ({part, _BRACKETS.sub(lambda found: escape(found[0]), part)} for part in pattern.split("/"))
    return islice(map("/".join, product(*map(sorted, parts))), _MAX_READINGS)


def escape(path: str) -> str:
    """Return the glob that fits a path alone."""
    return re.sub(r"([*?\[])", r"[\1]", path)


class _Numbered(NamedTuple, Generic[_T]):
    """A value, and its number in the order of declaration."""

    number: int
    value: _T


class Globs(Generic[_T]):
    r"""Some globs, each with a value.

    One without a slash is compared with the last part of a path, others with all of it. ``*`` fits slashes, too, and
    ``**/`` also no folder at all. ``[id]`` is one of these characters, and also a name with these brackets, as the
    routes of many frameworks have; ``[[]`` and ``\[`` are a bracket alone. Those without wildcards are found by name:
    there may be thousands.
    """

    def __init__(self, items: Iterable[tuple[str, _T]]) -> None:
        self._paths: dict[str, list[_Numbered[_T]]] = {}
        self._names: dict[str, list[_Numbered[_T]]] = {}
        self._path_globs: list[tuple[_Glob, _Numbered[_T]]] = []
        self._name_globs: list[tuple[_Glob, _Numbered[_T]]] = []
        for number, (given, value) in enumerate(items):
            pattern = _ESCAPED.sub(r"[\1]", given).rstrip("/")
            is_path = "/" in pattern
            pattern = pattern.removeprefix("./").removeprefix("/")
            numbered = _Numbered(number, value)
            if not _WILDCARD.search(pattern):
                known = self._paths if is_path else self._names
                known.setdefault(pattern, []).append(numbered)
                continue
            globs = self._path_globs if is_path else self._name_globs
            globs.append((_Glob(pattern), numbered))
            if is_path and "**/" in pattern:
                globs.append((_Glob(pattern.replace("**/", "")), numbered))

    def fitting(self, path: str) -> list[_T]:
        """Return the values of the globs that fit a path, in the order of declaration."""
        found = dict(self._find(path))  # one glob may fit in two ways
        return [found[number] for number in sorted(found)]

    def fits(self, path: str) -> bool:
        return next(self._find(path), None) is not None

    def fits_all_in(self, folder: str) -> bool:
        """Return whether a glob such as ``dist/**`` fits every path in a folder."""
        return any(glob.fits(f"{folder}/") for glob, _ in self._path_globs)  # what it ends with fits any text

    def __bool__(self) -> bool:
        return bool(self._paths or self._names or self._path_globs or self._name_globs)

    def _find(self, path: str) -> Iterator[_Numbered[_T]]:
        name = path.rpartition("/")[2]
        yield from self._paths.get(path, ())
        yield from self._names.get(name, ())
        yield from (numbered for glob, numbered in self._path_globs if glob.fits(path))
        yield from (numbered for glob, numbered in self._name_globs if glob.fits(name))
