"""The first fix of an error or a warning does not contradict its hint: what the hint names, the fix writes or does.

The cases are those of tests/cases, and documents with random errors.
"""

import json
import random
import re

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.apply import Fix
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from tests.inputs.breaking import broken
from tests.inputs.sample import sample
from tests.support.corpus import Case, read_cases
from tests.support.nightly import seeds

_STRING = r'"(?:[^"\\]|\\.)*"'
NAMED = re.compile(
    rf"did you mean ({_STRING})\?|content belongs in (?:the property )?({_STRING})|Set `version` to ({_STRING})"
    rf"|Put it into the text of ({_STRING})|Write it into ({_STRING}): "
)
"""Names that a hint tells to use. The first of several counts, as the first fix does."""
IN_FULL = re.compile(r"Write ([\[{].*?[\]}])\.(?= |$)")
NODES = re.compile(r"[Pp]ut it into a (\w+)\.")
REMOVAL = re.compile(r"(?:^|\. )(?:Remove it\.|Leave it out\b)")
ALLOWED = re.compile(rf"Must be (?:one of )?({_STRING}(?:, {_STRING})*)")


def contradictions(analysis: Analysis, diagnostic: Diagnostic) -> list[str]:
    """Return what the first fix does otherwise than the hint says."""
    fixes = find_fixes(analysis, diagnostic)
    if not fixes:
        return []
    fix = fixes[0]
    hint = f"{diagnostic.message} {diagnostic.hint}"
    written = fix.title + "".join(edit.text for edit in fix.edits)
    found: list[str] = []
    named = NAMED.search(hint)
    if named is not None:
        name = json.loads(next(filter(None, named.groups())))
        if name not in written:
            found.append(f"{name} is named")
    in_full = IN_FULL.search(hint)
    if in_full is not None and "…" not in in_full[1] and not _writes(analysis, fix, json.loads(in_full[1])):
        found.append(f"{in_full[1]} is named")
    node = NODES.search(hint)
    if named is None and node is not None and node[1] not in written:
        found.append(f"a {node[1]} is named")
    # Where a mark stands in the place of a value, null follows.
    added = {edit.text.strip(" ,\n\r\t") for edit in fix.edits} - {"", "null"}
    if named is None and REMOVAL.search(diagnostic.hint) and added:
        found.append("it is to be removed")
    allowed = ALLOWED.search(diagnostic.hint)
    values = [] if allowed is None else json.loads(f"[{allowed[1]}]")
    if values and not fix.title.startswith("Remove") and not any(value in written for value in values):
        found.append("another value is allowed")
    return [f"{words}, but the fix is: {fix.title} ({diagnostic.code} {diagnostic.hint})" for words in found]


def _writes(analysis: Analysis, fix: Fix, value: object) -> bool:
    """Return whether the text has a value after a fix that it has not before."""
    before, after = (
        json.dumps(read(text).value, ensure_ascii=False)
        for text in (analysis.document.text, apply(analysis.document.text, fix.edits))
    )
    shown = json.dumps(value, ensure_ascii=False)
    return after.count(shown) > before.count(shown)


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: f"{case.file.name}: {case.heading}")
def test_the_first_fix_of_a_case_does_what_the_hint_says(case: Case) -> None:
    analysis = Analysis(read(case.source))
    assert [line for diagnostic in analysis.diagnostics for line in contradictions(analysis, diagnostic)] == []


@pytest.mark.parametrize("seed", seeds(40))
def test_the_first_fix_of_a_random_error_does_what_the_hint_says(seed: int) -> None:
    document, _ = broken(sample(2_000, seed=seed), random.Random(seed), 8)
    analysis = Analysis(read(json.dumps(document, ensure_ascii=False)))
    assert [line for diagnostic in analysis.diagnostics for line in contradictions(analysis, diagnostic)] == []
