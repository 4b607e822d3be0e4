"""Warnings about a document as a text: a repeated property, and its size."""

from rui_common.problems.finding import LintRule

DUPLICATE_KEY = LintRule(
    code="DUPLICATE_KEY",
    condition="Property is repeated below; only the last one counts.",
    message='Property "{prop}" is repeated below; only the last one counts.',
    hint="Remove this one, or give it another name.",
    why="JSON allows a property twice in one object, and parsers treat that differently. Here the last one counts, so "
    "the earlier one is ignored silently.",
    wrong='{"title": "Orders", "title": "Order desk"}',
    right='{"title": "Order desk"}',
)

TOO_LARGE = LintRule(
    code="TOO_LARGE",
    condition="The document has more bytes than a service accepts.",
    message="The document has {bytes} bytes; a service accepts {limit} at most.",
    hint="Describe less in one document. If line breaks and indentation alone are too many, `rui publish` leaves them "
    "out.",
    why="The length does not make a document invalid, but a service accepts no longer requests, so that the document "
    "cannot be stored.",
    is_about_size=True,
)
