"""Output formats of `rui check`, one module each, imported when it is needed: `rui check` starts in milliseconds.

A module has a function ``render(results, summary, style) -> Iterator[str]``. It consumes the results while documents
are checked; `summary` is complete when all are consumed.
"""

FORMATS = ("full", "concise", "agent", "json", "github", "sarif", "junit", "rdjson")
"""The names of the formats, which are those of their modules."""

DEFAULT_FORMAT = FORMATS[0]

WITH_SUMMARY = ("full", "agent")  # formats that end with the counts
FOR_PEOPLE = {"full", "concise"}  # formats in the encoding of the terminal; the others are UTF-8
LINES = {*FOR_PEOPLE, "agent", "github"}
"""Formats in lines, to which further lines may be added; the others are one value."""
