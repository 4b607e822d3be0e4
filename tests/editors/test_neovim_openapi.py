"""Bindings and an OpenAPI description in a real Neovim."""

import json
from collections.abc import Iterator

import pytest

from tests.editors.neovim import Neovim
from tests.editors.openapi import SHOP, WRONG, add_description

pytestmark = pytest.mark.usefixtures("installed_neovim")

STATUS = WRONG.replace('"stats"', '"status"')


@pytest.fixture(scope="module")
def nvim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    with Neovim(tmp_path_factory.mktemp("neovim")) as running:
        add_description(running.folder)
        yield running


def test_a_warning_is_fixed(nvim: Neovim) -> None:
    nvim.edit("fix.rui.json", WRONG)
    nvim.until(lambda: nvim.codes() == ["UNKNOWN_FIELD"])
    nvim.put_cursor("stats")
    nvim.lua(
        "vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title == 'Rename to \"status\"' end })"
    )
    nvim.until(lambda: nvim.codes() == [] and nvim.text() == STATUS, "the column is renamed")


def test_a_path_is_completed(nvim: Neovim) -> None:
    nvim.edit("complete.rui.json", STATUS.replace('"/orders"', '"/oders"'))
    nvim.until(lambda: nvim.codes() == ["UNKNOWN_PATH"])
    nvim.put_cursor("oders")
    nvim.type("cworders<C-x><C-o>")
    nvim.until(lambda: "/orders" in [item["word"].strip('"') for item in nvim.lua(COMPLETED)], "proposals")
    nvim.type("<C-e><C-\\><C-n>")
    nvim.until(lambda: nvim.codes() == [])


COMPLETED = "return vim.fn.complete_info({ 'items' }).items"


def test_hover_and_definition_lead_to_the_description(nvim: Neovim) -> None:
    nvim.edit("lead.rui.json", STATUS)
    nvim.put_cursor("/orders")
    hover = (
        "local all = vim.lsp.buf_request_sync(0, 'textDocument/hover',"
        " vim.lsp.util.make_position_params(0, 'utf-8'), 5000)\n"
        "return vim.json.encode(all)"
    )
    nvim.until(lambda: "**GET /orders**: List orders" in json.dumps(json.loads(nvim.lua(hover))), "hover")
    nvim.command("lua vim.lsp.buf.definition()")
    nvim.until(lambda: nvim.lua("return vim.api.nvim_buf_get_name(0)").endswith("openapi.yaml"), "the description")
    row, _ = nvim.request("nvim_win_get_cursor", 0)
    assert SHOP.split("\n")[row - 1].strip() == "get:"


def test_a_changed_description_rechecks_documents(nvim: Neovim) -> None:
    nvim.edit("change.rui.json", STATUS)
    add_description(nvim.folder, SHOP.replace("/orders", "/sales"))
    nvim.until(lambda: nvim.codes() == ["UNKNOWN_PATH"])
    add_description(nvim.folder)
    nvim.until(lambda: nvim.codes() == [])
