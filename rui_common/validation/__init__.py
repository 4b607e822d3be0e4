"""Validation of a value against the vocabulary, and the wording of findings."""
