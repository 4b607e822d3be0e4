"""The HTTP service: validate, store, retrieve, inspect."""
