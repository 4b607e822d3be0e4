"""A first hour in a real Neovim, by keys only, with the mappings of the help page."""

import time
from collections.abc import Iterator

import pytest

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.editors.first_hour import MAX_KEYS, MISTAKES, Keys, Steps, count
from tests.editors.neovim import HELP, Neovim
from tests.editors.page import README
from tests.rui_api.live import Service

MENU, PROMPT = "menu", "prompt"
PAUSE = 0.05
"""Seconds between two keys: less than a fast typist takes."""

COMPLETE = "<C-x><C-o>"
LIST_FIXES = Keys("<C-o>gra", PROMPT)
FIRST = "1<CR>"
FIX_ALL = "<C-o>\\f"
"""`:RuiFix`: of one error, its first fix if that is safe."""

STEPS: Steps = (
    ("A document with a page: completion in the empty file, and its tab stops", (
        Keys(f"i{COMPLETE}", MENU),
        Keys("<C-y>", text='"version": "0.1"'),
        Keys("«Order desk»<Tab>«today»<Tab>«Today»<Tab><Tab><Tab><Tab>«What came in.»<Tab>", text='"What came in."'),
    )),
    ("A metric. 1st mistake: an id with a space", (
        Keys(f"<CR>m{COMPLETE}", MENU, error="INVALID_JSON"),
        Keys("<C-y>", text='"type": "Metric"'),
        Keys("«Open orders»", error="INVALID_ID_FORMAT"),
        Keys(FIX_ALL, text='"open-orders"'),
    )),
    ("2nd mistake: a path without `/`", (
        Keys("<Tab>«Open»<Tab>«api/orders/summary»", error="INVALID_BINDING"),
        Keys(FIX_ALL, text='"/api/orders/summary"'),
    )),
    ("3rd mistake: a value path with `$.`", (
        Keys("<Tab>«$.data.open»", error="INVALID_VALUE_PATH"),
        Keys(FIX_ALL, text='"valuePath": "data.open"'),
    )),
    ("A second metric. 4th mistake: a method before the path", (
        Keys(f"<Tab><CR>m{COMPLETE}", MENU, error="INVALID_JSON"),
        Keys("<C-y>", text='"metric-1"'),
        Keys("<Tab>«Late»<Tab>«GET /api/orders/late»", error="INVALID_BINDING"),
        LIST_FIXES,
        Keys(FIRST, text='"/api/orders/late"'),
        Keys("<Tab>«data.late»<Tab>", text='"data.late"'),
    )),
    ("A second page. 5th mistake: its id is not that of the navigation entry", (
        Keys(f"<Esc>Gkkop{COMPLETE}", MENU, error="INVALID_JSON"),
        Keys("<C-y>", text='"pageId": "page-1"'),
        Keys("«orders»", error="INVALID_NAV_PAGE_ID"),
        LIST_FIXES,
        Keys(FIRST, text='"pageId": "orders"'),
        Keys("<Tab>«Orders»<Tab><Tab><Tab><Tab>«All orders.»<Tab>", text='"All orders."'),
    )),
    ("A table. 6th mistake: an id that exists", (
        Keys(f"<CR>ta{COMPLETE}", MENU, error="INVALID_JSON"),
        Keys("<C-y>", text='"table-1"'),
        Keys("«text-1»", error="DUPLICATE_ID"),
        LIST_FIXES,
        Keys(FIRST, text='"text-3"'),
        Keys("<Tab>«/api/orders»<Tab>«data.items»<Tab>«number»", text='{"key": "number"}'),
    )),
    ("7th mistake: a bracket too few, repaired by the bracket; 8th mistake: no comma between two columns", (
        Keys('<Esc>o{"key": "«status»"<Esc>', error="INVALID_JSON"),
        Keys("A}", text='{"key": "status"}', error="INVALID_JSON"),
        Keys(FIX_ALL, text='{"key": "number"},'),
    )),
    ("A filter. 9th mistake: a field that is no column", (
        Keys(f"<Esc>jof{COMPLETE}", MENU, error="INVALID_JSON"),
        Keys("<C-y>", text='"filter"'),
        Keys("«state»", error="INVALID_FILTER_FIELD"),
        LIST_FIXES,
        Keys(FIRST, text='"field": "status"'),
    )),
    ("10th mistake: a comma after the last property", (
        Keys("<Tab>,", error="INVALID_JSON"),
        Keys(FIX_ALL, text='"status"\n              }\n            }'),
    )),
    ("Publish, which saves the file", (
        Keys("<Esc>\\P"),
    )),
)  # fmt: skip

ERRORS = (
    "return vim.tbl_map(function(d) return d.code end,"
    " vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }))"
)


@pytest.fixture
def hour(nvim: Neovim) -> Iterator[Neovim]:
    """A Neovim that does not complete while the author types, which is the default."""
    nvim.lua("vim.g.rui_completion = nil")
    yield nvim
    nvim.lua("vim.g.rui_completion = 'auto'")


def test_a_first_hour(hour: Neovim, service: Service) -> None:
    nvim = hour
    keys = count(STEPS)
    assert keys <= MAX_KEYS
    assert f"in Neovim: **{keys} keys**" in README
    assert 'map("<localleader>P", "<Cmd>RuiPublish<CR>")' in HELP
    nvim.lua("vim.lsp.config('rui', { settings = { rui = { server = { url = ... } } } })", service.url)
    path = nvim.edit("hour.rui.json", "")
    before = nvim.client()["id"]
    nvim.command("RuiRestart")
    nvim.until(lambda: (nvim.client() or {"id": before})["id"] != before, "another server")
    for _, parts in STEPS:
        for part in parts:
            press(nvim, part)
    [address] = nvim.until(nvim.opened)
    assert "All orders." in service.client.get(address.replace(service.url, "")).text
    assert Analysis(read(path.read_bytes())).diagnostics == []


def press(nvim: Neovim, part: Keys) -> None:
    """Press the keys of a part like an author who waits for what they show."""
    for key in part.each():
        nvim.type(key)
        time.sleep(PAUSE)
    if part.shown == PROMPT:
        nvim.until(lambda: nvim.request("nvim_get_mode")["mode"] == "c", "the list of fixes")
        return
    if part.shown == MENU:
        nvim.until(lambda: nvim.lua("return vim.fn.pumvisible()") == 1, f"a menu after {part}")
    nvim.until(lambda: part.text in nvim.text(), str(part))
    nvim.until(lambda: [part.error] == (nvim.lua(ERRORS) or [""])[:1], str(part))


def test_the_first_fix_of_each_mistake_is_right_and_undone_in_one_step(nvim: Neovim) -> None:
    for number, mistake in enumerate(MISTAKES):
        wrong, fixed = mistake.texts()
        nvim.edit(f"mistake-{number}.rui.json", wrong)
        nvim.until(lambda: nvim.lua(ERRORS), str(mistake))
        _, line, column = nvim.findings()[0]
        nvim.request("nvim_win_set_cursor", 0, [line + 1, column])
        nvim.type("gra")
        nvim.until(lambda: nvim.request("nvim_get_mode")["mode"] == "c", "the list of fixes")
        nvim.type("1<CR>")
        nvim.until(lambda fixed=fixed: nvim.text() == fixed, str(mistake))
        nvim.type("u")
        nvim.until(lambda wrong=wrong: nvim.text() == wrong, str(mistake))
