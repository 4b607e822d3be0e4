"""The diagnostics while the author types in new brackets, or begins a member (docs/decisions.md, section 8).

The text is judged as if these brackets were closed and the member at the caret not yet begun. So errors that the next
keys remove are not shown. Everything else is shown at once.
"""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import Diagnostic
from rui_common.validation.findings import Finding
from rui_common.vocabulary.rules import ABSENT_TYPE
from rui_lsp.documents.document import OpenDocument, Reading
from rui_lsp.documents.typed_region import FinishedText, finish
from rui_lsp.scheduling.timing import CHOICE_SECONDS, IDLE_SECONDS

_COMPLETED_BY = {"R10": "pages", "R11": "items", "R21": "columns"}
"""Rules of references → the array whose further elements may make the reference right."""


def calm_diagnostics(document: OpenDocument) -> list[Diagnostic] | None:
    """Return the diagnostics to show while the author types; None if all are to be shown."""
    region = document.typed
    if region is None or region.is_idle:
        return None
    finished = finish(document.source, region)
    if finished is None:
        return None
    reading = Reading(finished.text)
    paths = _paths_of(finished, reading.document)
    if paths is None:
        return None
    new = [path for path, bracket in zip(paths, finished.brackets, strict=True) if bracket not in region.known]
    calm = _Calm(finished, reading, new)
    found = [*reading.diagnostics, *document.api_diagnostics(reading.document)]
    return [_in_typed_text(diagnostic, finished) for diagnostic in found if calm.shows(diagnostic)]


def _paths_of(finished: FinishedText, document: Document) -> list[Path] | None:
    """Return the paths of the brackets around the caret; None if they are not brackets, for example in a string."""
    if not finished.brackets:
        return []
    innermost = document.path_at(finished.brackets[-1])
    paths = [innermost[:size] for size in range(len(innermost) + 1)][-len(finished.brackets) :]
    members = [document.find(path) for path in paths]
    starts = [member.start for member in members if member is not None]
    return paths if starts == finished.brackets else None


class _Calm:
    """Which diagnostics of a finished text are shown."""

    def __init__(self, finished: FinishedText, reading: Reading, paths: list[Path]) -> None:
        """Args: the text, its reading, and the paths of the brackets around the caret that are not known."""
        self._finished = finished
        self._document = reading.document
        self._paths = paths
        absent = (item.path for item in reading.diagnostics if item.rule == ABSENT_TYPE)
        # Objects whose type is not written yet are read by a guess.
        self._untyped = [path[:-1] for path in absent if path[-1:] == ("type",) and path[:-1] in paths]

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Return whether a diagnostic of the finished text is shown."""
        finding = diagnostic.finding
        if finding is None:
            start = self._finished.typed_offset(diagnostic.span.start)
            return not self._finished.member <= start <= self._finished.end
        return not self._may_be_premature(finding)

    def _may_be_premature(self, finding: Finding) -> bool:
        path = finding.path
        if path in self._paths and self._is_empty(path):
            return True
        if path[:-1] in self._paths and self._is_absent(path):
            return True
        if self._is_in_untyped_node(path):
            return True
        array = _COMPLETED_BY.get(finding.rule)
        return any(open_path[-1:] == (array,) or open_path[-2:-1] == (array,) for open_path in self._paths)

    def _is_in_untyped_node(self, path: Path) -> bool:
        return any(len(path) > len(node) and path[: len(node)] == node for node in self._untyped)

    def _is_absent(self, path: Path) -> bool:
        return self._document.span_of(path) is None

    def _is_empty(self, path: Path) -> bool:
        return not self._document.members(path)


class IdleTimers:
    """Call a function when the author has paused in a document that calm diagnostics were shown of."""

    def __init__(self) -> None:
        self._timers: dict[str, TimerHandle] = {}
        self._versions: dict[str, int] = {}

    def start(self, document: OpenDocument, callback: Callable[[], object]) -> None:
        """Wait from the first call for a version on. After the pause, `calm_diagnostics` returns None for it."""
        if document.uri in self._timers and self._versions[document.uri] == document.version:
            return
        self.cancel(document.uri)
        self._versions[document.uri] = document.version

        def on_idle() -> None:
            self.cancel(document.uri)
            region = document.typed
            finished = None if region is None else finish(document.source, region)
            if region is not None and finished is not None:
                document.typed = region._replace(is_idle=True, known=tuple(finished.brackets))
            callback()

        is_choosing = document.typed is not None and document.typed.is_unnamed
        seconds = CHOICE_SECONDS if is_choosing else IDLE_SECONDS
        self._timers[document.uri] = asyncio.get_running_loop().call_later(seconds, on_idle)

    def cancel(self, uri: str) -> None:
        """Stop waiting for a document."""
        self._versions.pop(uri, None)
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()


def _in_typed_text(diagnostic: Diagnostic, finished: FinishedText) -> Diagnostic:
    if not finished.inserted:
        return diagnostic

    def typed(span: Span) -> Span:
        return Span(finished.typed_offset(span.start), finished.typed_offset(span.end))

    moved = Diagnostic(
        diagnostic.severity, diagnostic.code, diagnostic.rule, diagnostic.path, diagnostic.message, diagnostic.hint,
        typed(diagnostic.span), related=tuple((typed(span), note) for span, note in diagnostic.related),
        finding=diagnostic.finding,
    )  # fmt: skip
    moved.proposals = diagnostic.proposals
    return moved
