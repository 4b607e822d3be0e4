"""The fixes that diagnostics carry (``data.fixes``), for clients that show them without a request."""

from __future__ import annotations

from lsprotocol import types

from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.client.convert import Positions, to_text_edits
from rui_lsp.protocol.log import logger

MAX_TEXT_WITH_FIXES = 16_000
"""Maximum length of documents whose diagnostics contain fixes. Up to it, finding the fixes takes about as long as
finding the diagnostics. In longer documents it takes several times as long.
"""

MAX_DIAGNOSTICS_WITH_FIXES = 20
"""Maximum number of diagnostics that contain fixes."""


def add_fixes(
    items: list[types.Diagnostic], diagnostics: list[Diagnostic], analysis: Analysis, positions: Positions
) -> None:
    """Add their fixes to diagnostics, where finding them is fast.

    Args:
        items: the diagnostics as the protocol's.
        diagnostics: the same diagnostics.
    """
    document = analysis.document
    is_fast = len(items) <= MAX_DIAGNOSTICS_WITH_FIXES and len(document.text) <= MAX_TEXT_WITH_FIXES
    if not items or not is_fast or not document.valid:
        return
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  30 ms that a valid document does not need

    fix_finder = FixFinder(analysis)
    for item, diagnostic in zip(items, diagnostics, strict=True):
        try:
            fixes = fix_finder.find(diagnostic)
        except Exception:  # The author still gets the diagnostics.
            logger.exception("cannot find fixes of %r", diagnostic)
            continue
        if fixes and isinstance(item.data, dict):
            item.data["fixes"] = [
                {"title": fix.title, "isPreferred": fix.is_safe, "edits": to_text_edits(fix.edits, positions)}
                for fix in fixes
            ]
