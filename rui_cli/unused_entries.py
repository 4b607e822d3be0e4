"""The entries of `[per-file-ignores]` that fit nothing."""

import os

from rui_cli.files import Documents
from rui_common.document_files import leads_out
from rui_common.problems.lints import WARNINGS
from rui_common.project.configuration import FileIgnores, Ignore, ProjectConfiguration
from rui_common.project.policy import Applied
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis

MAX_NAMED = 5  # how many entries that fit nothing are named at most


class UnusedEntries:
    """What has been seen of the entries in a run, to name those that fit nothing."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._fitting: set[tuple[str, str]] = set()  # `rui.toml` and glob of what fits a document that was checked
        self._unread: set[tuple[str, str]] = set()  # the entries of documents that could not be compared as a whole
        self._used: set[tuple[str, Ignore]] = set()

    def add(self, configuration: ProjectConfiguration, document: str, analysis: Analysis, applied: Applied) -> None:
        """Note what a document has used. One with syntax errors may have findings that are not seen."""
        path = configuration.path
        globs = {(path, ignores.glob) for ignores in configuration.ignores_for(document)}
        self._fitting |= globs
        if not analysis.document.valid:
            self._unread |= globs
        self._used |= {(path, entry) for entry in applied.used}

    def report(self, *, is_compared: bool) -> None:
        """Print a line for each `rui.toml` with entries that fit nothing.

        A glob is named only if every document that it could fit has been searched, an entry only if one that it fits
        has been checked. Without a comparison with an API, entries for its warnings are not named.
        """
        for configuration in self._documents.configurations:
            unused = [
                name for ignores in configuration.ignores for name in self._unused(configuration, ignores, is_compared)
            ]
            if unused:
                named = ", ".join(unused[:MAX_NAMED])
                if len(unused) > MAX_NAMED:
                    named += f" and {count_of(len(unused) - MAX_NAMED, 'others')}"
                self._documents.note(f"nothing fits these entries of {configuration.path}: {named}")

    def _unused(self, configuration: ProjectConfiguration, ignores: FileIgnores, is_compared: bool) -> list[str]:
        path = configuration.path
        key = (path, ignores.glob)
        if key not in self._fitting:
            is_searched = any(_contains(folder, configuration.folder) for folder in self._documents.searched)
            return [f'"{ignores.glob}"'] if is_searched else []
        if key in self._unread:
            return []
        return [
            f'"{ignores.glob}": {entry.text}'
            for entry in ignores.entries.values()
            if (path, entry) not in self._used and (is_compared or not WARNINGS[entry.code].needs_api)
        ]


def _contains(folder: str, inner: str) -> bool:
    """Return whether a folder is another one, or is around it."""
    return not leads_out(os.path.join(inner or os.curdir, "x"), folder)
