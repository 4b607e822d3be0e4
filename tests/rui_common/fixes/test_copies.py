"""The fix for a copy: its repeated ids are renamed, and what refers to them follows."""

import json
from typing import Any

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.apply import Fix
from rui_common.fixes.copies import MAX_REPEATED
from rui_common.fixes.fix_all import apply_safe_fixes, fix_all_safe
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import NAVIGATION, NODE_ID, PAGE_ID, TEXT, node, one_of, string
from rui_common.vocabulary.schema import NodeRole, Prop, Shape, Vocabulary
from tests.support.small import TABLE, block

LINK = node(
    "Link", NodeRole.BLOCK, "A block of a later version, which refers to nodes.",
    Prop("block", string, "", uses=NODE_ID), Prop("page", string, "", uses=PAGE_ID),
)  # fmt: skip
SECTION = node(
    "Section", NodeRole.LAYOUT, "", Prop("direction", one_of("row"), ""),
    Prop("children", ListKind(NodeKind(TEXT, LINK, child="R13"), rule="R16"), "", required=True),
)  # fmt: skip
PAGE = node(
    "Page", NodeRole.LAYOUT, "", Prop("title", string, ""),
    Prop("children", ListKind(NodeKind(SECTION, child="R12"), rule="R15"), "", required=True),
)  # fmt: skip
LATER = Vocabulary(
    "9.9",
    Shape(
        "RUI", "", [
            Prop("navigation", ObjectKind(NAVIGATION), "", required=True),
            Prop("pages", ListKind(NodeKind(PAGE, child="R7b", at_type=True, defines=PAGE_ID), rule="R8"), "",
                 required=True)],
        scope=(PAGE_ID,)),
    planned={},
)  # fmt: skip
"""A vocabulary with references between blocks, and to pages in pages."""


def rui(notation: str) -> str:
    """Return the document of a notation: ``entries / page: section(block block) / page: …``.

    A page with ``!`` has another title. ``a>b`` is a Link to the block b, ``a>>b`` one to the page b.
    """
    entries, *pages = notation.split(" / ")
    document = {
        "version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": entry} for entry in entries.split()]},
        "pages": [_page(*page.split(": ")) for page in pages],
    }  # fmt: skip
    return json.dumps(document)


def _page(name: str, sections: str) -> dict[str, Any]:
    children = []
    for section in sections.rstrip(")").split(") "):
        section_id, _, blocks = section.partition("(")
        children.append({"id": section_id, "type": "Section", "direction": "row", "children": list(
            map(_block, blocks.split()))})  # fmt: skip
    title = "Other" if name.endswith("!") else "Title"
    return {"id": name.rstrip("!"), "type": "Page", "title": title, "children": children}


def _block(name: str) -> dict[str, Any]:
    link, _, page = name.partition(">>")
    if page:
        return {"id": link, "type": "Link", "page": page}
    link, _, target = name.partition(">")
    if target:
        return {"id": link, "type": "Link", "block": target}
    return {"id": name, "type": "Text", "content": "x"}


def notation(text: str) -> str:
    """Return the notation of a document."""
    value = json.loads(text)
    pages = []
    for page in value["pages"]:
        mark = "!" if page["title"] == "Other" else ""
        sections = [f"{block['id']}({' '.join(map(_name, block['children']))})" for block in page["children"]]
        pages.append(f"{page['id']}{mark}: {' '.join(sections)}")
    return " / ".join([" ".join(item["pageId"] for item in value["navigation"]["items"]), *pages])


def _name(block: dict[str, Any]) -> str:
    if "page" in block:
        return f"{block['id']}>>{block['page']}"
    return f"{block['id']}>{block['block']}" if "block" in block else block["id"]


def renaming(analysis: Analysis) -> Fix | None:
    """Return the fix of the first repeated id; None if it has none."""
    fixes = [
        fix
        for diagnostic in analysis.diagnostics
        if diagnostic.code == "DUPLICATE_ID"
        for fix in find_fixes(analysis, diagnostic)
    ]
    return next((fix for fix in fixes if fix.title.startswith("Rename all")), None)


def check(before: str, title: str, after: str, *, is_safe: bool, later: bool = False) -> None:
    """The fix of the first repeated id has this title and result; a safe one is applied by *Fix all*."""
    text = rui(before)
    analysis = Analysis(read(text), LATER) if later else Analysis(read(text))
    fix = renaming(analysis)
    assert fix is not None
    assert (fix.title, notation(apply(text, fix.edits)), fix.is_safe) == (title, after, is_safe)
    assert notation(apply_safe_fixes(analysis).document.text) == (after if is_safe else before)


