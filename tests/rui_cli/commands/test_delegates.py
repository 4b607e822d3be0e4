"""`rui serve`, `rui store` and `rui lsp`: arguments are passed on."""

from __future__ import annotations

import sys

import pytest

from tests.rui_cli.running import rui

ELSEWHERE = {
    "serve": ("rui_api.commands.serve", "api"),
    "lsp": ("rui_lsp.main", "lsp"),
    "store": ("rui_api.commands.store", "api"),
}


@pytest.mark.parametrize(("command", "module"), [(name, module) for name, (module, _) in ELSEWHERE.items()])
def test_arguments_are_passed_on(command: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []

    def main(argv: list[str]) -> int:
        given.append(argv)
        return 3

    monkeypatch.setattr(f"{module}.main", main)
    assert rui(command, "--port", "0", "--help").code == 3
    assert given == [["--port", "0", "--help"]]


@pytest.mark.parametrize(("command", "module", "extra"), [(name, *rest) for name, rest in ELSEWHERE.items()])
def test_missing_packages_are_named(command: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ran = rui(command)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"rui {command}: {module} is not installed: pip install 'rui-toolkit[{extra}]'\n"
