"""The items of ``errors[]`` of an answer: hints with signatures, each once in an answer."""

from collections.abc import Iterable

from rui_common.problems.finding import Finding
from rui_common.problems.suggestion import Sentence, keys_of
from rui_common.syntax.paths import format_path
from rui_common.vocabulary.schema import Shape
from rui_common.vocabulary.signatures import inlined, legend, signature


def error_items(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return the items of ``errors[]`` of one answer (section 2.5 of the specification)."""
    hints = AnswerHints()
    return [
        {
            "path": format_path(finding.path),
            "code": finding.code,
            "message": finding.message,
            "hint": hints.hint(finding),
        }
        for finding in findings
    ]


class AnswerHints:
    """Writes the hints of one answer: each signature is in the first hint that concerns its shape."""

    def __init__(self) -> None:
        self._shown: set[Shape] = set()
        self._given: set[str] = set()

    def hint(self, finding: Finding) -> str:
        """Return the hint without what earlier hints of the answer contain; call it once for each finding."""
        new = self.new_signatures(finding)
        sentences = finding.sentences()
        if new:
            self._given.update(sentence.text for sentence in sentences if sentence.in_signature)
            if finding.shape is not None:
                self._given.add(keys_of(finding.shape).text)
        texts = [self._text(sentence) for sentence in sentences]
        self._given.update(texts)
        return " ".join([*filter(None, texts), *new]) or sentences[0].text

    def _text(self, sentence: Sentence) -> str:
        if sentence.once and sentence.text in self._given:
            return sentence.again
        return sentence.text

    def new_signatures(self, finding: Finding) -> list[str]:
        """Return the signatures that explain a finding and were not returned before. The legend follows the first."""
        new = [shape for shape in finding.explained_by() if shape not in self._shown]
        parts = [f"{signature(shape)}." for shape in new]
        if new and not self._shown:
            parts.append(legend(finding.node.vocabulary))
        self._shown.update(part for shape in new for part in inlined(shape))
        return parts
