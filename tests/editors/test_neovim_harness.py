"""The Neovim of the tests: nothing waits for a key that nobody presses."""

from pathlib import Path

import pytest

from tests.editors import neovim
from tests.editors.neovim import Neovim, SharedNeovim

ERRORS = "for number = 1, 40 do vim.schedule(function() error('this is error ' .. number) end) end"


def test_messages_longer_than_the_screen_do_not_wait_for_a_key(nvim: Neovim) -> None:
    nvim.type("i")
    nvim.lua(ERRORS)
    nvim.type("in insert mode<Esc>")
    nvim.until(lambda: nvim.text() == "in insert mode\n")
    nvim.lua(ERRORS)
    nvim.until(lambda: "this is error 40" in nvim.request("nvim_call_function", "execute", ["messages"]))


def test_a_neovim_that_waits_at_a_prompt_fails_with_its_messages_and_is_replaced(
    installed_neovim: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neovim, "CHECK_SECONDS", 0.5)
    folders = iter(("first", "second"))
    with SharedNeovim(lambda: Neovim(tmp_path / next(folders))) as shared:
        first = shared.tidied()
        assert shared.tidied() is first
        first.command("set more")
        first.lua(ERRORS)
        with pytest.raises(AssertionError, match="this is error 1"):
            first.until(lambda: first.text() == "")
        second = shared.tidied()
        assert (second is not first, first.process.poll() is not None, second.text()) == (True, True, "\n")
