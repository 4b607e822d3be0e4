"""Validation of a value against the vocabulary: the walk, the analysis and the diagnostics of a text."""
