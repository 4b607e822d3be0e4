"""Snippets with odd texts, for the parsers of real editors."""

from rui_common.editing.snippets import Snippet, TabStop

TEXTS = [
    "/orders/{id}", "$", "${1:x}", "$1", "}", "{}", "\\", "\\\\", "\\}", "\\$", "\\n", "a,b", "a|b", "|}", "|", ",",
    "\\,", "\\|", "two\nlines", "a: b", "é😀", "`ls`", "%", ".", "1", " ", '\\"', "$TM_FILENAME",
    "${TM_FILENAME:x}", "a\\{b\\}|c,$d",
]  # fmt: skip


def snippets() -> list[Snippet]:
    """Return each text as plain text, as a default, as a choice, and beside others."""
    found = [Snippet((text,)) for text in TEXTS]
    found += [Snippet(("[", TabStop(text), "]")) for text in TEXTS]
    found += [Snippet(("[", TabStop(text, (text, "other")), "]")) for text in TEXTS]
    found += [Snippet((TabStop(text, (text,)), TabStop(), "1", TabStop(is_final=True), text)) for text in TEXTS]
    return found
