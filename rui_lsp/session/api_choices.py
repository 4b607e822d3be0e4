"""The `rui.toml` of a document, and which description applies: that of the setting, else that of the `rui.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rui_common.document_files import is_network_path
from rui_common.project.discovery import (
    ApiChoice,
    ConfigurationError,
    find_configuration,
    find_configurations,
    is_excluded,
)
from rui_lsp.session.settings import ClientSettings
from rui_lsp.session.uris import innermost_folder, path_from_uri
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import version_of

if TYPE_CHECKING:  # most sessions have no rui.toml
    from rui_common.project.configuration import ProjectConfiguration


class OpenText(NamedTuple):
    """The text of a `rui.toml` that is open in the editor, where it may not be saved."""

    text: str
    version: int  # the client's


class InProject(NamedTuple):
    """A document, by its path, and its `rui.toml`."""

    document: str
    configuration: ProjectConfiguration
    outer: tuple[ProjectConfiguration, ...] = ()  # the configurations above it, the nearest one first
    problem: str = ""  # why one of them cannot be used

    @property
    def is_excluded(self) -> bool:
        """Whether one of them excludes the document; it is not if one cannot be used."""
        return not self.problem and is_excluded(self.document, (self.configuration, *self.outer))


FindConfiguration = Callable[[str], str | None]
"""Returns the path of the `rui.toml` of a folder: `Choices.find`, or what remembers its results for a moment."""


class Choices:
    """The choices for the documents of one workspace. If the client does not trust it, no `rui.toml` is read."""

    def __init__(self, *, is_trusted: bool) -> None:
        self._is_trusted = is_trusted
        # by path: the version of the file, and its content, or why it cannot be used
        self._configurations: dict[str, tuple[object, ProjectConfiguration | ConfigurationError]] = {}
        self.open_texts: dict[str, OpenText] = {}  # the text of each open `rui.toml`, by path after links are resolved

    def find(self, folder: str) -> str | None:
        """Return the path of the nearest `rui.toml`; also of one that is open and not saved yet, if it can be used."""
        if not self.open_texts:
            return find_configuration(folder)
        return find_configuration(folder, lambda path: os.path.lexists(path) or bool(self._unsaved_configuration(path)))

    def project(self, uri: str, folders: Sequence[str], nearest: FindConfiguration | None = None) -> InProject | None:
        """Return the `rui.toml` of a document, which need not be a file, in a workspace with some folders.

        Raises:
            ConfigurationError: it cannot be used.
        """
        if not self._is_trusted:
            return None
        nearest = nearest or self.find
        document = path_from_uri(uri)
        folder = _folder_of(uri, folders)
        if document is None and folder:
            document = os.path.join(folder, "untitled")  # noqa: PTH118
        path = None if document is None else nearest(os.path.dirname(document))  # noqa: PTH120
        if document is None or path is None:
            return None
        configuration = self._configuration(path)
        above = [*find_configurations(os.path.dirname(document), nearest)][1:]  # noqa: PTH120
        try:
            return InProject(document, configuration, tuple(map(self._configuration, above)))
        except ConfigurationError as error:
            return InProject(document, configuration, problem=str(error))

    def leaves_out(self) -> Callable[[str], bool] | None:
        """Return a function that returns whether a folder is excluded, for one search; None if nothing is."""
        if not self._is_trusted:
            return None
        nearest = cache(self.find)

        def is_left_out(folder: str) -> bool:
            try:
                found = [self._configuration(path) for path in find_configurations(os.path.dirname(folder), nearest)]  # noqa: PTH120
            except ConfigurationError:  # The request for diagnostics reports it.
                return False
            return is_excluded(folder, found, is_folder=True)

        return is_left_out

    def choose(
        self, uri: str, settings: ClientSettings, folders: Sequence[str], project: InProject | None
    ) -> ApiChoice:
        """Return the choice for a document with its `rui.toml`.

        Raises:
            OpenApiError: a description is chosen that cannot be used.
        """
        if settings.openapi:
            return _from_setting(settings.openapi, _folder_of(uri, folders))
        if project is None:
            return ApiChoice()
        choice = project.configuration.api_choice(project.document)
        if is_network_path(choice.openapi):
            raise OpenApiError(f"{choice.openapi} in {project.configuration.path} is on another computer")
        return choice._replace(openapi=choice.openapi and os.path.abspath(choice.openapi))  # noqa: PTH100

    def forget_changed(self) -> bool:
        """Forget what has been read of files that have changed since; return whether there are any."""
        changed = [path for path, (version, _) in self._configurations.items() if self._version(path) != version]
        for path in changed:
            del self._configurations[path]
        return bool(changed)

    def _configuration(self, path: str) -> ProjectConfiguration:
        from rui_common.project.configuration import ProjectConfiguration  # only with a rui.toml

        version = self._version(path)
        if path not in self._configurations or self._configurations[path][0] != version:
            try:
                configuration = self._unsaved_configuration(path) or ProjectConfiguration(path)
                self._configurations[path] = (version, configuration)
            except ConfigurationError as error:
                self._configurations[path] = (version, error)
        content = self._configurations[path][1]
        if isinstance(content, ConfigurationError):
            raise content
        return content

    def open_text(self, path: str) -> OpenText | None:
        """Return the text of a `rui.toml` if it is open in the editor."""
        return self.open_texts.get(os.path.realpath(path)) if self.open_texts else None

    def _version(self, path: str) -> object:
        """Return what changes when the content of a `rui.toml` does: its file, or its text in the editor."""
        return version_of(path), self.open_text(path)

    def _unsaved_configuration(self, path: str) -> ProjectConfiguration | None:
        """Return the content of a `rui.toml` as it is open; None if it is not, or cannot be used while it is typed."""
        from rui_common.project.configuration import MAX_BYTES, ProjectConfiguration  # see above

        opened = self.open_text(path)
        if opened is None or len(opened.text) > MAX_BYTES:
            return None
        try:
            return ProjectConfiguration(path, opened.text)
        except ConfigurationError:
            return None


def _from_setting(openapi: str, folder: str) -> ApiChoice:
    if is_network_path(openapi):
        raise OpenApiError(f"{openapi} in rui.openapi is on another computer")
    path = os.path.join(folder, os.path.expanduser(openapi))  # noqa: PTH111, PTH118
    return ApiChoice(os.path.normpath(path) if os.path.isabs(path) else "")  # noqa: PTH117


def _folder_of(uri: str, folders: Sequence[str]) -> str:
    """Return the path of the innermost workspace folder around a document, else of the first one, else its own."""
    for folder in (innermost_folder(uri, folders), *folders):
        path = None if folder is None else path_from_uri(folder)
        if path is not None:
            return path
    document = path_from_uri(uri)
    return "" if document is None else os.path.dirname(document)  # noqa: PTH120
