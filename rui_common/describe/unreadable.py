"""What an answer says about a text that is not JSON."""

from rui_common.syntax.document import Document
from rui_common.validation.diagnostics import JSON_RULES, broken_places
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import legend, signatures


def where_broken(document: Document) -> str:
    """Return the positions, messages and hints of syntax errors as sentences for the hint of a response.

    All signatures follow, as no finding of this response can contain them.
    """
    shapes = [f"{one}." for one in signatures(VOCABULARY)]
    return " ".join([*broken_places(document), JSON_RULES, *shapes, legend(VOCABULARY)])
