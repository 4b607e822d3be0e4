"""One session: settings, open documents, files, OpenAPI descriptions and diagnostics."""