IN_PAGE = "Rename all repeated ids in this Page"
IN_SECTION = "Rename all repeated ids in this Section"

SAFE = {
    "a pasted page": (
        "home / home: top(a b) end(c) / home!: top(a b) end(c)", IN_PAGE,
        "home home-2 / home: top(a b) end(c) / home-2!: top-2(a-2 b-2) end-2(c-2)"),
    "a pasted page with its own id": (
        "home more / home: top(a b) end(c) / more: top(a b) end(c)", IN_PAGE,
        "home more / home: top(a b) end(c) / more: top-2(a-2 b-2) end-2(c-2)"),
    "a pasted section that has another block": (
        "home / home: top(a b) top(a b c)", IN_SECTION, "home / home: top(a b) top-2(a-2 b-2 c)"),
    "a section pasted into another page": (
        "home more / home: top(a b) / more: own(c) top(a b d)", IN_PAGE,
        "home more / home: top(a b) / more: own(c) top-2(a-2 b-2 d)"),
    "the same ids in another page, with other content": (
        "home more / home: main(table chart) end(c) / more!: main(table) side(chart d)", IN_PAGE,
        "home more / home: main(table chart) end(c) / more!: main-2(table-2) side(chart-2 d)"),
    "ids repeated in the copy itself": (
        "home / home: top(a a) / home!: top(a a)", IN_PAGE, "home home-2 / home: top(a a) / home-2!: top-2(a-3 a-4)"),
    "ids with numbers": (
        "p-1 / p-1: s-1(a-1 a-2) / p-1!: s-1(a-1 a-2)", IN_PAGE,
        "p-1 p-2 / p-1: s-1(a-1 a-2) / p-2!: s-2(a-3 a-4)"),
}  # fmt: skip
UNSAFE = {
    "a page that is its original": (
        "home / home: top(a b) / home: top(a b)", IN_PAGE, "home home-2 / home: top(a b) / home-2: top-2(a-2 b-2)"),
    "a section that is its original": (
        "home / home: top(a b) top(a b)", IN_SECTION, "home / home: top(a b) top-2(a-2 b-2)"),
    "ids of several pages": (
        "home more new / home: top(a) / more: end(b) / new: side(a b)", IN_PAGE,
        "home more new / home: top(a) / more: end(b) / new: side(a-2 b-2)"),
    "ids repeated in one section": ("home / home: top(a a b b)", IN_PAGE, "home / home: top(a a-2 b b-2)"),
    "a page pasted with its entry": (
        "home home / home: top(a) / home!: top(a)", IN_PAGE, "home home-2 / home: top(a) / home-2!: top-2(a-2)"),
    "a page with more entries than copies": (
        "home home home / home: top(a) / home!: top(a)", IN_PAGE,
        "home home home home-2 / home: top(a) / home-2!: top-2(a-2)"),
    "a page for which there is an entry already": (
        "home about / home: top(a) / home!: top(a)", IN_PAGE, "home about / home: top(a) / about!: top-2(a-2)"),
    "a malformed id": (
        "home / home: top(A_b c) / home!: top(A_b c)", IN_PAGE,
        "home home-2 / home: top(A_b c) / home-2!: top-2(a-b c-2)"),
    "an id without a letter": (
        "home / home: top(7 c) / home!: top(7 c)", IN_PAGE,
        "home home-2 / home: top(7 c) / home-2!: top-2(text-1 c-2)"),
    "the id of a section for a page, which an entry opens": (
        "home b / home: b(a) / b: top(a)", IN_PAGE, "home b-2 / home: b(a) / b-2: top(a-2)"),
}  # fmt: skip
OF_LATER_VERSIONS = {
    "references in the copy follow": (
        "home / home: top(a b>a c>>home) / home!: top(a b>a c>>home)", IN_PAGE,
        "home / home: top(a b>a c>>home) / home-2!: top-2(a-2 b-2>a-2 c-2>>home-2)"),
    "references elsewhere stay": (
        "home more / home: top(a b>a) / more: s(c>a) / home!: top(a b>a)", IN_PAGE,
        "home more home-2 / home: top(a b>a) / more: s(c>a) / home-2!: top-2(a-2 b-2>a-2)"),
    "references out of the copy stay": (
        "home / home: own(d) top(a b>d) / home!: top(a b>d)", IN_PAGE,
        "home home-2 / home: own(d) top(a b>d) / home-2!: top-2(a-2 b-2>d)"),
    "a reference to what the copy has twice": (
        "home / home: top(a b>a) / home!: top(a a b>a)", IN_PAGE,
        "home home-2 / home: top(a b>a) / home-2!: top-2(a-2 a-3 b-2>a-2)"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "title", "after"), SAFE.values(), ids=SAFE)
