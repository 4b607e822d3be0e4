"""The OpenAPI descriptions of documents, and the checks that need one (docs/decisions.md, section 10)."""

import os
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from rui_cli.errors import DEBUG_VARIABLE, internal_error
from rui_cli.files import Documents, File
from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.project.discovery import ApiChoice
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_openapi.bindings import bindings_of
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError
from rui_openapi.ground import describe_data

_T = TypeVar("_T")


class Apis:
    """The descriptions that apply to the documents of one run, each read once.

    Files that cannot be used, and comparisons that fail, are problems of the run. `openapi` is the description instead
    of that in `rui.toml`, or ``""``. If `is_strict`, all differences are errors.
    """

    def __init__(self, documents: Documents, openapi: str, *, is_strict: bool = False) -> None:
        self._documents = documents
        self._openapi = openapi
        # A description that the user has named may be a pipe.
        self._read_api = partial(read_api, may_be_pipe=bool(openapi))
        self._is_strict = is_strict
        self._apis: dict[str, Api | None] = {}

    def differences(self, file: File, analysis: Analysis) -> list[Diagnostic]:

        def compare(api: Api, is_strict: bool) -> list[Diagnostic]:
            return api_diagnostics(analysis, api, is_strict=is_strict)

        return self._compare(file, compare) or []

    def grounding(self, file: File, analysis: Analysis) -> tuple[Grounding, list[Diagnostic]]:
        """Return what its description states about a document, and the differences."""

        def compare(api: Api, is_strict: bool) -> tuple[Grounding, list[Diagnostic]]:
            return describe_data(analysis, api), api_diagnostics(analysis, api, is_strict=is_strict)

        return self._compare(file, compare) or (UNGROUNDED, [])

    def unknown_endpoints(self, file: File, before: Analysis | None, after: Analysis) -> list[str]:
        """Return the paths that a document requests, its earlier version does not, and the description lacks."""
        known = set() if before is None else {block.endpoint.value for block in bindings_of(before.tree)}

        def compare(api: Api, _is_strict: bool) -> list[str]:
            paths = dict.fromkeys([block.endpoint.value for block in bindings_of(after.tree)])
            return [path for path in paths if path not in known and api.operation(path) is None]

        return self._compare(file, compare) or []

    def _compare(self, file: File, compare: Callable[[Api, bool], _T]) -> _T | None:
        """Return a comparison; None without a description, and after an internal error, which is reported."""
        try:
            choice = self._choice(file)
            api = self._read(choice.openapi) if choice.openapi else None
            if api is None:
                return None
            return compare(api, self._is_strict or choice.is_strict)
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE) == "1":
                raise
            self._documents.report(
                f"{file.shown_name} is not compared with the API: {internal_error(error)}", file.location
            )
            return None

    def _choice(self, file: File) -> ApiChoice:
        if self._openapi:
            return ApiChoice(self._openapi)
        configuration = self._documents.configuration_of(file)
        if configuration is None:
            return ApiChoice()
        return configuration.api_choice(file.location or file.name)

    def report_notes(self) -> None:
        """Report the references that could not be resolved. They are no errors: what they refer to is not compared."""
        for api in self._apis.values():
            for problem in () if api is None else api.references.problems:
                self._documents.note(problem)

    def _read(self, path: str) -> Api | None:
        """Return the description in a file, or None after an error, which is reported once."""
        if path not in self._apis:
            self._apis[path] = None
            try:
                self._apis[path] = self._read_api(path)
            except OpenApiError as error:
                self._documents.report(str(error), path)
        return self._apis[path]
