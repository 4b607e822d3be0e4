"""Diagnostics of open documents and of files, pushed to the client or reported when it requests them."""
