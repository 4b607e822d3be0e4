"""The language server: pygls with our documents, settings and diagnostics."""
