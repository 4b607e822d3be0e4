"""The checks of `rui check` that need an OpenAPI description (docs/decisions.md, section 10)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from rui_cli import output
from rui_cli.results import Summary
from rui_common.syntax.document import Document
from rui_common.validation.diagnostics import Diagnostic
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.configuration import Configuration
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError

Read = TypeVar("Read")


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
        self._apis: list[Api] = []
        self._configuration = cache(self._read_configuration)
        self._api = cache(self._read_api)

    def diagnostics(self, name: str, document: Document, configuration_path: str | None) -> list[Diagnostic]:
        """Return the differences of a document from its description.

        Args:
            name: the name of the file.
            document: its content.
            configuration_path: the `rui.toml` that names the description, if there is no other.
        """
        openapi = self._openapi
        is_strict = self._is_strict
        if not openapi and configuration_path:
            configuration = self._configuration(configuration_path)
            if configuration is not None:
                choice = configuration.choice(name)
                openapi = choice.openapi
                is_strict = is_strict or choice.is_strict
        if not openapi:
            return []
        api = self._api(openapi)
        if api is None:
            return []
        return api_diagnostics(document, api, is_strict=is_strict)

    def report_problems(self) -> None:
        """Report the references that could not be resolved. They are no errors: what they refer to is not compared."""
        for api in self._apis:
            for problem in api.references.problems:
                output.print_error(f"note: {problem}", "check")

    def _read_configuration(self, path: str) -> Configuration | None:
        return self._read(Configuration, path)

    def _read_api(self, path: str) -> Api | None:
        api = self._read(read_api, path)
        if api is not None:
            self._apis.append(api)
        return api

    def _read(self, read: Callable[[str], Read], path: str) -> Read | None:
        try:
            return read(path)
        except OpenApiError as error:
            self._summary.problems += 1
            output.print_error(str(error), "check")
            return None
