"""A server with all features."""

from __future__ import annotations

from rui_lsp.features import FEATURES
from rui_lsp.server.server import RuiLanguageServer


def create_server() -> RuiLanguageServer:
    """Create a server and register all features. The client decides whether diagnostics are pulled or pushed."""
    server = RuiLanguageServer()
    for feature in FEATURES:
        feature.register(server)
    return server
