"""The life cycle of the server process."""
