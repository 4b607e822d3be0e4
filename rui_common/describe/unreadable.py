"""What an answer says about a text that is not JSON, or has no object as its root."""

from rui_common.problems.root import WrongRoot, wrong_text
from rui_common.syntax.document import Document
from rui_common.validation.answers import AnswerHints
from rui_common.validation.diagnostics import JSON_RULES, broken_places
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import legend, signatures


def where_broken(document: Document) -> str:
    """Return the positions, messages and hints of syntax errors as sentences for the hint of a response.

    All signatures follow, as no finding of this response can contain them. If JSON in the text contains a document, the
    result is where it is.
    """
    errors, is_complete = document.first_errors()
    finding = wrong_text(document, errors, VOCABULARY)
    if finding is not None:
        return f"{finding.message} {finding.hint}"
    shapes = [f"{one}." for one in signatures(VOCABULARY)]
    places = broken_places(document, errors, is_complete=is_complete)
    return " ".join([*places, JSON_RULES, *shapes, legend(VOCABULARY)])


def root_hint(value: object) -> str:
    """Return what is wrong with JSON whose root is no object, as sentences for the hint of a response.

    All signatures follow, here too.
    """
    finding = WrongRoot(value, VOCABULARY)
    return f"{finding.message} {AnswerHints().hint(finding)}"
