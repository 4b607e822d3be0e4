"""What VS Code's extension offers, in Neovim 0.11 with Neovim's own means: a test for each row of the table."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.neovim import DESK, DRAFT, ROOT, Neovim

pytestmark = pytest.mark.usefixtures("installed_neovim")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    with Neovim(tmp_path_factory.mktemp("neovim"), files={".git/config": ""}) as running:
        yield running


@pytest.fixture
def nvim(editor: Neovim) -> Neovim:
    """A Neovim with the example open, without messages."""
    editor.tidy()
    for path in editor.folder.glob("*.rui.json"):
        path.unlink()
    editor.edit("desk.rui.json", DESK)
    return editor


def act(nvim: Neovim, title: str) -> None:
    """Apply the only code action at the cursor with a title."""
    nvim.lua(
        "local title = ...\n"
        "vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title == title end })",
        title,
    )


def ids(nvim: Neovim) -> list[str]:
    """Return the ids of the pages."""
    return [page["id"] for page in json.loads(nvim.text())["pages"]]


def test_an_added_binding_is_marked_until_its_addresses_are_set(nvim: Neovim) -> None:
    metric = '"children": [\n            { "id": "late", "type": "Metric", "label": "Late" },'
    before, figures, after = DESK.partition('"direction": "row",')
    nvim.edit("marked.rui.json", before + figures + after.replace('"children": [', metric, 1))
    nvim.until(lambda: nvim.codes() == ["MISSING_BINDING"])
    nvim.put_cursor('"late"')
    act(nvim, 'Add "binding"')
    nvim.until(lambda: '"/TODO"' in nvim.text())
    nvim.type("<C-\\><C-n>")
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER", "PLACEHOLDER"])
    nvim.command("%s#/TODO#/api/late#")
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER"])


def test_a_completed_page_brings_its_entry(nvim: Neovim) -> None:
    row = next(number for number, line in enumerate(DESK.split("\n")) if line.strip() == '"pages": [')
    nvim.request("nvim_win_set_cursor", 0, [row + 1, 0])
    nvim.type("o{")
    nvim.until(lambda: "{" in nvim.request("nvim_get_current_line"))
    nvim.type("<C-x><C-o>")
    nvim.until(lambda: nvim.lua("return vim.fn.pumvisible()") == 1, "a menu")
    nvim.type("<C-n>" if nvim.lua("return vim.fn.complete_info().selected") == -1 else "")
    nvim.type("<C-y>")
    nvim.until(lambda: nvim.text().count('"pageId"') == DESK.count('"pageId"') + 1, "an entry of the navigation")


def test_pages_move(nvim: Neovim) -> None:
    nvim.put_cursor('"stock"', '"id": ')
    before = ids(nvim)
    act(nvim, "Move the Page up")
    nvim.until(lambda: nvim.text() != DESK)
    assert ids(nvim) == before[::-1]
    nvim.until(lambda: nvim.findings() == [])


def test_a_page_is_deleted_with_its_entries(nvim: Neovim) -> None:
    nvim.put_cursor('"stock"', '"id": ')
    act(nvim, "Delete the Page and the element that refers to it")
    nvim.until(lambda: '"stock"' not in nvim.text())
    nvim.until(lambda: nvim.findings() == [])


def test_linked_editing(nvim: Neovim) -> None:
    renamed = DESK.replace('"today"', '"this-day"')
    link(nvim)
    nvim.type("ciwthis-day")
    nvim.until(lambda: nvim.text() == renamed, "the reference has changed, too")
    assert nvim.request("nvim_get_mode")["mode"] == "i"
    nvim.type("<Esc>")
    nvim.until(lambda: nvim.findings() == [])
    nvim.type("u")
    nvim.until(lambda: nvim.text() == DESK, "one undo")
    nvim.type("<C-r>")
    nvim.until(lambda: nvim.text() == renamed)


def link(nvim: Neovim) -> None:
    """Move the cursor to the definition of a page, and wait for the link."""
    nvim.put_cursor("today", '"id": "')
    nvim.until(lambda: nvim.lua(LINKED) >= 2, "a link")


LINKED = "return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('rui.linked_editing'), 0, -1, {})"


def test_a_link_ends_with_the_name(nvim: Neovim) -> None:
    link(nvim)
    nvim.type('ea", "x": "<Esc>')
    nvim.until(lambda: '"today", "x": ""' in nvim.text() or "x" in nvim.text())
    nvim.until(lambda: nvim.lua(LINKED) == 0, "the link has ended")
    assert '"pageId": "today"' in nvim.text()


def test_references_are_not_linked(nvim: Neovim) -> None:
    nvim.put_cursor("today", '"pageId": "')
    nvim.type("ciwstock<Esc>")
    nvim.until(lambda: '"pageId": "stock"' in nvim.text())
    assert '"id": "today"' in nvim.text()


def test_linked_editing_can_be_switched_off(tmp_path: Path) -> None:
    with Neovim(tmp_path, "vim.g.rui_linked_editing = false\n") as nvim:
        nvim.edit("desk.rui.json", DESK)
        nvim.put_cursor("today", '"id": "')
        nvim.type("ciwnew<Esc>")
        nvim.until(lambda: "INVALID_NAV_PAGE_ID" in nvim.codes())
        assert '"pageId": "today"' in nvim.text()


def test_the_selection_extends_and_shrinks(nvim: Neovim) -> None:
    nvim.put_cursor("today", '"id": "')
    nvim.type("v")
    shown = [chosen(nvim)]
    for _ in range(3):
        nvim.type("an")
        nvim.until(lambda: chosen(nvim) != shown[-1], "a larger selection")
        shown.append(chosen(nvim))
    assert shown == ["t", "today", '"today"', '"id": "today"']
    for expected in shown[-2::-1]:
        nvim.type("in")
        nvim.until(lambda expected=expected: chosen(nvim) == expected, expected)


def chosen(nvim: Neovim) -> str:
    return "\n".join(nvim.lua("return vim.fn.getregion(vim.fn.getpos('v'), vim.fn.getpos('.'))"))


def test_folds(nvim: Neovim) -> None:
    nvim.command("setlocal foldmethod=expr foldexpr=v:lua.vim.lsp.foldexpr() foldlevel=0")
    row = next(number for number, line in enumerate(DESK.split("\n"), 1) if line.strip() == '"pages": [')
    nvim.until(lambda: nvim.lua("return vim.fn.foldclosed(...)", row) != -1, "folds")


def test_symbols_of_the_document(nvim: Neovim) -> None:
    nvim.lua("vim.lsp.buf.document_symbol()")
    nvim.until(lambda: "At a glance" in str(nvim.lua("return vim.fn.getloclist(0)")), "the outline")


def test_names_are_highlighted(nvim: Neovim) -> None:
    nvim.put_cursor("today", '"id": "')
    nvim.lua("vim.lsp.buf.document_highlight()")
    marks = "return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('nvim.lsp.references'), 0, -1, {})"
    nvim.until(lambda: nvim.lua(marks) == 2, "both places")
    nvim.lua("vim.lsp.buf.clear_references()")


def test_documentation(nvim: Neovim) -> None:
    nvim.put_cursor('"direction"')
    nvim.lua("vim.lsp.buf.hover()")
    nvim.until(lambda: "direction" in str(nvim.lua(FLOATING)).lower(), "a window")


FLOATING = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\\n')
  end
end
return ''
"""


