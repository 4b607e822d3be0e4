"""Apply the same fix to every diagnostic of one kind: the fix of one diagnostic, wherever it applies."""

from __future__ import annotations

import re
from itertools import islice

from rui_common.fixes.fix_all import apply_fixes
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.fixes.model import Fix
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.vocabulary.schema import Vocabulary

MAX_FIXES = 500
"""Maximum number of diagnostics that are fixed at once."""

_QUOTED = re.compile(r'"[^"]*"')


def kind_of(diagnostic: Diagnostic, fix: Fix) -> str:
    """What the fixes of a kind have in common: the code of their diagnostic, and the title without names."""
    return f"{diagnostic.code} {_QUOTED.sub('…', fix.title)}"


def has_others(diagnostic: Diagnostic, kind: str, diagnostics: Iterable[Diagnostic], finder: FixFinder) -> bool:
    """Whether one of the next diagnostics of the same code has a fix of this kind."""
    others = (one for one in diagnostics if one.code == diagnostic.code and one is not diagnostic)
    return any(kind_of(one, fix) == kind for one in islice(others, 3) for fix in finder.find(one))


def apply_kind(document: Document, kind: str, vocabulary: Vocabulary = VOCABULARY) -> Document:
    """Apply the fixes of a kind that add no diagnostic but placeholders; `document` itself if there is none."""
    before = diagnose(document)
    fixes = list(dict.fromkeys(islice(_fixes(document, before, kind, vocabulary), MAX_FIXES)))
    return apply_fixes(document, before, fixes)


def _fixes(document: Document, diagnostics: list[Diagnostic], kind: str, vocabulary: Vocabulary) -> Iterator[Fix]:
    finder = FixFinder(document, vocabulary)
    code = kind.partition(" ")[0]
    for diagnostic in diagnostics:
        if diagnostic.code == code:
            fix = next((fix for fix in finder.find(diagnostic) if kind_of(diagnostic, fix) == kind), None)
            if fix is not None:
                yield fix
