"""`rui lsp`: the language server, which is `rui_lsp`."""

from __future__ import annotations

from rui_cli.lazy import start


def main(argv: list[str]) -> int:
    """Run it until the editor stops it; the exit code. The options are its own."""
    return start("rui_lsp.main", "lsp", argv)
