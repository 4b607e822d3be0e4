"""Fixes for findings and syntax errors, and refactorings."""
