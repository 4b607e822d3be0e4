"""The language server: the core behind the Language Server Protocol."""
