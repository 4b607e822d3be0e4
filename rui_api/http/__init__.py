"""Helpers for HTTP requests and responses."""
