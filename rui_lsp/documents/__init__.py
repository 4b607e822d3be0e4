"""Open documents and files on disk, and their analysis."""