def test_a_copy_that_differs_from_its_original_is_renamed_safely(before: str, title: str, after: str) -> None:
    check(before, title, after, is_safe=True)


@pytest.mark.parametrize(("before", "title", "after"), UNSAFE.values(), ids=UNSAFE)
def test_other_repeated_ids_are_renamed_by_their_author(before: str, title: str, after: str) -> None:
    check(before, title, after, is_safe=False)


@pytest.mark.parametrize(("before", "title", "after"), OF_LATER_VERSIONS.values(), ids=OF_LATER_VERSIONS)
def test_references_in_the_copy_follow(before: str, title: str, after: str) -> None:
    check(before, title, after, is_safe=True, later=True)


ALL = {
    "a page pasted twice": (
        "home / home: top(a) / home!: top(a) / home!: top(a b)",
        "home home-2 home-3 / home: top(a) / home-2!: top-2(a-2) / home-3!: top-3(a-3 b)"),
    "a page pasted twice, once without a change": (
        "home / home: top(a) / home!: top(a) / home: top(a)",
        "home home-2 / home: top(a) / home-2!: top-2(a-2) / home: top(a)"),
    "a copied page with a copied section": (
        "home / home: top(a b) top(a b c) / home!: top(a b) top(a b c)",
        "home home-2 / home: top(a b) top-2(a-2 b-2 c) / home-2!: top-3(a-3 b-3) top-4(a-4 b-4 c-2)"),
    "a page that nothing opens": (
        "more / more: own(x) / home: top(a) / home!: top(a)",
        "more home home-2 / more: own(x) / home: top(a) / home-2!: top-2(a-2)"),
    "a single id": ("home more / home: top(a) / more!: end(a)", "home more / home: top(a) / more!: end(a)"),
    "names that are like others": (
        "home / home: top(a a-2) / home!: top(a b) / home!: top(a-2 c)",
        "home home-2 home-3 / home: top(a a-2) / home-2!: top-2(a-3 b) / home-3!: top-3(a-4 c)"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), ALL.values(), ids=ALL)
def test_fix_all_renames_copies(before: str, after: str) -> None:
    assert notation(apply_safe_fixes(Analysis(read(rui(before)))).document.text) == after


def test_fix_all_names_the_first_error_of_a_copy() -> None:
    applied = fix_all_safe(Analysis(read(rui(SAFE["a pasted page"][0])))).applied
    assert [(applied_fix.path, applied_fix.title) for applied_fix in applied] == [(("pages", 1, "id"), IN_PAGE)]


NOT_OFFERED = {
    "a single id": rui("home more / home: top(a) / more!: end(a)"),
    "keys of columns, which are names of data": block(
        TABLE.replace('{"key": "total"}', '{"key": "total"}, {"key": "status"}, {"key": "total"}')),
}  # fmt: skip


@pytest.mark.parametrize("text", NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_other_duplicates_are_renamed_one_by_one(text: str) -> None:
    analysis = Analysis(read(text))
    titles = {fix.title for diagnostic in analysis.diagnostics for fix in find_fixes(analysis, diagnostic)}
    assert titles
    assert not [title for title in titles if title.startswith("Rename all")]


def test_each_repeated_id_of_a_copy_has_the_fix() -> None:
    analysis = Analysis(read(rui(SAFE["a pasted page"][0])))
    assert len(analysis.diagnostics) == 6
    assert {find_fixes(analysis, diagnostic)[0] for diagnostic in analysis.diagnostics} == {renaming(analysis)}


def test_the_first_of_many_repeated_ids_has_the_fix() -> None:
    """All of them together would have edits as many as the square of their number."""
    blocks = " ".join(f"a{number}" for number in range(MAX_REPEATED))
    analysis = Analysis(read(rui(f"home / home: top({blocks}) / home!: top({blocks})")))
    titles = [[fix.title for fix in find_fixes(analysis, diagnostic)] for diagnostic in analysis.diagnostics]
    assert [IN_PAGE in fix_titles for fix_titles in titles] == [True, *[False] * (len(titles) - 1)]
    assert apply_safe_fixes(analysis).diagnostics == []
