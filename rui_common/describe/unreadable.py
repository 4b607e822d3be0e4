"""What an answer says about a text that is not JSON, or has no object as its root."""

from rui_common.problems.root import WrongRoot, wrong_text
from rui_common.syntax.document import Document
from rui_common.syntax.embedded import find_embedded
from rui_common.syntax.recovery.find_document import names_rui
from rui_common.validation.analysis import Analysis
from rui_common.validation.answers import AnswerHints
from rui_common.validation.diagnostics import JSON_RULES, broken_places
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_ERRORS
from rui_common.vocabulary.signatures import legend, signatures


def where_broken(document: Document) -> str:
    """Return the positions, messages and hints of syntax errors as sentences for the hint of a response.

    The signatures follow that explain the errors in what could be read, as no finding of this response can contain
    them: all of them for a text that is no RUI, and none for a RUI without other errors. If JSON in the text contains a
    document, the result is where it is.
    """
    errors, is_complete = document.first_errors()
    finding = wrong_text(document, errors, VOCABULARY)
    if finding is not None:
        return f"{finding.message} {finding.hint}"
    places = broken_places(document, errors, is_complete=is_complete)
    return " ".join([*places, JSON_RULES, *_explanations(document, is_complete=is_complete)])


def _explanations(document: Document, *, is_complete: bool) -> list[str]:
    """Return the signatures that explain the errors in the recovered value, and the legend after the first of them.

    Of a text with too many syntax errors, nothing is recovered, which would take long: its keys tell a RUI.
    """
    if not is_complete:
        return [] if names_rui(document.text) else _whole_vocabulary()
    if not isinstance(document.value, dict):
        return _whole_vocabulary()
    hints = AnswerHints()
    findings = Analysis(document).findings[:MAX_ERRORS]
    return [sentence for finding in findings for sentence in hints.new_signatures(finding)]


def _whole_vocabulary() -> list[str]:
    return [*(f"{shape}." for shape in signatures(VOCABULARY)), legend(VOCABULARY)]


def root_hint(value: object) -> str:
    """Return what is wrong with JSON whose root is no object, as sentences for the hint of a response.

    All signatures follow, here too, unless a document is in the value: it is to be sent, and its errors come then.
    """
    finding = WrongRoot(value, VOCABULARY)
    hint = finding.hint if find_embedded(value) is not None else AnswerHints().hint(finding)
    return f"{finding.message} {hint}"
