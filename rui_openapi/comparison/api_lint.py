"""The warning about a difference from a description, and the suggestions to remove it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rui_common.json_values import as_json
from rui_common.nodes.node import Node
from rui_common.problems.finding import Lint, LintRule
from rui_common.problems.operations import Insert, Operation, Remove, RenameName, SetValue
from rui_common.problems.suggestion import MAX_CHOICES, Sentence, Suggestion
from rui_common.problems.words import titled
from rui_common.syntax.paths import Path
from rui_common.validation.analysis import Analysis

SUPERFLUOUS = "The response itself fits; leave the value path out."


class ApiLint(Lint):
    """A name, type or value that a description does not have."""

    def __init__(
        self,
        node: Node,
        step: str | int,
        about: LintRule,
        values: dict[str, str],
        suggestions: Sequence[Suggestion],
    ) -> None:
        super().__init__(node, step)
        self.about = about
        self._values = values
        self._suggestions = suggestions

    def values(self) -> Mapping[str, str]:
        return self._values

    def suggestions(self) -> Iterator[Suggestion]:
        return iter(self._suggestions)


class Replaceable(NamedTuple):
    """A text of a document in place of which another one is suggested. It may be absent."""

    analysis: Analysis
    path: Path

    def meant(self, text: str, more: str = "", *, is_safe: bool = True) -> list[Suggestion]:
        """Return the suggestion to write the text that is meant, with further sentences."""
        return self.one_of(f"Did you mean {as_json(text)}? {more}".rstrip(), [text], is_safe=is_safe)

    def one_of(self, sentence: str, texts: Sequence[str] = (), *, is_safe: bool = True) -> list[Suggestion]:
        """Return the suggestions to write one of some texts, the likeliest first. The only one may be safe."""
        if len(texts) == 1:
            return [self._use(texts[0], Sentence(sentence), is_safe=is_safe)]
        names = self.analysis.names.at(self.path)
        taken = {text for name in names if not name.is_use for text in name.scope.defined}
        free = [text for text in texts if text not in taken]
        return [Suggestion(Sentence(sentence)), *(self._use(text) for text in free[:MAX_CHOICES])]

    def leave_out(self) -> list[Suggestion]:
        """Return the suggestion to remove a value path that is superfluous."""
        return [Suggestion(Sentence(SUPERFLUOUS), (Remove(self.path),), is_safe=True)]

    def _use(self, text: str, sentence: Sentence | None = None, *, is_safe: bool = False) -> Suggestion:
        operation: Operation = SetValue(self.path, text)
        title = ""
        prop = self.analysis.prop(self.path)
        if self.analysis.document.find(self.path) is None:
            name = str(self.path[-1])
            operation = Insert(self.path[:-1], {name: text}, self.analysis.nearest(self.path[:-1]).shape)
            title = f"Add {titled(name)}: {titled(text)}"
        elif prop is not None and prop.defines is not None:
            operation = RenameName(self.path, text)
        return Suggestion(sentence, (operation,), title, is_safe)
