"""Text edits, formatting, references, completion and snippets."""
