"""A server with all features."""

from __future__ import annotations

from rui_lsp.features import FEATURES
from rui_lsp.server.server import RuiLanguageServer


def create_server() -> RuiLanguageServer:
    """Create a server and register all features."""
    server = RuiLanguageServer()
    for feature in FEATURES:
        feature.register(server)
    return server
