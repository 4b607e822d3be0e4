"""Resolve `$ref` in a description: within its file and to files beside it, never over a network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from urllib.request import pathname2url, url2pathname

from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource, Unresolvable

from rui_openapi.errors import OpenApiError
from rui_openapi.files import Version, read_value, version_of
from rui_openapi.located import Located

if TYPE_CHECKING:
    from typing import Any

MAX_CHAIN = 50
"""References that lead to each other without a value between them."""

MAX_FILES = 200
"""Files that a description may refer to."""

MAX_PROBLEMS = 5
"""References that cannot be resolved and are reported."""


class References:
    """The files of one description.

    Attributes:
        root: the value of the main file.
        versions: the files that were read → their versions at that time.
        problems: a sentence for each reference that could not be resolved, in the order of their first use.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.versions: dict[str, Version | None] = {}
        self.problems: list[str] = []
        self._registry: Registry[Any] = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]  # mypy does not know its decorator
        self._loaded: dict[str, Resource[Any]] = {}
        self._resolved: dict[tuple[str, str], Located | None] = {}
        base = "file://" + pathname2url(os.path.abspath(path))
        self.root = Located(self._load(base).contents, base)

    def resolve(self, located: Located) -> Located | None:
        """Follow the `$ref` of an object, and that of its target, until there is none.

        Returns:
            The value; the argument if it has no reference; None if the reference has no value.
        """
        for _ in range(MAX_CHAIN):
            value = located.value
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return located
            target = self.target(value["$ref"], located.base)
            if target is None:
                return None
            located = target
        self._report(f"a chain of references in {self._name_of(located.base)} leads back to its start")
        return None

    def target(self, reference: str, base: str) -> Located | None:
        """Return the value that one reference leads to, or None."""
        key = (base, reference)
        if key not in self._resolved:
            self._resolved[key] = self._look_up(reference, base)
        return self._resolved[key]

    def _look_up(self, reference: str, base: str) -> Located | None:
        uri, _, _ = urljoin(base, reference).partition("#")
        if urlsplit(uri).scheme != "file" or urlsplit(uri).netloc:
            self._report(f"{self._name_of(base)}: the reference {reference!r} is remote, and is not fetched")
            return None
        try:
            self._load(uri)
            found = self._registry.resolver(base).lookup(reference)
        except OpenApiError as error:
            self._report(str(error))
            return None
        except Unresolvable:
            self._report(f"{self._name_of(base)}: the reference {reference!r} leads to no value")
            return None
        return Located(found.contents, uri)

    def _load(self, uri: str) -> Resource[Any]:
        if uri not in self._loaded:
            name = self._name_of(uri)
            if len(self._loaded) >= MAX_FILES:
                raise OpenApiError(f"cannot read {name}: the description refers to more than {MAX_FILES} files")
            self.versions[name] = version_of(name)
            # OPAQUE: a description is no JSON Schema itself, and pointers are all that refers into it.
            self._loaded[uri] = Resource.opaque(read_value(name))
        return self._loaded[uri]

    def _retrieve(self, uri: str) -> Resource[Any]:
        """Return a file that has been loaded; called by the registry."""
        if uri not in self._loaded:
            raise NoSuchResource(ref=uri)  # type: ignore[call-arg]
        return self._loaded[uri]

    def _name_of(self, uri: str) -> str:
        """Return the path of a file, relative to the same folder as that of the main file."""
        path = url2pathname(urlsplit(uri).path)
        folder = os.path.dirname(self._path)
        return os.path.join(folder, os.path.relpath(path, os.path.abspath(folder)))

    def _report(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)
