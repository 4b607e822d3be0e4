"""What people and programs do with a text: every way through the toolkit whose time depends on the text."""

import collections
import contextlib
from collections.abc import Callable
from functools import cache

from rui_cli.formats.full import render
from rui_cli.output import Style
from rui_cli.results import CheckResult, Summary
from rui_common.describe.unreadable import where_broken
from rui_common.editing.completion import completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.hover import hover_at
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import Document, read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.html.pages import PageHost, Spec, document_page, front_page
from rui_inspector.html.wireframe import wireframe_page
from rui_inspector.model.view import View
from tests.rui_lsp.conversation import REFRESHES, URI, Conversation
from tests.rui_lsp.marked import any_params_of, document_requests

SPEC = Spec("x", "/specs/x", "2026-01-31T09:15:00.123Z", "sha256:0123")
MAX_FIXED = 8
"""Diagnostics for which quick fixes are searched, from the first to the last one."""


class Subject:
    """A text, and what entries before have made of it.

    Attributes:
        text: the text.
        offsets: places in it for completion and hover.
        document: the document that `read` made.
        analysis: what is known about it; `diagnose` computes the diagnostics.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets = [0, len(text) // 2, max(0, len(text) - 1), len(text)]
        self.document: Document = read("")
        self.analysis = Analysis(self.document)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics."""
        return self.analysis.diagnostics


def _read(subject: Subject) -> None:
    subject.document = document = read(subject.text)
    _ = document.value, document.all_syntax, document.incomplete
    subject.analysis = Analysis(document)


def _diagnose(subject: Subject) -> None:
    _ = subject.diagnostics


def _hint(subject: Subject) -> None:
    document = read(subject.text)
    if not document.valid:
        where_broken(document)


def _format(subject: Subject) -> None:
    with contextlib.suppress(CannotFormatError):
        format_document(subject.analysis)


def _complete(subject: Subject) -> None:
    for offset in subject.offsets:
        context = completion_context_at(subject.document, offset)
        if context is not None:
            completions_at(subject.analysis, context)


def _hover(subject: Subject) -> None:
    for offset in subject.offsets:
        hover_at(subject.analysis, offset, "")


def _quick_fixes(subject: Subject) -> None:
    step = max(1, len(subject.diagnostics) // MAX_FIXED)
    for diagnostic in [*subject.diagnostics[::step][:MAX_FIXED], *subject.diagnostics[-1:]]:
        find_fixes(subject.analysis, diagnostic)


def _code_frames(subject: Subject) -> None:
    result = CheckResult("a.rui.json", subject.analysis, subject.diagnostics)
    collections.deque(render([result], Summary(), Style()), maxlen=0)


def _compare(subject: Subject) -> None:
    value = subject.document.value
    comparison_page(ComparedDocument(value, SPEC), ComparedDocument(_changed(value), SPEC), PageHost())


def _changed(value: object) -> object:
    """Return a value with its lists reversed and half of its strings changed."""
    if isinstance(value, str):
        return f"{value} changed" if len(value) % 2 else value
    if isinstance(value, list):
        return [_changed(element) for element in reversed(value)]
    if isinstance(value, dict):
        return {key: _changed(member) for key, member in value.items()}
    return value


ENTRIES: dict[str, Callable[[Subject], object]] = {
    "read": _read,
    "diagnose": _diagnose,
    "hint of a response": _hint,
    "fix all": lambda subject: apply_safe_fixes(subject.analysis),
    "format": _format,
    "completion": _complete,
    "hover": _hover,
    "quick fixes": _quick_fixes,
    "code frames": _code_frames,
    "wireframe": lambda subject: wireframe_page(View(subject.document.value)),
    "inspector": lambda subject: document_page(subject.text),
    "front page": lambda subject: front_page(PageHost(), (), subject.text, is_checked=True),
    "comparison": _compare,
}
"""Entries of the core, the command line and the pages by name. Each uses what those before it have made."""


@cache
def _client() -> Conversation:
    return Conversation(capabilities=REFRESHES)


def _lsp(method: str) -> Callable[[Subject], object]:
    """Return an entry that sends a request of the language server about the open document."""

    def send(subject: Subject) -> object:
        line, character = subject.document.lines.position(len(subject.text), "utf-16")
        end = {"line": line, "character": character}
        params = any_params_of(end, {"start": {"line": 0, "character": 0}, "end": end})
        return _client().request(method, {"textDocument": {"uri": URI}, **params})

    return send


def _close(_: Subject) -> None:
    """Close the document, and drop the messages of the server so that the memory of a long run stays bounded."""
    _client().shut()
    _client().sent.clear()


LSP_ENTRIES: dict[str, Callable[[Subject], object]] = {
    "didOpen": lambda subject: _client().open(subject.text),
    "didChange": lambda subject: _client().change(subject.text + " ", 2),
    **{method.removeprefix("textDocument/"): _lsp(method) for method in document_requests()},
    "didClose": _close,
}
"""Notifications and requests of the language server by name, in the order in which they are sent."""

ALL_ENTRIES = ENTRIES | {f"lsp {name}": entry for name, entry in LSP_ENTRIES.items()}
