"""The checks of `rui check` that need an OpenAPI description (docs/decisions.md, section 10)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rui_cli import files, output
from rui_cli.results import Summary
from rui_common.syntax.document import Document
from rui_common.validation.diagnostics import Diagnostic
from rui_openapi.discovery import find_configuration

if TYPE_CHECKING:  # loaded only with an OpenAPI description
    from rui_openapi.configuration import ApiChoice, Configuration
    from rui_openapi.description.api import Api


class ApiChecks:
    """The descriptions that apply to the documents of one run, each read once.

    Args:
        openapi: the description instead of that in `rui.toml`, or ``""``.
        summary: counts the files that cannot be used.
        is_strict: whether all differences are errors.
    """

    def __init__(self, openapi: str, summary: Summary, *, is_strict: bool) -> None:
        self._openapi = openapi
        self._is_strict = is_strict
        self._summary = summary
        self._folders: dict[str, str | None] = {}
        self._configurations: dict[str, Configuration | None] = {}
        self._apis: dict[str, Api | None] = {}

    def diagnostics(self, name: str, document: Document) -> list[Diagnostic]:
        """Return the differences of a document from its description; none without a description."""
        choice = self._choice(name)
        openapi = self._openapi if choice is None else choice.openapi
        is_strict = self._is_strict or (choice is not None and choice.is_strict)
        api = self._api(openapi) if openapi else None
        if api is None:
            return []
        from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415  only with a description

        return api_diagnostics(document, api, is_strict=is_strict)

    def report_problems(self) -> None:
        """Report the references that could not be resolved. They are no errors: what they refer to is not compared."""
        for api in self._apis.values():
            for problem in () if api is None else api.problems:
                output.print_error(f"note: {problem}", "check")

    def _choice(self, name: str) -> ApiChoice | None:
        """Return what `rui.toml` chooses for a document; None with `--openapi`, or without a `rui.toml`."""
        if self._openapi:
            return None
        folder = "" if name == files.STDIN else os.path.dirname(name)
        if folder not in self._folders:
            self._folders[folder] = find_configuration(folder)
        path = self._folders[folder]
        configuration = None if path is None else self._configuration(path)
        if configuration is None:
            return None
        return configuration.choice(name)

    def _configuration(self, path: str) -> Configuration | None:
        if path not in self._configurations:
            from rui_openapi.configuration import Configuration  # noqa: PLC0415  only with a rui.toml
            from rui_openapi.errors import OpenApiError  # noqa: PLC0415

            self._configurations[path] = None
            try:
                self._configurations[path] = Configuration(path)
            except OpenApiError as error:
                self._report(error)
        return self._configurations[path]

    def _api(self, path: str) -> Api | None:
        if path not in self._apis:
            from rui_openapi.description.api import load_api  # noqa: PLC0415  only with a description
            from rui_openapi.errors import OpenApiError  # noqa: PLC0415

            self._apis[path] = None
            try:
                self._apis[path] = load_api(path)
            except OpenApiError as error:
                self._report(error)
        return self._apis[path]

    def _report(self, error: Exception) -> None:
        self._summary.problems += 1
        output.print_error(str(error), "check")
