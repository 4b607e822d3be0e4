"""After random edits in Neovim, the diagnostics are those of the text in the buffer."""

import random
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_lsp.client.convert import Positions, to_diagnostics
from rui_lsp.client.settings import Settings
from tests.editors.neovim import DRAFT, Neovim

pytestmark = pytest.mark.usefixtures("installed_neovim")

KEYS = [
    "ié😀<Esc>", "A,<CR><Esc>", "dd", "p", "J", "x", "3x", "u", "<C-r>", "yyP", ">>", "ddkP", "xp", "~", 'ci"ü😀x<Esc>',
    'o"é": 1<Esc>', "O<Tab>]<Esc>", "u", "r😀", "D", "2u", ':g/"id"/s/"/“/<CR>', "u", ":%s/e/é/g<CR>", "u",
    "vjd", "VjjJ", "gg=G", "yGGp", "ggdGu",
]  # fmt: skip


def test_after_any_edits(tmp_path: Path) -> None:
    chosen, texts = random.Random(1), set()
    with Neovim(tmp_path, "vim.g.rui_on_type = false\n") as nvim:
        nvim.edit("a.rui.json", DRAFT.replace("Order", "Örder 😀"))
        for number in range(12):
            if number % 3 == 0:
                nvim.command("edit!")
            for _ in range(4):
                row = chosen.randrange(nvim.request("nvim_buf_line_count", 0)) + 1
                nvim.type(f"{row}G{chosen.randrange(60)}l{chosen.choice(KEYS)}")
                nvim.until(lambda: nvim.request("nvim_get_mode")["mode"] == "n")
            nvim.type("ggO<Esc>")  # An edit outside of the pages: the server reads the complete text.
            nvim.until(lambda: nvim.request("nvim_buf_get_lines", 0, 0, 1, True) == [""])
            text = nvim.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\\n') .. '\\n'")
            texts.add(text)
            nvim.until(lambda text=text: shown(nvim) == wrong_with(text), text)
    assert sum(len(text) > 500 and "😀" in text and wrong_with(text) != [] for text in texts) > 6


def shown(nvim: Neovim) -> list[tuple[str, int, int, int, int]]:
    found = nvim.lua(
        "return vim.tbl_map(function(d) return { d.code, d.lnum, d.col, d.end_lnum, d.end_col } end,"
        " vim.diagnostic.get(0))"
    )
    return sorted(map(tuple, found))


def wrong_with(text: str) -> list[tuple[str, int, int, int, int]]:
    document = read(text)
    items = to_diagnostics(diagnose(document), "file:///a", Positions(document.lines, "utf-8"), Settings(), document)
    places = ((str(item.code), item.range.start, item.range.end) for item in items)
    return sorted((code, a.line, a.character, b.line, b.character) for code, a, b in places)