def test_all_documents_of_the_folder(nvim: Neovim) -> None:
    (nvim.folder / "closed.rui.json").write_text(DRAFT)
    nvim.command("RuiCheck")
    nvim.until(lambda: "6 problems in 1 document" in nvim.messages())
    items = nvim.lua(
        "return vim.tbl_map(function(i) return { vim.fn.bufname(i.bufnr), i.text } end, vim.fn.getqflist())"
    )
    assert {name for name, _ in items} == {"closed.rui.json"}
    assert any("tody" in text for _, text in items)


def test_without_a_repository_the_working_directory_is_checked(tmp_path: Path) -> None:
    with Neovim(tmp_path) as nvim:
        nvim.edit("draft.rui.json", DRAFT)
        (nvim.folder / "closed.rui.json").write_text(DRAFT)
        nvim.command(f"cd {nvim.folder}")
        nvim.command("RuiCheck")
        nvim.until(lambda: "12 problems in 2 documents" in nvim.messages(), "both documents")


TESTS = {
    "Errors while typing": (
        "vscode_diagnostics.diagnostics_follow_each_change", "neovim.diagnostics_follow_each_change",
    ),
    "Problems of all documents in the folder": (
        "workspace_diagnostic.every_document_of_every_folder_is_checked", "neovim_features.all_documents_of_the_folder",
    ),
    "Quick fixes": ("vscode_writing.a_quick_fix_is_chosen_from_the_menu", "neovim.a_quick_fix"),
    "An added binding is marked until it is set": (
        "vscode_daily.an_added_binding_is_marked_until_its_addresses_are_set",
        "neovim_features.an_added_binding_is_marked_until_its_addresses_are_set",
    ),
    "Fix all that is safe": ("vscode_writing.fix_all_applies_safe_fixes", "neovim.fix_everything_that_is_safe"),
    "Explain a rule, offline": (
        "vscode_daily.the_code_of_an_error_leads_to_the_page_of_its_rule",
        "neovim.the_rule_at_the_cursor_is_explained",
    ),
    "Completion": ("vscode_writing.completion_is_accepted_in_broken_json", "neovim.completion_in_broken_json"),
    "A completed page brings its navigation entry": (
        "completion.a_page_comes_with_its_navigation_entry", "neovim_features.a_completed_page_brings_its_entry",
    ),
    "A new line adds the comma": (
        "vscode_writing.enter_after_a_value_adds_a_comma", "neovim.a_new_line_brings_the_comma",
    ),
    "Move up and down": ("vscode_refactorings.a_page_moves_up_and_down", "neovim_features.pages_move"),
    "Delete a page with its navigation entries": (
        "vscode_refactorings.a_page_is_deleted_with_its_navigation_entry",
        "neovim_features.a_page_is_deleted_with_its_entries",
    ),
    "Rename an id and its references": (
        "vscode_writing.an_id_and_its_references_are_renamed", "neovim.rename_across_navigation_and_pages",
    ),
    "Linked editing of an id and its references": (
        "vscode_daily.the_references_to_an_id_change_while_it_is_typed", "neovim_features.linked_editing",
    ),
    "Definition and references": (
        "vscode_writing.references_are_followed", "neovim.the_definition_is_found_in_an_unsaved_buffer",
    ),
    "Documentation": ("vscode_reading.hovering_a_valid_property_explains_it", "neovim_features.documentation"),
    "Highlights of a name": ("document_highlight.over_the_wire", "neovim_features.names_are_highlighted"),
    "Outline": ("vscode_reading.the_outline_shows_ids_after_labels", "neovim_features.symbols_of_the_document"),
    "Folding": ("folding_range.over_the_wire", "neovim_features.folds"),
    "Extend and shrink the selection": (
        "selection_range.over_the_wire", "neovim_features.the_selection_extends_and_shrinks",
    ),
    "Formatting, on save": ("vscode_writing.fix_all_and_format_on_save", "neovim.format_on_save"),
    "Highlighting by meaning": (
        "semantic_tokens.a_document", "neovim.a_document_has_a_file_type_highlighting_and_a_server",
    ),
    "Live preview, linked to the caret": (
        "vscode_preview.clicks_and_the_cursor_are_synchronized", "neovim_preview.the_page_marks_the_node_at_the_cursor",
    ),
    "Publish": ("vscode_publish.publish_and_back", "neovim.publish_and_back"),
    "New document": ("vscode_commands.a_new_document_is_made_from_a_template", "neovim.a_new_document"),
    "Rule codes completed in settings": ("vscode_reading.rule_codes_are_completed_in_settings", ""),
}  # fmt: skip
"""For each row of the table in editors/README.md: a test in VS Code, or of the server, and a test in Neovim."""


def test_every_row_of_the_table_is_tested() -> None:
    page = (ROOT / "editors" / "README.md").read_text()
    rows = re.findall(
        r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", page.split("## Features")[1].split("\n## ")[0], re.MULTILINE
    )
    assert rows[1:] == list(TESTS)
    for name in filter(None, (name for names in TESTS.values() for name in names)):
        file, _, test = name.partition(".")
        [path] = [*ROOT.glob(f"tests/editors/test_{file}.py"), *ROOT.glob(f"tests/rui_lsp/features/test_{file}.py")]
        assert f"def test_{test}(" in path.read_text(), name
