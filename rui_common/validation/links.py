"""Suggest one change for a definition and all uses of its name.

If pages were renamed and navigation was not, each dangling use is paired with the page that it is probably meant for.
The hints of both findings then describe the same change, so that following one or both of them has the same result.
"""

from __future__ import annotations

from rui_common.suggest import kebab_case, nearest
from rui_common.validation.free_names import free_name, placeholder_name
from rui_common.validation.hints import Changes, FixFirst, InsertElement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from rui_common.syntax.paths import Path
    from rui_common.validation.author_words import Words
    from rui_common.validation.model import FindingData, SuggestedNames, UsedNames
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Symbol

MAX_PAIRED = 200
"""Definitions and dangling uses that are paired. It bounds the time for thousands of them."""

MAX_LETTER_PAIRS = 40_000
"""Product of the letters of dangling uses and unused definitions up to which their spelling is compared."""

MAX_USES = 3
"""Uses of one name that a hint lists."""


class Links:
    """The definitions and uses of one symbol in a document.

    Args:
        scope: the names of the document.
        symbol: the symbol.
        words: the words of the document.
        changing: paths of definitions with a finding that their name has to change.
    """

    def __init__(self, scope: Scope, symbol: Symbol, words: Words, changing: set[Path]) -> None:
        self._changing = changing
        self._defined = scope.defined[symbol]
        self._used = scope.used[symbol]
        self._placeholder = placeholder_name(symbol)
        self._words = words
        # Path → the name as sent, or None, for the first definitions.
        self._names: dict[Path, str | None] = {}
        self._repeated: set[Path] = set()
        self._final_names: tuple[str, ...] | None = None
        self._read_definitions()
        self._target_of: dict[str, Path] = {}
        self._pair(scope.dangling_names(symbol)[:MAX_PAIRED])
        self._source_of = {path: name for name, path in self._target_of.items()}

    def target(self, use: str) -> Path | None:
        """Return the path of the definition that a dangling use is meant for."""
        return self._target_of.get(use)

    def source(self, path: Path) -> str | None:
        """Return the dangling use that is meant for the definition at a path."""
        return self._source_of.get(path)

    def final_name(self, path: Path, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
        """Return the name that a definition has after all hints were followed; at most one call makes it up."""
        name = self._names.get(path)
        if name is not None and self._is_final(path, name):
            return name
        if path not in suggested_names.new_names:
            new = next(filter(self._defined.is_well_formed, self._proposals(path, name)), "")
            suggested_names.new_names[path] = free_name(new, used_names, suggested_names)
        return suggested_names.new_names[path]

    def final_names(self, used_names: UsedNames, suggested_names: SuggestedNames) -> tuple[str, ...]:
        """Return the names of all definitions after all hints were followed."""
        if self._final_names is None:
            self._final_names = self._defined.names()
            if not all(name is not None and self._is_final(path, name) for path, name in self._names.items()):
                self._final_names = tuple(self.final_name(path, used_names, suggested_names) for path in self._names)
        return self._final_names

    def is_reported_unused(self, path: Path) -> bool:
        """Return whether a finding of its own reports that the definition has no use."""
        name = self._names.get(path)
        is_first = name is not None and path not in self._repeated
        return is_first and self._used.is_complete and name not in self._used.first

    def uses_to_change(self, path: Path, final: str) -> list[Path]:
        """Return the paths of the uses that follow when the name of a definition becomes `final`."""
        old = self.source(path) or self._names.get(path)
        if old is None or old == final or (path in self._repeated and self.source(path) is None):
            return []
        return self._paths_of_uses(old)

    def new_use(self, name: str) -> InsertElement | None:
        """Return the suggestion to add a use of a name, None if it has one or if there is no list of uses."""
        container = self._used.container
        if name in self._used.first or container is None:
            return None
        element: object = name
        for step in reversed(self._used.path_in_element):
            element = {str(step): element}
        return InsertElement(container, element)

    def _read_definitions(self) -> None:
        container = self._defined.container
        elements = None
        if container is not None:
            elements = self._words.value_at(container)
        if container is None or not isinstance(elements, list):
            self._names.update((path, name) for name, path in self._defined.first.items())
            return
        size = len(container) + 1
        path_of = {path[:size]: path for path in self._defined.first.values()}
        for index in range(min(len(elements), MAX_PAIRED)):
            place = (*container, index)
            path = path_of.get(place)
            if path is None:
                path = (*place, *self._defined.path_in_element)
                if isinstance(self._words.value_at(path), str):
                    self._repeated.add(path)
            name = self._words.value_at(path)
            self._names[path] = name if isinstance(name, str) else None

    def _is_final(self, path: Path, name: str) -> bool:
        return path not in self._changing and path not in self._repeated and self._defined.is_well_formed(name)

    def _pair(self, dangling: list[str]) -> None:
        """Pair dangling uses with unused definitions: by the same words, by spelling, and the others in order."""
        unused = [path for path, name in self._names.items() if path in self._repeated or name not in self._used.first]
        free = dict.fromkeys(unused)
        self._pair_by_words(dangling, free)
        self._pair_by_spelling(dangling, free)
        unpaired = (use for use in dangling if use not in self._target_of)
        self._target_of.update(zip(unpaired, [*free], strict=False))

    def _pair_by_words(self, dangling: list[str], free: dict[Path, None]) -> None:
        path_of: dict[str, Path] = {}
        for path in free:
            name = self._names[path]
            element = self._element(path)
            label = ""
            if isinstance(element, dict):
                label = self._words.name_of(element).label.lower()
            for words in (kebab_case(name or ""), f"label {label}"):
                path_of.setdefault(words, path)
        for use in dangling:
            label = self._words.name_from(use).label.lower()
            for words in (kebab_case(use), f"label {label}"):
                target = path_of.get(words)
                if target is not None and target in free and words not in ("", "label "):
                    self._target_of[use] = target
                    del free[target]
                    break

    def _pair_by_spelling(self, dangling: list[str], free: dict[Path, None]) -> None:
        path_of = {name: path for path in free if (name := self._names[path]) is not None}
        unpaired = [use for use in dangling if use not in self._target_of]
        if len("".join(path_of)) * len("".join(unpaired)) > MAX_LETTER_PAIRS:
            return
        for use in unpaired:
            name = nearest(use, path_of)
            if name is not None:
                path = path_of.pop(name)
                self._target_of[use] = path
                del free[path]

    def _element(self, path: Path) -> object:
        """Return the object whose name is at a path."""
        return self._words.value_at(path[: -len(self._defined.path_in_element)])

    def _proposals(self, path: Path, name: str | None) -> list[str]:
        source = self._source_of.get(path, "")
        own = name or ""
        element = self._element(path)
        slug: tuple[str, ...] = ()
        if isinstance(element, dict):
            slug = self._words.name_of(element).slug
        proposals = [source, kebab_case(source), own, kebab_case(own), "-".join(slug), self._placeholder]
        if own and nearest(source, (own,)) is not None:
            return [own, kebab_case(own), *proposals]
        return proposals

    def _paths_of_uses(self, name: str) -> list[Path]:
        """Return the paths that the uses of a name have under the registered keys."""
        first = [path for use, path in self._used.first.items() if use == name]
        container = self._used.container
        if container is None:
            return first
        elements = self._words.value_at(container)
        if not isinstance(elements, list):
            return first
        rest = self._used.path_in_element
        paths = [(*container, index, *rest) for index in range(len(elements))]
        same = [path for path in paths if self._words.value_at(path) == name]
        return [*dict.fromkeys([*((*path[: len(container) + 1], *rest) for path in first), *same])]


def links_of(scope: Scope, symbol: Symbol, suggested_names: SuggestedNames) -> Links:
    """Return the links of a symbol, which all hints of one answer share."""
    links = suggested_names.shared.get(symbol)
    if not isinstance(links, Links):
        links = Links(scope, symbol, suggested_names.words, suggested_names.changing)
        suggested_names.shared[symbol] = links
    return links


class LinkHint:
    """A hint that depends on all names of a document: it is completed when it is worded."""

    def __init__(self, scope: Scope, symbol: Symbol) -> None:
        self._scope = scope
        self._symbol = symbol

    def with_prefix(self, prefix: Path) -> Self:  # noqa: ARG002
        return self

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return ""

    def complete(self, finding: FindingData, suggested_names: SuggestedNames) -> FindingData:
        """Return the finding with its example, match and suggestion."""
        raise NotImplementedError


class DanglingUse(LinkHint):
    """The hint for a use without a definition."""

    def complete(self, finding: FindingData, suggested_names: SuggestedNames) -> FindingData:
        finding = finding._replace(suggestion=None)
        if not isinstance(finding.got, str):
            return finding
        links = links_of(self._scope, self._symbol, suggested_names)
        names = links.final_names(finding.used_names, suggested_names)
        target = links.target(finding.got)
        if target is None:
            match = finding.match
            if match not in names:
                match = None
            return finding._replace(names=names, match=match)
        final = links.final_name(target, finding.used_names, suggested_names)
        if final == finding.got:
            return finding._replace(names=(), match=None, suggestion=FixFirst(target))
        return finding._replace(names=names, example=final, match=nearest(finding.got, (final,)))


class UnusedDefinition(LinkHint):
    """The hint for a definition without a use."""

    def complete(self, finding: FindingData, suggested_names: SuggestedNames) -> FindingData:
        links = links_of(self._scope, self._symbol, suggested_names)
        final = links.final_name(finding.path, finding.used_names, suggested_names)
        uses: list[Path] = []
        if links.source(finding.path):
            uses = links.uses_to_change(finding.path, final)
        addition = links.new_use(final)
        if final == finding.got and not uses:
            return finding._replace(suggestion=addition)
        if uses:
            addition = None
        definitions = [] if final == finding.got else [finding.path]
        return finding._replace(suggestion=Changes([*definitions, *uses[:MAX_USES]], final, addition, is_whole=True))


class NewDefinition(LinkHint):
    """The hint for a definition that lacks a name or needs another one.

    Args:
        scope: the names of the document.
        symbol: the symbol of the definition.
        path: the path of the name; the finding is there, or at the element that has no name.
        example_of: returns the example for a name, if that is not the name itself.
    """

    def __init__(
        self, scope: Scope, symbol: Symbol, path: Path, example_of: Callable[[str], object] | None = None
    ) -> None:
        super().__init__(scope, symbol)
        self._path = path
        self._example_of = example_of

    def complete(self, finding: FindingData, suggested_names: SuggestedNames) -> FindingData:
        links = links_of(self._scope, self._symbol, suggested_names)
        finding = finding._replace(suggestion=None)
        final = links.final_name(self._path, finding.used_names, suggested_names)
        example = final if self._example_of is None else self._example_of(final)
        finding = finding._replace(example=example)
        if links.is_reported_unused(self._path) or self._path in suggested_names.explained:
            return finding
        suggested_names.explained.add(self._path)
        uses = links.uses_to_change(self._path, final)
        addition = None
        if not uses:
            addition = links.new_use(final)
        if not uses and addition is None:
            return finding
        return finding._replace(suggestion=Changes(uses[:MAX_USES], final, addition))
