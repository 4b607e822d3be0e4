"""What the playground process does, besides rendering pages. The documents may be hostile."""

from __future__ import annotations

import json
from typing import Any

from rui_api.playground.answers import Selection, answer
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_inspector.html import pages as render
from rui_inspector.model.problems import displayed_diagnostics


def answer_editor(action: str, text: str, start: tuple[int, int], end: tuple[int, int]) -> bytes:
    """Return the answer to a request of the editor, in JSON."""
    return json.dumps(answer(action, text, Selection(start, end)), separators=(",", ":")).encode()


def front_page(document: bytes, *arguments: Any, is_checked: bool = False, **texts: Any) -> str:  # noqa: ANN401
    """Return the front page with a document in its form, and with the diagnostics of one that is checked.

    The other arguments are those of `rui_inspector.html.pages.front_page`.
    """
    if not is_checked:
        return render.front_page(*arguments, text=document.decode("utf-8", "replace"), **texts)
    checked = Analysis(read(document))
    problems = displayed_diagnostics(checked.document, checked.diagnostics)
    return render.front_page(*arguments, text=checked.document.text, problems=problems, **texts)


def hash_and_normalize(document: bytes) -> tuple[bytes, str] | None:
    """Return the normal form as JSON and the content hash; None if the document is invalid."""
    analysis = Analysis(read(document))
    if any(is_error(diagnostic) for diagnostic in analysis.diagnostics):
        return None
    rui = json.dumps(normalize(analysis.tree), ensure_ascii=False, separators=(",", ":"))
    return rui.encode(), content_hash(analysis.tree.root.members)
