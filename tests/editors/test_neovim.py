"""The plugin in a real Neovim."""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_common.describe import minimal_example
from tests.editors.neovim import DESK, DRAFT, HELP, PLUGIN, Neovim
from tests.rui_api.live import Service

pytestmark = pytest.mark.usefixtures("installed_neovim")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    config = "".join(re.findall(r"\n\n((?:    .*\n|\n)+)", HELP.split("*rui-examples*\n")[1].split("=====")[0]))
    with Neovim(tmp_path_factory.mktemp("neovim"), config) as running:
        yield running


@pytest.fixture
def nvim(editor: Neovim) -> Neovim:
    """A Neovim without open buffers and messages. Its configuration is the examples of the help page."""
    editor.tidy()
    for path in editor.folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return editor


def test_a_document_has_a_file_type_highlighting_and_a_server(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    assert nvim.lua("return { vim.bo.filetype, vim.bo.shiftwidth, vim.bo.commentstring }") == ["rui-json", 2, ""]
    assert nvim.client()["encoding"] == "utf-8"
    nvim.put_cursor("version")
    groups = nvim.lua("return vim.tbl_map(function(c) return c.capture end, vim.treesitter.get_captures_at_cursor(0))")
    assert groups or nvim.lua("return vim.treesitter.get_captures_at_pos(0, 1, 4)[1].capture")
    nvim.put_cursor("Metric")
    nvim.until(lambda: nvim.lua("return #vim.lsp.semantic_tokens.get_at_pos(0, ...)", *place(nvim)), "semantic tokens")
    nvim.until(lambda: nvim.lua("return vim.fn.foldclosed(1) == -1 and vim.fn.foldlevel(4) > 0"), "folds")


def place(nvim: Neovim) -> list[int]:
    row, column = nvim.request("nvim_win_get_cursor", 0)
    return [row - 1, column]


def test_diagnostics_follow_each_change(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    nvim.put_cursor("today", '"pageId": "')
    line, column = place(nvim)
    nvim.type("ix")
    nvim.until(lambda: ("INVALID_NAV_PAGE_ID", line, column - 1) in nvim.findings(), "an inserted letter is an error")
    assert nvim.request("nvim_get_mode")["mode"] == "i"
    nvim.type('<Del><Del><Del><Del><Del>"')
    nvim.until(lambda: "INVALID_JSON" in nvim.codes(), "an inserted quote is another error")
    nvim.type("<BS><BS>today")
    nvim.until(lambda: nvim.text() == DESK and nvim.findings() == [], "no errors remain")


def test_one_server_for_all_documents_of_a_folder(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    first = nvim.client()["id"]
    (nvim.folder / "inner").mkdir(exist_ok=True)
    nvim.edit("inner/draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    assert nvim.client()["id"] == first and len(nvim.server_pids()) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_error_after_wide_letters_is_shown_and_fixed_at_its_position(tmp_path: Path, encoding: str) -> None:
    capabilities = f"{{ capabilities = {{ general = {{ positionEncodings = {{ '{encoding}' }} }} }} }}"
    with Neovim(tmp_path, f"vim.lsp.config('rui', {capabilities})\n") as nvim:
        prefix, suffix = '{ "version": "0.1", "meta": { "title": "é😀" }, ', ": [] }\n"
        nvim.edit("wide.rui.json", f'{prefix}"pagse"{suffix}')
        assert nvim.client()["encoding"] == encoding
        nvim.until(lambda: ("UNKNOWN_PROP", 0, len(prefix.encode())) in nvim.findings())
        nvim.put_cursor("pagse")
        nvim.lua("vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.isPreferred end })")
        nvim.until(lambda: nvim.text() == f'{prefix}"pages"{suffix}')


def test_a_quick_fix(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(lambda: "UNKNOWN_TYPE" in nvim.codes())
    nvim.put_cursor("Txt", '"')
    nvim.lua("vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.isPreferred end })")
    nvim.until(lambda: nvim.text() == DRAFT.replace("Txt", "Text"), "the word is fixed")
    nvim.until(lambda: "UNKNOWN_TYPE" not in nvim.codes())


def test_a_quick_fix_from_anywhere_in_the_line(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(lambda: "UNKNOWN_TYPE" in nvim.codes())
    nvim.put_cursor('{ "id": "note"')
    nvim.lua("vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.isPreferred end })")
    nvim.until(lambda: nvim.text() == DRAFT.replace("Txt", "Text"))


def test_fix_everything_that_is_safe(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    nvim.command("RuiFix")
    nvim.until(lambda: nvim.codes() == ["MISSING_BINDING"], "the unsafe fix is not applied")


def test_an_abandoned_snippet_is_valid(nvim: Neovim) -> None:
    """Neovim leaves a tab stop with choices empty until it is reached."""
    nvim.edit("desk.rui.json", DESK)
    direction = re.search(r'"direction": "\w+",', DESK)[0]
    nvim.put_cursor(direction)
    nvim.type("C")
    nvim.until(lambda: "MISSING_REQUIRED_PROP" in nvim.codes())
    nvim.lua(
        "local c = vim.lsp.get_clients({ name = 'rui', bufnr = 0 })[1]\n"
        "local params = vim.lsp.util.make_position_params(0, c.offset_encoding)\n"
        "local result = c:request_sync('textDocument/completion', params, 10000, 0).result\n"
        "for _, item in ipairs(result.items or result) do\n"
        "  if item.label == 'direction' then vim.snippet.expand(item.textEdit.newText) end\n"
        "end"
    )
    nvim.until(lambda: '"direction": "stack"' in nvim.text())
    nvim.type("<Esc>")
    nvim.until(lambda: nvim.findings() == [])


def test_formatting_broken_json_says_why_not(nvim: Neovim) -> None:
    nvim.edit("broken.rui.json", DESK.replace('"0.1",', '"0.1"'))
    nvim.lua("vim.lsp.buf.format()")
    nvim.until(lambda: "broken.rui.json: Not formatted. Line 3: Expected comma." in nvim.messages())


def test_the_definition_is_found_in_an_unsaved_buffer(nvim: Neovim) -> None:
    nvim.edit("unsaved.rui.json")
    nvim.request("nvim_buf_set_lines", 0, 0, -1, True, DESK.split("\n"))
    nvim.put_cursor("today", '"pageId": "')
    nvim.type("<C-]>")
    row = DESK[: DESK.index('"id": "today"')].count("\n") + 1
    nvim.until(lambda: nvim.request("nvim_win_get_cursor", 0)[0] == row)
    assert "E429" not in nvim.messages()


def test_completion_in_broken_json(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    nvim.put_cursor('"Stock",', '"title": ')
    nvim.type('$xo"d')
    nvim.until(lambda: "INVALID_JSON" in nvim.codes() and nvim.lua("return vim.fn.pumvisible()") == 1, "a menu")
    nvim.type("<C-n><C-y>")
    nvim.until(lambda: '"description": ""' in nvim.text(), "the caret is in the empty value")
    nvim.type("All of it")
    title = '"title": "Stock",\n'
    expected = DESK.replace(title, f'{title}      "description": "All of it",\n')
    nvim.until(lambda: nvim.text() == expected and nvim.findings() == [], "with the commas on both sides")


def test_rename_across_navigation_and_pages(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    nvim.put_cursor("today", '"pageId": "')
    nvim.lua("vim.lsp.buf.rename('this-day')")
    nvim.until(lambda: nvim.text() == DESK.replace('"today"', '"this-day"'), "both places")
    assert DESK.count('"today"') == 2 and nvim.findings() == []


def test_format_on_save(nvim: Neovim) -> None:
    path = nvim.edit("small.rui.json", json.dumps(minimal_example()))
    nvim.command("write")
    assert path.read_text().startswith('{\n  "version": "0.1",\n')
    assert json.loads(path.read_text()) == minimal_example()


@pytest.mark.parametrize("keys", ["A<CR>", "o"])
def test_a_new_line_brings_the_comma(nvim: Neovim, keys: str) -> None:
    nvim.edit("new.rui.json", '{\n  "version": "0.1"\n  "pages": []\n}\n')
    nvim.put_cursor("0.1")
    nvim.type(keys)
    nvim.until(lambda: nvim.text().startswith('{\n  "version": "0.1",\n  '), "a comma")
    nvim.type('"meta": {},')
    nvim.until(lambda: nvim.text() == '{\n  "version": "0.1",\n  "meta": {},\n  "pages": []\n}\n', nvim.text())


def test_publish_and_back(nvim: Neovim, service: Service) -> None:
    nvim.lua("vim.lsp.config('rui', { settings = { rui = { server = { url = ... } } } })", service.url)
    nvim.edit("desk.rui.json", DESK)
    restart(nvim)
    nvim.command("RuiPublish")
    [address] = nvim.until(nvim.opened)
    assert f"published desk.rui.json: {address}" in nvim.messages()
    stored = service.client.get(address.replace("/specs/", "/api/specs/")).json()
    assert stored["normalizedRui"] == json.loads(DESK)
    nvim.command("silent %s/pageId/pageIdd/")
    nvim.until(nvim.findings)
    nvim.command("RuiPublish")
    nvim.until(lambda: "desk.rui.json is not published, as it is not valid. line " in nvim.messages())
    assert len(nvim.opened()) == 1


def restart(nvim: Neovim) -> None:
    before = nvim.client()["id"]
    nvim.command("RuiRestart")
    nvim.until(lambda: (nvim.client() or {"id": before})["id"] != before, "another server")


def test_a_service_that_is_not_there(nvim: Neovim) -> None:
    nvim.lua("vim.lsp.config('rui', { settings = { rui = { server = { url = 'http://127.0.0.1:9' } } } })")
    nvim.edit("desk.rui.json", DESK)
    restart(nvim)
    nvim.command("RuiPublish")
    nvim.until(lambda: "http://127.0.0.1:9" in nvim.messages() and "rui serve" in nvim.messages())
    assert nvim.opened() == []


def test_the_rule_at_the_cursor_is_explained(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    nvim.put_cursor("titel")
    assert nvim.lua("return vim.fn.getcompletion('RuiExplain unknown_p', 'cmdline')") == ["UNKNOWN_PROP"]
    nvim.command("RuiExplain")
    assert "UNKNOWN_PROP" in nvim.until(lambda: floating(nvim))
    nvim.type("jj")
    nvim.command("RuiExplain r18")
    nvim.until(lambda: "MISSING_BINDING" in floating(nvim))
    nvim.command("RuiExplain R99")
    nvim.until(lambda: "unknown rule or code 'R99'" in nvim.messages())


def floating(nvim: Neovim) -> str:
    """The text of the window that floats, if one does."""
    return nvim.lua(
        "for _, window in ipairs(vim.api.nvim_list_wins()) do\n"
        "  if vim.api.nvim_win_get_config(window).relative ~= '' then\n"
        "    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')\n"
        "  end\nend\nreturn ''"
    )


def test_a_new_document(nvim: Neovim) -> None:
    nvim.command("RuiNew")
    nvim.until(lambda: '"version": "0.1"' in nvim.text(), "a document to start from")
    assert nvim.lua("return vim.fn.bufname()") == "new.rui.json"
    nvim.command("write")
    nvim.command("RuiNew")
    nvim.until(lambda: '"version": "0.1"' in nvim.text() and nvim.lua("return vim.fn.bufname()") == "new-2.rui.json")
    nvim.until(lambda: nvim.findings() == [], "the document is valid")
    nvim.command("RuiNew new")
    assert "new.rui.json exists already" in nvim.messages()
    assert nvim.lua("return vim.fn.bufname()") == "new-2.rui.json"


def test_commands_without_a_document_report_an_error(nvim: Neovim) -> None:
    for command in ("RuiPublish", "RuiPreview", "RuiFix"):
        nvim.lua("_G.messages = {}")
        nvim.command(command)
        assert nvim.messages() == "RUI: this is not a RUI document. Open a *.rui.json file or create one with :RuiNew."
    nvim.command("RuiExplain")
    assert "Add a rule: :RuiExplain R7" in nvim.messages()
    nvim.command("RuiLog")
    assert nvim.lua("return vim.fn.expand('%:p')") == str(nvim.home / "state" / "nvim" / "lsp.log")


def test_a_server_that_dies_is_started_again_but_not_for_ever(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    for _ in range(3):
        before = nvim.client()["id"]
        [server] = nvim.server_pids()
        os.kill(server, signal.SIGKILL)
        nvim.until(lambda before=before: (nvim.client() or {"id": before})["id"] != before, "another server")
    assert "crashed (signal 9) and is restarted" in nvim.messages()
    nvim.put_cursor("titel")
    nvim.type("cwtitle<Esc>")
    nvim.until(lambda: nvim.findings() and "UNKNOWN_PROP" not in nvim.codes(), "the new server has the current text")
    os.kill(nvim.server_pids()[0], signal.SIGKILL)
    nvim.until(lambda: "crashed 4 times in 3 minutes" in nvim.messages())
    assert nvim.client() is None and nvim.server_pids() == []
    nvim.command("write")
    nvim.command("edit")
    nvim.until(nvim.client, "another server, as the document is opened again")
    nvim.until(nvim.findings)
    restart(nvim)


def test_a_health_check_without_problems(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    report = nvim.health()
    assert "ERROR" not in report and "WARNING" not in report
    for expected in ("found on the PATH", "It responds: rui ", "The tree-sitter parser for JSON is installed",
                     "desk.rui.json: attached (client ", "positions in utf-8), 0 diagnostics"):  # fmt: skip
        assert expected in report, report


# Tests with their own configuration


def test_an_only_candidate_is_not_inserted_before_it_is_accepted(tmp_path: Path) -> None:
    with Neovim(tmp_path) as nvim:
        nvim.edit("draft.rui.json", DRAFT)
        nvim.request("nvim_win_set_cursor", 0, [DRAFT.split("\n").index("        }") + 1, 0])
        nvim.type("o")
        before = nvim.text()
        nvim.type("<C-x><C-o>")
        nvim.until(lambda: nvim.lua("return vim.fn.pumvisible()") == 1, "a menu of one")
        assert nvim.text() == before
        nvim.type("<C-y>")
        nvim.until(lambda: nvim.text().count('"type": "Section"') == 2, "a whole section")


def test_completeopt_of_the_user_is_kept(tmp_path: Path) -> None:
    with Neovim(tmp_path, "vim.o.completeopt = 'menu'\n") as nvim:
        nvim.edit("draft.rui.json", DRAFT)
        assert nvim.lua("return { vim.bo.completeopt, vim.o.completeopt }") == ["", "menu"]


def test_the_settings_of_the_help_page(tmp_path: Path) -> None:
    config = f"vim.g.rui_cmd = '{Path(sys.executable).parent / 'rui'}'\nvim.g.rui_completion = false\n"
    config += "vim.g.rui_on_type = false\nvim.g.rui_open = false\nvim.g.rui_enable = false\n"
    server = HELP.split("An example: >lua\n")[1].split("\n<")[0]
    with Neovim(tmp_path, config + server, path="/usr/bin:/bin", parser=False) as nvim:
        nvim.lua("vim.lsp.enable('rui')")
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        severities = dict(nvim.lua(
            "return vim.tbl_map(function(d) return { d.code, d.severity } end, vim.diagnostic.get(0))"
        ))  # fmt: skip
        assert severities["ORPHAN_PAGE"] == 2 and severities["UNKNOWN_PROP"] == 1
        nvim.put_cursor('"Order desk"')
        nvim.type("f}i<CR>x")
        nvim.until(lambda: "\n" in nvim.text() and "INVALID_JSON" in nvim.codes())
        assert '"Order desk",' not in nvim.text()
        nvim.type("<Esc>")
        nvim.command("RuiPreview")
        nvim.until(lambda: "preview of draft.rui.json: http://127.0.0.1:" in nvim.messages())
        assert nvim.opened() == []


def test_the_help_page_has_its_tags(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    with Neovim(tmp_path / "n") as nvim:
        nvim.command(f"helptags {tmp_path / 'doc'}")
        nvim.command(f"set rtp^={tmp_path}")
        commands = nvim.lua("return vim.tbl_keys(vim.api.nvim_get_commands({}))")
        own = [name for name in commands if name.startswith("Rui")]
        assert own
        for topic in (*(f":{name}" for name in own), "g:rui_cmd", "rui-older", "rui"):
            nvim.command(f"help {topic}")
            assert nvim.lua("return vim.fn.expand('%:t')") == "rui.txt"
