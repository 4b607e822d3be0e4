"""The plugin in a real Neovim: what its own Lua does. tests/rui_lsp has the features of the server."""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest

from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.convert import to_lsp
from tests.editors.neovim import DESK, DRAFT, PLUGIN, Neovim
from tests.editors.snippets import snippets
from tests.rui_api.live import UUID, Service
from tests.rui_cli.running import VALID
from tests.rui_openapi.shop import SHOP, table


def test_a_document_has_a_file_type_highlighting_and_a_server(nvim: Neovim) -> None:
    nvim.edit("desk.rui.json", DESK)
    assert nvim.lua("return { vim.bo.filetype, vim.bo.shiftwidth, vim.bo.commentstring }") == ["rui-json", 2, ""]
    assert nvim.client()["encoding"] == "utf-8"
    # Neovim parses the text when it draws it.
    nvim.until(lambda: nvim.lua("return #vim.treesitter.get_captures_at_pos(0, 1, 4) > 0"), "highlighting")
    nvim.put_cursor("Metric")
    row, column = nvim.request("nvim_win_get_cursor", 0)
    tokens = "return #vim.lsp.semantic_tokens.get_at_pos(0, ...)"
    nvim.until(lambda: nvim.lua(tokens, row - 1, column), "semantic tokens")
    nvim.until(lambda: nvim.lua("return vim.fn.foldclosed(1) == -1 and vim.fn.foldlevel(4) > 0"), "folds")
    report = nvim.health()
    assert "ERROR" not in report and "WARNING" not in report
    for expected in ("of the checkout of this plugin", "It is a language server",
                     "The tree-sitter parser for JSON is installed", "desk.rui.json: attached (client ",
                     "positions in utf-8), 0 diagnostics"):  # fmt: skip
        assert expected in report, report
    first = nvim.lua("return vim.lsp.get_clients()[1].id")
    nvim.edit("inner/draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    assert nvim.client()["id"] == first and len(nvim.server_pids()) == 1


def test_all_safe_fixes_and_format_on_save(nvim: Neovim) -> None:
    path = nvim.edit("draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    nvim.command("RuiFix")
    nvim.until(lambda: nvim.codes() == ["MISSING_BINDING"], "the unsafe fix is not applied")
    nvim.until(lambda: nvim.messages() == "RUI: 5 errors fixed in draft.rui.json", "how many")
    nvim.command("RuiFix")
    nvim.until(lambda: "RUI: No change: choose a fix for each error" in nvim.messages())
    nvim.command("setlocal nomodifiable")
    nvim.command("RuiFix")
    nvim.command("setlocal modifiable")
    assert nvim.messages().endswith("RUI: draft.rui.json is not fixed: the buffer is not modifiable.")
    nvim.command("%s/^ *//")
    nvim.command("write")
    assert path.read_text().startswith('{\n  "version": "0.1",\n')
    nvim.command('%s/"0.1",/"0.1"/')
    nvim.lua("vim.lsp.buf.format()")
    nvim.until(lambda: "draft.rui.json: Not formatted. Line 3: Expected comma" in nvim.messages())


def test_a_file_without_a_line_end_at_its_end_is_formatted_like_one_with_it(nvim: Neovim) -> None:
    compact = json.dumps(json.loads(DESK), ensure_ascii=False)
    formatted = format_document(Analysis(read(compact)))
    for name, text in {"compact": compact, "neat": formatted.rstrip(), "usual": f"{compact}\n"}.items():
        path = nvim.edit(f"{name}.rui.json", text)
        for _ in range(2):
            nvim.command("write")  # It is formatted before.
            assert path.read_bytes() == formatted.encode()
        assert nvim.text() == formatted
    path = nvim.edit("kept.rui.json", compact)
    nvim.command("setlocal nofixendofline | write")
    assert path.read_text() == formatted.rstrip()


def test_an_added_binding_is_marked_until_its_addresses_are_set(nvim: Neovim) -> None:
    metric = '"children": [\n            { "id": "late", "type": "Metric", "label": "Late" },'
    before, figures, after = DESK.partition('"direction": "row",')
    nvim.edit("marked.rui.json", before + figures + after.replace('"children": [', metric, 1))
    nvim.until(lambda: nvim.codes() == ["MISSING_BINDING"])
    nvim.put_cursor('"late"')
    nvim.lua("vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title == 'Add \"binding\"' end })")
    nvim.until(lambda: '"/TODO"' in nvim.text())
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER", "PLACEHOLDER"])
    nvim.command("%s#/TODO#/api/late#")
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER"])


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


@pytest.mark.parametrize(("place", "keys", "expected"), [
    ('"Table"', 'lci"', '"type": "Metric",'), ('"row"', 'lci"', '"direction": "stack",'),
    ('"row"', 'lct"r', '"direction": "row",'),
])  # fmt: skip
def test_completion_within_quotes_keeps_the_closing_one(nvim: Neovim, place: str, keys: str, expected: str) -> None:
    nvim.edit("quotes.rui.json", DESK)
    nvim.put_cursor(place)
    nvim.type(f"{keys}<C-x><C-o>")
    nvim.until(lambda: nvim.lua("return vim.fn.pumvisible()") == 1, "a menu")
    names = [item["abbr"] for item in nvim.lua("return vim.fn.complete_info({ 'items' }).items")]
    wanted = next(number for number, name in enumerate(names) if f'"{name}"' in expected)
    nvim.type("<C-n>" * (wanted + 1) + "<C-y>")
    nvim.until(lambda: expected in nvim.text(), expected)


def test_completion_ignores_case_and_keeps_the_users_options(nvim: Neovim) -> None:
    nvim.edit("case.rui.json", DESK)
    nvim.put_cursor('"open-orders"')
    nvim.type("?[<CR>omet<C-x><C-o>")
    nvim.until(lambda: nvim.lua("return vim.fn.pumvisible()") == 1, "a menu")
    assert [item["abbr"] for item in nvim.lua("return vim.fn.complete_info({ 'items' }).items")] == ["Metric"]
    nvim.type("<C-e><Esc>u")
    nvim.until(lambda: nvim.text() == DESK and nvim.request("nvim_get_mode")["mode"] == "n", "the keys are processed")
    options = {
        "menu,popup": "menuone,noselect,popup,fuzzy",  # Neovim's default, here with `vim.g.rui_completion = "auto"`
        "menu,menuone,noselect": "menu,menuone,noselect,fuzzy",
        "menu,fuzzy": "menu,fuzzy",
    }
    for number, (user, expected) in enumerate(options.items()):
        nvim.lua("vim.go.completeopt = ...", user)
        nvim.edit(f"case-{number}.rui.json", DESK)
        assert nvim.lua("return { vim.bo.completeopt, vim.go.completeopt }") == [expected, user]
    nvim.lua("vim.go.completeopt = 'menu,popup'")
    nvim.command("new other.json")
    assert nvim.lua("return vim.bo.completeopt") == ""


def test_a_new_line_brings_the_comma(nvim: Neovim) -> None:
    nvim.edit("comma.rui.json", '{\n  "version": "0.1"\n  "pages": []\n}\n')
    nvim.put_cursor("0.1")
    nvim.type("o")
    nvim.until(lambda: nvim.text().startswith('{\n  "version": "0.1",\n  '), "a comma")
    nvim.type('"meta": {},')
    nvim.until(lambda: nvim.text() == '{\n  "version": "0.1",\n  "meta": {},\n  "pages": []\n}\n', nvim.text())


def test_a_name_leads_to_its_definition_also_before_it_is_saved_and_in_the_description(nvim: Neovim) -> None:
    nvim.edit("unsaved.rui.json")
    nvim.request("nvim_buf_set_lines", 0, 0, -1, True, DESK.splitlines())
    nvim.put_cursor("stock", '"pageId": "')
    nvim.type("<C-]>")
    nvim.until(lambda: '"id": "stock"' in nvim.request("nvim_get_current_line"), "the page")
    (nvim.folder / "openapi.yaml").write_text(SHOP)
    (nvim.folder / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    nvim.edit("shop.rui.json", table("/orders", "items", "stats"))
    nvim.until(lambda: nvim.codes() == ["UNKNOWN_FIELD"], "the description")
    nvim.put_cursor("/orders")
    nvim.type("<C-]>")
    nvim.until(lambda: nvim.request("nvim_get_current_line") == "    get:", "the operation")


def test_ignore_here_writes_the_policy(nvim: Neovim) -> None:
    document = VALID.replace('"x"', '"<b>x</b>"').replace('"title": "Home"', '"title": "TODO"')
    (nvim.folder / "project" / ".git").mkdir(parents=True)
    nvim.edit("project/doubtful.rui.json", document)
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER", "MARKUP"], "two warnings")
    for cursor, left in {"<b>": ["PLACEHOLDER"], "TODO": []}.items():
        nvim.command("buffer doubtful.rui.json")
        nvim.until(lambda: "version" in nvim.text(), "the document")
        nvim.put_cursor(cursor)
        ignore = "return a.title:find('Ignore here', 1, true) == 1"
        nvim.lua(f"vim.lsp.buf.code_action({{ apply = true, filter = function(a) {ignore} end }})")
        nvim.until(lambda: nvim.lua("return vim.fn.bufexists('project/rui.toml')") == 1, "the file")
        nvim.until(lambda: nvim.lua("return vim.fn.getbufinfo('project/rui.toml')[1].changed") == 1, "an edit")
        nvim.command("wall")
        nvim.until(lambda left=left: nvim.codes() == left, "the end of a warning")
    text = (nvim.folder / "project" / "rui.toml").read_text()
    assert text == '[per-file-ignores]\n"./doubtful.rui.json" = ["MARKUP at note", "PLACEHOLDER at home"]\n'


@pytest.mark.parametrize("kind", ["none", "closed", "unsaved"])
def test_ignore_here_acts_before_the_policy_is_saved(nvim: Neovim, kind: str) -> None:
    """A second entry is added to the text with the first one, and with what is typed."""
    document = VALID.replace('"x"', '"<b>x</b>"').replace('"title": "Home"', '"title": "TODO"')
    project = nvim.folder / "project"
    (project / ".git").mkdir(parents=True)
    before = {"none": "", "closed": "# ours\n\n", "unsaved": "# typed\n# ours\n\n"}[kind]
    if kind != "none":
        (project / "rui.toml").write_text("# ours\n")
    if kind == "unsaved":
        nvim.command("edit project/rui.toml")
        nvim.request("nvim_buf_set_lines", 0, 0, 0, True, ["# typed"])
    nvim.edit("project/doubtful.rui.json", document)
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER", "MARKUP"], "two warnings")
    for cursor, left in {"<b>": ["PLACEHOLDER"], "TODO": []}.items():
        nvim.command("buffer doubtful.rui.json")
        nvim.put_cursor(cursor)
        ignore = "return a.title:find('Ignore here', 1, true) == 1"
        nvim.lua(f"vim.lsp.buf.code_action({{ apply = true, filter = function(a) {ignore} end }})")
        nvim.until(lambda left=left: nvim.codes() == left, "the end of a warning")
    nvim.command("buffer project/rui.toml")
    entries = '[per-file-ignores]\n"./doubtful.rui.json" = ["MARKUP at note", "PLACEHOLDER at home"]\n'
    assert nvim.text() == before + entries
    nvim.command("bdelete!")
    nvim.command("buffer doubtful.rui.json")
    nvim.until(lambda: nvim.codes() == ["PLACEHOLDER", "MARKUP"], "the file as it is saved")


def test_all_documents_of_the_working_directory_are_checked(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    (nvim.folder / "closed.rui.json").write_text(DRAFT)
    nvim.command("RuiCheck")
    nvim.until(lambda: "12 problems in 2 documents" in nvim.messages(), "both documents")
    items = nvim.lua("return vim.tbl_map(function(i) return vim.fn.bufname(i.bufnr) end, vim.fn.getqflist())")
    assert {Path(name).name for name in items} == {"draft.rui.json", "closed.rui.json"}
    # In the quickfix window, the commands are for the document beside it.
    assert nvim.lua("return vim.bo.buftype") == "quickfix"
    nvim.command("RuiFix")
    nvim.until(lambda: "5 errors fixed in draft.rui.json" in nvim.messages())
    nvim.command("RuiCheck")
    nvim.until(lambda: "7 problems in 2 documents" in nvim.messages())
    assert nvim.lua("return { #vim.api.nvim_list_wins(), vim.fn.getqflist({ nr = '$' }).nr }") == [2, 1]


def test_a_folder_is_checked_and_a_rule_explained_without_a_document(nvim: Neovim) -> None:
    servers = nvim.server_pids()
    nvim.command("edit notes.txt")
    nvim.command("RuiCheck")
    nvim.until(lambda: f"there is no *.rui.json in {nvim.folder}. :cd changes the folder" in nvim.messages())
    nvim.command("RuiExplain R18")
    nvim.until(lambda: "MISSING_BINDING" in nvim.lua(FLOATING))
    inner = nvim.folder / "inner"
    inner.mkdir()
    (inner / "draft.rui.json").write_text(DRAFT)
    nvim.command(f"cd {inner}")
    nvim.command("RuiCheck")
    nvim.until(lambda: "6 problems in 1 document" in nvim.messages())
    nvim.command("wincmd p")
    (inner / "draft.rui.json").write_text(DESK)
    nvim.command("RuiCheck")
    nvim.until(lambda: f"no problems in {inner} (1 document)" in nvim.messages())
    assert nvim.lua("return vim.fn.getqflist({ winid = 0 }).winid") == 0
    nvim.command(f"cd {nvim.folder}")
    nvim.until(lambda: nvim.server_pids() == servers, "rui check has ended")
    nvim.edit("desk.rui.json", DESK)
    assert nvim.server_pids() == servers


def test_publish_and_back(nvim: Neovim, service: Service) -> None:
    nvim.lua("vim.lsp.config('rui', { settings = { rui = { server = { url = ... } } } })", service.url)
    nvim.edit("desk.rui.json", DESK)
    before = nvim.client()["id"]
    nvim.command("RuiRestart")
    nvim.until(lambda: (nvim.client() or {"id": before})["id"] != before, "another server")
    nvim.command("RuiPublish")
    [address] = nvim.until(nvim.opened)
    assert f"published desk.rui.json: {address}" in nvim.messages()
    stored = service.client.get(address.replace("/specs/", "/api/specs/")).json()
    assert stored["normalizedRui"] == json.loads(DESK)
    nvim.command("silent %s/pageId/pageIdd/")
    nvim.until(nvim.findings)
    choose(nvim, "Publish as new version")
    nvim.until(lambda: "desk.rui.json is not published, as it is not valid. line " in nvim.messages())
    nvim.lua("_G.messages = {}")
    nvim.command("set modified | file nowhere/desk.rui.json")  # root may write into folders without permission
    nvim.command("RuiPublish")
    reason = "RUI: desk.rui.json is not published, as it cannot be saved: E212: Can't open file"
    nvim.until(lambda: reason in nvim.messages())
    assert len(nvim.opened()) == 1


CLEAR_LEFT = """
local left = vim.fn.winbufnr(1)
vim.bo[left].modifiable = true
vim.api.nvim_buf_set_lines(left, 0, -1, true, {})
"""


def choose(nvim: Neovim, start: str) -> None:
    """Publish again, and choose how."""
    nvim.lua(
        "local start = ...\n"
        "vim.ui.select = function(items, options, done)\n"
        "  for _, item in ipairs(items) do\n"
        "    if vim.startswith(options.format_item(item), start) then return done(item) end\n"
        "  end\n"
        "end",
        start,
    )
    nvim.command("RuiPublish")


def test_publishing_remembers_the_last_publication_on_each_service(nvim: Neovim, service: Service) -> None:
    settings = "vim.lsp.config('rui', { settings = { rui = { server = { url = ... } } } })"
    nvim.lua(settings, service.url)
    nvim.edit("again.rui.json", DESK)
    before = nvim.client()["id"]
    nvim.command("RuiRestart")
    nvim.until(lambda: (nvim.client() or {"id": before})["id"] != before, "another server")
    nvim.command("RuiCompare")
    nvim.until(
        lambda: f"again.rui.json has not been published to {service.url} from here. :RuiPublish" in nvim.messages()
    )
    nvim.command("RuiPublish")
    [first] = nvim.until(nvim.opened)
    choose(nvim, "Publish as new version of 20")
    nvim.until(lambda: "again.rui.json is unchanged since it was published at 20" in nvim.messages())
    nvim.command("silent %s/Order desk/Sales desk/")
    choose(nvim, "Publish as new version of 20")
    second = nvim.until(lambda: nvim.opened()[1:])[0]
    stored = service.client.get(second.replace("/specs/", "/api/specs/")).json()["normalizedRui"]
    assert stored["meta"]["replaces"] == first.rpartition("/")[2]
    assert "replaces" not in nvim.text() and nvim.text() == (nvim.folder / "again.rui.json").read_text()
    # The comparison shows the published text on the left.
    nvim.command("silent %s/Sales desk/Desk/")
    choose(nvim, "Compare with the last")
    nvim.until(lambda: nvim.lua("return #vim.api.nvim_list_wins()") == 2)
    left = nvim.lua("return { vim.wo[vim.fn.win_getid(1)].diff, vim.fn.getbufline(vim.fn.winbufnr(1), 1, '$') }")
    assert (left[0], nvim.lua("return vim.wo.diff")) == (True, True)
    assert "\n".join(left[1]) + "\n" == (nvim.folder / "again.rui.json").read_text()
    shown = nvim.lua("return vim.wo[vim.fn.win_getid(1)].statusline")
    assert shown.startswith("again.rui.json, published at 20"), "the window says which version it shows"
    for keys in ("", "<C-w>h", "<C-w>l"):  # also in the window of the comparison
        nvim.type(keys)
        nvim.lua(CLEAR_LEFT)
        nvim.command("RuiCompare")
        nvim.until(lambda: nvim.lua("return vim.fn.getbufline(vim.fn.winbufnr(1), 1, '$')") == left[1], "filled again")
        assert nvim.lua("return #vim.api.nvim_list_wins()") == 2
    assert nvim.lua("return vim.fn.bufname()").endswith("again.rui.json")
    choose(nvim, "Publish separately")
    third = nvim.until(lambda: nvim.opened()[2:])[0]
    nvim.command("RuiOpenLast")
    nvim.until(lambda: nvim.opened()[3:] == [third])
    # A spec that is not there any more, and a memory that cannot be read.
    file = nvim.home / "state" / "nvim" / "rui" / "publications.json"
    memory = file.read_text()
    assert list(json.loads(memory)[f"file://{nvim.folder}/again.rui.json"]) == [service.url]
    file.write_text(memory.replace(third.rpartition("/")[2], UUID))
    choose(nvim, "Publish as new version of 20")
    nvim.until(lambda: "the service does not have the last version any more." in nvim.messages())
    file.write_text("{")
    nvim.command("RuiOpenLast")
    nvim.until(lambda: "publications.json cannot be read." in nvim.messages())
    assert file.read_text() == "{"
    file.unlink()


def test_the_rule_at_the_cursor_is_explained(nvim: Neovim) -> None:
    nvim.edit("draft.rui.json", DRAFT)
    nvim.until(nvim.findings)
    nvim.put_cursor("titel")
    nvim.command("RuiExplain")
    assert "UNKNOWN_PROP" in nvim.until(lambda: nvim.lua(FLOATING))
    nvim.type("jj")
    nvim.command("RuiExplain r18")
    nvim.until(lambda: "MISSING_BINDING" in nvim.lua(FLOATING))
    nvim.command("RuiExplain R99")
    nvim.until(lambda: "unknown rule or code 'R99'" in nvim.messages())


FLOATING = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\\n')
  end
end
return ''
"""


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
    nvim.command("RuiNew nowhere/app")
    assert "the folder nowhere does not exist." in nvim.messages()
    (nvim.folder / "inner").mkdir()
    nvim.command("RuiNew inner")
    nvim.until(
        lambda: '"version": "0.1"' in nvim.text() and nvim.lua("return vim.fn.bufname()") == "inner/new.rui.json"
    )
    nvim.command("set nohidden")
    nvim.command("RuiNew other")
    nvim.command("set hidden")
    assert "other.rui.json is not created: E37: No write since last change" in nvim.messages()


def test_commands_without_a_document_report_an_error(nvim: Neovim) -> None:
    for command in ("RuiPublish", "RuiOpenLast", "RuiCompare", "RuiPreview", "RuiFix"):
        for _ in range(2):
            nvim.lua("_G.messages = {}")
            nvim.command(command)
            [message] = nvim.messages().splitlines()
            assert message.startswith(
                "RUI: this is not a RUI document. Open a *.rui.json file, create one with :RuiNew"
            )
    nvim.command("RuiExplain")
    assert "Add a rule: :RuiExplain R7" in nvim.messages()
    for _ in range(2):
        nvim.command("RuiLog")
        assert nvim.lua("return vim.fn.expand('%:p')") == str(nvim.home / "state" / "nvim" / "lsp.log")
        assert len(nvim.request("nvim_list_wins")) == 1


def test_a_document_without_a_name_is_not_published(nvim: Neovim) -> None:
    nvim.command("setlocal filetype=rui-json")
    nvim.until(nvim.client)
    nvim.command("RuiPublish")
    assert nvim.messages() == "RUI: the document has no name. Save it first: :write NAME.rui.json"


def test_the_help_page_has_its_tags(nvim: Neovim, tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    nvim.command(f"helptags {tmp_path / 'doc'}")
    nvim.command(f"set rtp^={tmp_path}")
    own = [name for name in nvim.lua("return vim.tbl_keys(vim.api.nvim_get_commands({}))") if name.startswith("Rui")]
    assert own
    for topic in (*(f":{name}" for name in own), "g:rui_cmd", "rui-older", "rui"):
        nvim.command(f"help {topic}")
        assert nvim.lua("return vim.fn.expand('%:t')") == "rui.txt"


def test_a_server_that_dies_while_typing_is_started_again_but_not_for_ever(tmp_path: Path) -> None:
    with Neovim(tmp_path) as nvim:
        nvim.edit("desk.rui.json", DESK)
        nvim.put_cursor("Orders are refreshed")
        nvim.type("i")
        words = "one two three four five six"
        for number, word in enumerate(words.split()):
            nvim.type(f"{word} ")
            if number % 2 == 0:
                before = nvim.until(nvim.client)["id"]
                os.kill(nvim.server_pids()[0], signal.SIGKILL)
                nvim.until(lambda before=before: (nvim.client() or {"id": before})["id"] != before, "another server")
        nvim.until(lambda: f"{words} Orders are refreshed" in nvim.text())
        assert nvim.request("nvim_get_mode")["mode"] == "i"
        assert "crashed (signal 9) and is restarted" in nvim.messages()
        nvim.type('"')
        nvim.until(lambda: "INVALID_JSON" in nvim.codes(), "it has the text of the buffer")
        os.kill(nvim.server_pids()[0], signal.SIGKILL)
        nvim.until(lambda: "crashed 4 times in 3 minutes" in nvim.messages())
        assert nvim.client() is None and nvim.server_pids() == []
        nvim.type("<BS><Esc>")
        nvim.command("write")
        nvim.command("edit")
        nvim.until(nvim.client, "another server, as the document is opened again")
        assert re.sub(f"{words} ", "", nvim.text()) == DESK


def test_any_text_comes_back_from_a_snippet(nvim: Neovim) -> None:
    parse = "return tostring(require('vim.lsp._snippet_grammar').parse(...))"
    for snippet in snippets():
        assert nvim.lua(parse, to_lsp(snippet, with_choices=False)) == snippet.text
