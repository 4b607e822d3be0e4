"""Completion, hover and definitions in the requests of documents, by an OpenAPI description."""
