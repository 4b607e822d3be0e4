"""Every error that one edit can fix has a quick fix, which removes exactly this error and adds none.

The tables list the exceptions among the cases of the corpus, each with the reason.
"""

import re
from collections import Counter
from typing import Any

import pytest

from rui_common.describe.examples import broken_example
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import Diagnostic, diagnose, without_placeholders
from rui_common.vocabulary.rules import RULES
from tests.corpus import Case, read_cases
from tests.rui_lsp.features.test_code_action import actions, done
from tests.rui_lsp.marked import Opened, opened

CASES = read_cases()

HIDDEN = "the fault hid others, which come to light when it is fixed"
SEVERAL = "what is wrong is at fault twice, and is fixed once"
TYPED = "it is still being written, and nothing is called absent until its brackets are there"

MOVED = "its id was that of a page, and is so no more"
OTHER = "as another type it needs something else"
ENVELOPE = "one fault, which is told wherever something is missing; its fix does away with all of it"
SHIFTED = "the next superfluous comma takes the place of the one that is removed"
RENAMED = "what is still wrong with it is told under its new name"

# Cases in both tables below, for the same reason.
BOTH: dict[str, str] = {
    "bindings: Planned: write": HIDDEN,
    "aliases: Structures: A list for the navigation": RENAMED,
    "aliases: Structures: One entry for the navigation": RENAMED,
    "aliases: Structures: Nothing that can be read": HIDDEN,
    "nodes: 3 Planned: A form, with faults of every sort in it": HIDDEN,
    "nodes: Read by its shape: It has something that the type does not register": HIDDEN,
    "nodes: Read by its shape: It looks like a type that is not allowed in this place": HIDDEN,
    "nodes: 5 Registered type in the wrong place: Nodes of other types among the pages": MOVED,
    "nodes: 5 Registered type in the wrong place: A table among the pages has its own column scope": MOVED,
    "reading: Strictly RFC 8259: The text ends after a bracket": TYPED,
    "reading: Strictly RFC 8259: The text ends after a colon": TYPED,
    "reading: Strictly RFC 8259: The text ends after a comma": TYPED,
    "reading: Cut off: The text ends within a string": TYPED,
    "reading: Cut off: The text ends within an escape": TYPED,
    "reading: Cut off: The text ends within a name": TYPED,
    "reading: Cut off: The text ends within a word": TYPED,
    "reading: Cut off: The text ends within a string and a line end": TYPED,
    "reading: Strictly RFC 8259: The text ends within a list": TYPED,
    "reading: Broken texts: A node that is being typed": TYPED,
    "reading: Broken texts: A property without a value is not absent": TYPED,
    "reading: Broken texts: A list that is being typed is not empty": TYPED,
    "references: Where they are silent: A page with an id that is no string": HIDDEN,
    "references: Where they are silent: An element of pages that is no object": HIDDEN,
    "references: Where they are silent: A page that no item opens, next to a page without an id": HIDDEN,
    "references: Where they are silent: An item without a pageId": HIDDEN,
    "references: Where they are silent: columns of the wrong type": HIDDEN,
}
# Cases in which a quick fix brings new diagnostics.
BRINGS: dict[str, str] = BOTH | {
    "nodes: Read by its shape: It lacks something that every allowed type requires": HIDDEN,
    "answers: All at once: Many faults all over a document": HIDDEN,
    "answers: Several findings at one place: Two and three rules of one id": RENAMED,
    "faults: Wrong type: A pageId that is a number": HIDDEN,
    "nodes: 1 No object: In Page.children": HIDDEN,
    "nodes: Read by its shape: A table": OTHER,
    "nodes: What still counts of such nodes: Ids below them do not count": HIDDEN,
    "references: Where they are silent: An item with a pageId that is no string": HIDDEN,
    "references: Where they are silent: An item that is no object": HIDDEN,
    "references: Where they are silent: A column that is no object": HIDDEN,
    "references: Where they are silent: A filter of the wrong type, or without a field": HIDDEN,
    "references: Where they are silent: Names that are badly formed are names all the same": RENAMED,
    "references: A root that is no object: An array": HIDDEN,
    "aliases: Properties: A title for a label": RENAMED,
    "aliases: Properties: The same, and all that is wrong can be fixed safely": RENAMED,
    "aliases: Spelling: A name in other cases": RENAMED,
    "aliases: Several words: The right type": RENAMED,
    "aliases: Types: A word for several types": RENAMED,
    "aliases: Types: What has no counterpart": RENAMED,
    "aliases: Content: Two candidates": HIDDEN,
    "aliases: Types: A block below a page that fits completely": HIDDEN,
    "aliases: Types: A block that fits completely under other names": HIDDEN,
    "answers: Examples: A request beside the place of its binding": RENAMED,
    "answers: Examples: The name of a type in place of a page": HIDDEN,
    "answers: Names in hints: A page instead of null": RENAMED,
}
# Cases in which no quick fix removes one of the diagnostics alone.
NOT_ALONE: dict[str, str] = BOTH | {
    "answers: Several findings at one place: Two and three rules of one id": SEVERAL,
    "ids: Duplicates: Ids that are badly formed repeat too": SEVERAL,
    "ids: Duplicates: Ids of misplaced nodes count": SEVERAL,
    "nodes: 5 Registered type in the wrong place: A page in a section": SEVERAL,
    "nodes: 5 Registered type in the wrong place: A page in a page": SEVERAL,
    "ranges: Repeated keys: An unknown property that repeats": SEVERAL,
    "ranges: Repeated keys: A list that repeats": SEVERAL,
    "reading: Repeated keys: At the root, and in what does not count": SEVERAL,
    "reading: Repeated keys: In open objects, at any depth": SEVERAL,
    "reading: What a syntax error points at: Symbols before it": SEVERAL,
    "reading: Broken texts: Findings next to a syntax error": SEVERAL,
    "references: Where they are silent: Names that are badly formed are names all the same": SEVERAL,
    "references: Pages with one id: No item for either": SEVERAL,
    "shapes: Strict objects: A whole document within an envelope": ENVELOPE,
    "shapes: Strict objects: A whole document within an envelope, as a string": ENVELOPE,
    "aliases: Properties: A title for a label": SEVERAL,
    "aliases: Properties: A text": SEVERAL,
    "aliases: Properties: A whole document in other words": SEVERAL,
    "aliases: Properties: The same, and all that is wrong can be fixed safely": SEVERAL,
    "aliases: Properties: A misspelt list": SEVERAL,
    "aliases: Spelling: A name in other cases": SEVERAL,
    "aliases: Spelling: A list in other cases": SEVERAL,
    "aliases: Spelling: Parts of a name": SEVERAL,
    "aliases: Spelling: Singular": SEVERAL,
    "aliases: Several words: The right type": SEVERAL,
    "aliases: Several words: The likeliest": SEVERAL,
    "aliases: Several words: Code point": SEVERAL,
    "aliases: Types: A page": SEVERAL,
    "aliases: Types: A type of another place": SEVERAL,
    "aliases: Types: A word for several types": SEVERAL,
    "aliases: Types: What has no counterpart": SEVERAL,
    "aliases: Types: The type under another name": SEVERAL,
    "aliases: Wrappers: A whole document": ENVELOPE,
    "aliases: Wrappers: In other words": ENVELOPE,
    "aliases: Wrappers: Two wrappers": ENVELOPE,
    "aliases: Wrappers: An object that is no wrapper": ENVELOPE,
    "aliases: Holders: The properties of a metric": SEVERAL,
    "aliases: Holders: A text": SEVERAL,
    "aliases: Holders: A holder in a holder, and names in it": SEVERAL,
    "aliases: Holders: A holder among the properties of a request": SEVERAL,
    "aliases: Holders: An alias": SEVERAL,
    "aliases: Structures: A list with one binding and one filter": SEVERAL,
    "aliases: Structures: Pages by their ids": SEVERAL,
    "aliases: Structures: Sections in a section, in an object of their own": SEVERAL,
    "aliases: Structures: One section, and one block in it": SEVERAL,
    "aliases: Content: A fixed value": SEVERAL,
    "aliases: Content: A list": SEVERAL,
    "aliases: Content: An object": SEVERAL,
    "aliases: Content: Two candidates": HIDDEN,
    "aliases: Types: A block below a page that fits completely": SEVERAL,
    "aliases: Types: A block that fits completely under other names": SEVERAL,
    "answers: Examples: A request beside the place of its binding": SEVERAL,
    "answers: Examples: The name of a type in place of a page": SEVERAL,
    "answers: Names in hints: Two nodes with one malformed id": SEVERAL,
    "answers: Names in hints: A page instead of null": SEVERAL,
    "answers: Names in hints: The same words in another form": SEVERAL,
    "bindings: Placeholders: Under another name": SEVERAL,
    "faults: Absent: A misspelt property is two faults": SEVERAL,
    "reading: Hints that are followed literally: Three commas": SHIFTED,
    "nodes: 4 Type not registered: Shapes that are no nodes": SEVERAL,
    "shapes: Strict objects: An envelope around the document": ENVELOPE,
}


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.number)
def test_every_rule_has_a_quick_fix_that_fixes_this_and_breaks_nothing(rule: Any) -> None:
    assert check(broken_example(rule)) == (set(), set())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_fault_of_the_corpus_has_a_quick_fix(case: Case) -> None:
    brings, not_alone = check(read(case.source).text)
    assert bool(brings) == (case.id in BRINGS), brings
    assert bool(not_alone) == (case.id in NOT_ALONE), not_alone


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("kind", ["source.fixAll.rui", "source.organizeProperties.rui"])
def test_a_second_pass_changes_nothing(case: Case, kind: str) -> None:
    text = read(case.source).text
    for action in actions(opened(text), only=[kind]):
        once = done(opened(text), action)
        assert once != text
        assert actions(opened(once), only=[kind]) == []
        assert case.id in BRINGS or not keys(once) - keys(text)


