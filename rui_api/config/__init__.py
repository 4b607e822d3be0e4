"""The settings of the service: declaration, parsing, sources."""
