"""Open documents and files on disk."""