NOT_JSON = "This text is not JSON"
"""No fix makes a document of prose."""


def check(text: str) -> tuple[set[str], set[str]]:
    """Apply every quick fix of every diagnostic: each diagnostic has one, and each quick fix removes its diagnostic.

    Returns:
        The titles of quick fixes that add diagnostics, and the messages of diagnostics that no quick fix removes alone.
    """
    brings, not_alone = set(), set()
    before = keys(text)
    for diagnostic in without_placeholders(diagnose(read(text))):
        key = key_of(diagnostic)
        alone = False
        found = fixes(opened(text), diagnostic)
        if diagnostic.message == NOT_JSON:
            assert not found
            continue
        assert found, diagnostic
        for at, action in found:
            after = keys(done(at, action))
            # Of several superfluous commas, the next one takes the place of the one that is removed.
            is_fewer = after[key] < before[key] or (key[0] == "INVALID_JSON" and after.total() < before.total())
            assert is_fewer, action["title"]
            if after - before:
                brings.add(action["title"])
            alone = alone or after == before - Counter([key])
        if not alone:
            not_alone.add(diagnostic.message)
    return brings, not_alone


def fixes(at: Opened, diagnostic: Diagnostic) -> list[tuple[Opened, dict[str, Any]]]:
    """Return the quick fixes of one diagnostic."""
    at.cursor = diagnostic.span.start
    found = actions(at, diagnostic.span.end, only=["quickfix"])
    return [
        (at, action) for action in found if any(is_about(item, diagnostic) for item in action["diagnostics"])
    ]  # fmt: skip


def keys(text: str) -> Counter[tuple[str, str, str]]:
    return Counter(key_of(one) for one in without_placeholders(diagnose(read(text))))


def key_of(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return a key of a diagnostic that does not depend on its position."""
    return diagnostic.code, diagnostic.rule, re.sub(r"\[\d+\]", "[]", diagnostic.message)


def is_about(item: dict[str, Any], diagnostic: Diagnostic) -> bool:
    return item["code"] == diagnostic.code and item["message"].startswith(diagnostic.message)
