"""The language server: the core as LSP features."""
