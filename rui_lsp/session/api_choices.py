"""Which description applies to a document: that of the setting, else that of the nearest `rui.toml`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rui_common.document_files import is_network_path
from rui_lsp.session.settings import ClientSettings
from rui_lsp.session.uris import innermost_folder, path_from_uri
from rui_openapi.discovery import find_configuration

if TYPE_CHECKING:  # most sessions have no rui.toml
    from rui_openapi.configuration import ProjectConfiguration


class Choice(NamedTuple):
    """The description for a document.

    Attributes:
        path: its file, or ``""`` for none.
        is_strict: whether differences are errors.
        problem: why there is none, or ``""``.
    """

    path: str = ""
    is_strict: bool = False
    problem: str = ""


class Choices:
    """The choices for the documents of one workspace. If the client does not trust it, no `rui.toml` is read."""

    def __init__(self, *, is_trusted: bool = True) -> None:
        self._is_trusted = is_trusted
        self._configurations: dict[str, tuple[object, ProjectConfiguration | str]] = {}

    def choose(self, uri: str, settings: ClientSettings, folders: Sequence[str]) -> Choice:
        """Return the choice for a document, which need not be a file, in a workspace with some folders."""
        document = path_from_uri(uri)
        folder = _folder_of(uri, folders)
        if settings.openapi:
            return _from_setting(settings.openapi, folder)
        if not self._is_trusted:
            return Choice()
        if document is None and folder:
            document = os.path.join(folder, "untitled")  # noqa: PTH118
        if document is None:
            return Choice()
        return self._from_file(document)

    def _from_file(self, document: str) -> Choice:
        path = find_configuration(os.path.dirname(document))  # noqa: PTH120
        if path is None:
            return Choice()
        configuration = self._configuration(path)
        if isinstance(configuration, str):
            return Choice(problem=configuration)
        choice = configuration.choice(document)
        if is_network_path(choice.openapi):
            return Choice(problem=f"{choice.openapi} in {path} is on another computer")
        return Choice(choice.openapi and os.path.abspath(choice.openapi), choice.is_strict)  # noqa: PTH100

    def _configuration(self, path: str) -> ProjectConfiguration | str:
        from rui_openapi.configuration import ProjectConfiguration  # noqa: PLC0415  only with a rui.toml
        from rui_openapi.errors import OpenApiError  # noqa: PLC0415
        from rui_openapi.reading.files import version_of  # noqa: PLC0415

        version = version_of(path)
        known = self._configurations.get(path)
        if known is not None and known[0] == version:
            return known[1]
        configuration: ProjectConfiguration | str
        try:
            configuration = ProjectConfiguration(path)
        except OpenApiError as error:
            configuration = str(error)
        self._configurations[path] = (version, configuration)
        return configuration


def _from_setting(openapi: str, folder: str) -> Choice:
    if is_network_path(openapi):
        return Choice(problem=f"{openapi} in rui.openapi is on another computer")
    path = os.path.join(folder, os.path.expanduser(openapi))  # noqa: PTH111, PTH118
    return Choice(os.path.normpath(path) if os.path.isabs(path) else "")  # noqa: PTH117


def _folder_of(uri: str, folders: Sequence[str]) -> str:
    """Return the path of the innermost workspace folder around a document, else of the first one, else its own."""
    for folder in (innermost_folder(uri, folders), *folders):
        path = None if folder is None else path_from_uri(folder)
        if path is not None:
            return path
    document = path_from_uri(uri)
    return "" if document is None else os.path.dirname(document)  # noqa: PTH120
