"""Which description applies to a document: that of the setting, else that of the nearest `rui.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rui_common.document_files import is_network_path
from rui_lsp.session.settings import ClientSettings
from rui_lsp.session.uris import innermost_folder, path_from_uri
from rui_openapi.discovery import ApiChoice, find_configuration
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import version_of

if TYPE_CHECKING:  # most sessions have no rui.toml
    from rui_openapi.configuration import ProjectConfiguration

FindConfiguration = Callable[[str], str | None]
"""Returns the path of the `rui.toml` of a folder: `find_configuration`, or what remembers its results for a moment."""


class Choices:
    """The choices for the documents of one workspace. If the client does not trust it, no `rui.toml` is read."""

    def __init__(self, *, is_trusted: bool = True) -> None:
        self._is_trusted = is_trusted
        self._configurations: dict[str, tuple[object, ProjectConfiguration]] = {}

    def choose(
        self,
        uri: str,
        settings: ClientSettings,
        folders: Sequence[str],
        nearest: FindConfiguration = find_configuration,
    ) -> ApiChoice:
        """Return the choice for a document, which need not be a file, in a workspace with some folders.

        Raises:
            OpenApiError: a description is chosen that cannot be used, or `rui.toml` is invalid.
        """
        folder = _folder_of(uri, folders)
        if settings.openapi:
            return _from_setting(settings.openapi, folder)
        document = path_from_uri(uri)
        if document is None and folder:
            document = os.path.join(folder, "untitled")  # noqa: PTH118
        if document is None or not self._is_trusted:
            return ApiChoice()
        path = nearest(os.path.dirname(document))  # noqa: PTH120
        if path is None:
            return ApiChoice()
        choice = self._configuration(path).choice(document)
        if is_network_path(choice.openapi):
            raise OpenApiError(f"{choice.openapi} in {path} is on another computer")
        return choice._replace(openapi=choice.openapi and os.path.abspath(choice.openapi))  # noqa: PTH100

    def _configuration(self, path: str) -> ProjectConfiguration:
        from rui_openapi.configuration import ProjectConfiguration  # only with a rui.toml

        version = version_of(path)
        if path not in self._configurations or self._configurations[path][0] != version:
            self._configurations[path] = (version, ProjectConfiguration(path))
        return self._configurations[path][1]


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
