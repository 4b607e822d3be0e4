"""The checks of `rui check` that need an OpenAPI description (docs/decisions.md, section 10)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from rui_cli import output
from rui_cli.errors import DEBUG_VARIABLE, internal_error
from rui_cli.files import display_name
from rui_cli.results import Summary
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.configuration import ApiChoice, Configuration
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError


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
        self._files: dict[tuple[object, str], Any] = {}

    def diagnostics(self, name: str, analysis: Analysis, configuration_path: str | None) -> list[Diagnostic]:
        """Return the differences of a document from its description; none if the comparison fails, which is reported.

        Args:
            name: the name of the file.
            document: its content.
            configuration_path: the `rui.toml` that names the description, if there is no other.
        """
        try:
            return self._compare(name, analysis, configuration_path)
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE) == "1":
                raise
            self._summary.problems += 1
            output.print_error(f"{display_name(name)} is not compared with the API: {internal_error(error)}", "check")
            return []

    def _compare(self, name: str, analysis: Analysis, configuration_path: str | None) -> list[Diagnostic]:
        choice = ApiChoice(self._openapi)
        if not self._openapi and configuration_path:
            configuration = self._read(Configuration, configuration_path)
            choice = choice if configuration is None else configuration.choice(name)
        reader = _read_named_api if self._openapi else read_api
        api = self._read(reader, choice.openapi) if choice.openapi else None
        if api is None:
            return []
        return api_diagnostics(analysis, api, is_strict=self._is_strict or choice.is_strict)

    def report_problems(self) -> None:
        """Report the references that could not be resolved. They are no errors: what they refer to is not compared."""
        for api in self._files.values():
            for problem in api.references.problems if isinstance(api, Api) else ():
                output.print_error(f"note: {problem}", "check")

    def _read(self, read: Callable[[str], Any], path: str) -> Any:  # noqa: ANN401  what `read` returns
        """Return what a file contains, or None after an error, which is reported once."""
        key = (read, path)
        if key not in self._files:
            self._files[key] = None
            try:
                self._files[key] = read(path)
            except OpenApiError as error:
                self._summary.problems += 1
                output.print_error(str(error), "check")
        return self._files[key]


def _read_named_api(path: str) -> Api:
    """Read a description that the user has named, which may be a pipe."""
    return read_api(path, may_be_pipe=True)
