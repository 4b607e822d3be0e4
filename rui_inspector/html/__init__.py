"""The inspector pages as HTML."""
