"""The start and the end of a session. The client decides whether diagnostics are requested or pushed."""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.features import diagnostic
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.SHUTDOWN)(shutdown)


def initialize(ls: RuiLanguageServer, params: types.InitializeParams) -> None:
    """Set up the session; pygls announces the registered features after this."""
    ls.start_session(params)
    if ls.supports_pull:
        diagnostic.register(ls)


def shutdown(ls: RuiLanguageServer, params: object) -> None:  # noqa: ARG001
    """Note that the client will send ``exit``."""
    ls.is_shut_down = True
