"""What single clients do differently, and no capability announces."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types


class Quirks(NamedTuple):
    """The behaviour of a client."""

    shows_first_choice: bool = True
    """Whether a tab stop with choices shows the first one until the author picks one."""
    shows_format_errors: bool = True
    """Whether the error of a request to format is shown to the author."""


_QUIRKS = {"Neovim": Quirks(shows_first_choice=False, shows_format_errors=False)}
"""By the name of the client.

Neovim 0.11 leaves a tab stop with choices empty, does not parse one with ``}`` as LSP writes it, and ignores errors of
`vim.lsp.buf.format`.
"""


def quirks_of(client: types.ClientInfo | None) -> Quirks:
    """The behaviour of a client; without a name, that of most."""
    return _QUIRKS.get(client.name if client is not None else "", Quirks())
