"""The server process: its transport, and the server with all features."""
