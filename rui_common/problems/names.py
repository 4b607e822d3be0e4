"""Problems of names: defined twice, used and not defined, defined and not used; two links to the same page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_common.nodes.names import Name, Scope
from rui_common.problems.finding import Finding, Lint, LintRule
from rui_common.problems.meant import name_meant
from rui_common.problems.operations import Append, AppendNew, RenameCopy, RenameName, RenameToFree, SetValue
from rui_common.problems.suggestion import (
    MAX_CHOICES,
    Sentence,
    Suggestion,
    did_you_mean,
    fact,
    fix,
    other_values,
    remove_element,
)
from rui_common.problems.words import listed, path_text, quoted, shown, titled
from rui_common.suggest import SearchBudget, kebab_case, nearest
from rui_common.syntax.paths import Path
from rui_common.vocabulary.queries import named_lists


class DuplicateName(Finding):
    """A further definition of a name. It is unknown which of the two is the right one.

    `Symbol.duplicate` is its rule: R3 for the ids of all nodes in a document, R17 for the keys of the columns in a
    table. Malformed names count, and the ids of nodes that are not read; names with a syntax error do not.
    """

    note = "First used here."

    def __init__(self, name: Name, rule: str, wanted: Scope | None = None) -> None:
        super().__init__(name.node, name.step, rule, name.text, name.kind)
        self.scope = name.scope
        self.first = name.scope.defined[name.text][0].path
        self.wanted = wanted  # the scope in which one of the names that are used may be meant, or None

    @property
    def related(self) -> tuple[Path, ...]:
        return (self.first,)

    def suggestions(self) -> Iterator[Suggestion]:
        """Name a copy without a difference, and suggest the first name that is used and not defined."""
        yield fact(f"First used at {path_text(self.first)}.")
        original = self.scope.defined[str(self.got)][0].node
        if self.node.path[:-1] == original.path[:-1] and self.node.value == original.value:
            yield fact(f"It is the same as {path_text(original.path)}: remove one of them, or change the copy.")
        if self.wanted is None or self.prop is None:
            return
        for use in self.wanted.undefined_uses:
            if self.prop.kind.accepts(use.text) and use.text not in self.scope.defined:
                sentence = Sentence(f"Used and not defined: {quoted(use.text)}.")
                yield Suggestion(sentence, (RenameName(self.path, use.text),))
                return

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer a name with a number, new names for all of a copy that contains it, or to remove the element.

        New names for a copy are safe if it differs from its original (`RenameCopy`). Columns are no copies.
        """
        like = str(self.got)
        if self.kind is None or not self.kind.accepts(like):
            like = kebab_case(like) or ("" if self.prop is None else str(self.prop.example))
        yield fix(RenameToFree(self.path, self.scope.symbol, like))
        yield fix(RenameCopy(self.path, self.scope.symbol), is_safe=True)
        yield remove_element(self.node.path, self.node.value, self.node)


class DanglingName(Finding):
    """The use of a name without a definition: a navigation item without its page, a filter without its column.

    `Symbol.dangling` is its rule. It is not reported while a definition may be missing (`Scope.has_all_definitions`).
    A malformed definition counts.
    """

    note = "Did you mean this one?"

    def __init__(self, name: Name, rule: str, meant: str) -> None:
        super().__init__(name.node, name.step, rule, name.text, name.kind)
        self.name = name
        self.scope = name.scope
        self.meant = meant  # the defined name that is probably meant, or ``""``

    @staticmethod
    def find(name: Name, budget: SearchBudget) -> DanglingName | None:
        """Return the finding about a use, after the walk; None if it is defined, or a definition may be missing.

        The name that is meant is one that nothing uses, if there is any such.
        """
        scope = name.scope
        rule = scope.symbol.dangling
        if name.text in scope.defined or not scope.has_all_definitions or rule is None:
            return None
        meant = None
        if name.text not in scope.misspelt:
            meant = nearest(name.text, scope.unused or scope.definitions, budget)
        return DanglingName(name, rule, meant or "")

    @property
    def _malformed(self) -> Name | None:
        """The malformed definition that means this name, or None."""
        return self.scope.misspelt.get(self.name.text)

    @property
    def related(self) -> tuple[Path, ...]:
        """The definition that is meant."""
        if self._malformed is not None:
            return (self._malformed.path,)
        if self.meant:
            return (self.scope.defined[self.meant][0].path,)
        return ()

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest to correct the definition that means it; else the name that is meant, or the only one to use."""
        scope = self.scope
        malformed = self._malformed
        if malformed is not None:
            title = f"Rename {titled(malformed.text)} to {titled(self.name.text)}"
            sentence = Sentence(f"Or correct {path_text(malformed.path)}, which means it.")
            yield Suggestion(sentence, (RenameName(malformed.path, self.name.text),), title)
            return
        if scope.definitions:
            # Of names that need not all be used, such as columns, the only one may be meant.
            is_only = len(scope.definitions) == 1 and scope.symbol.unused is None and not self.meant
            use_it = (SetValue(self.path, scope.definitions[0]),) if is_only else ()
            yield Suggestion(Sentence(f"Allowed: {listed(scope.definitions)}.", once=True), use_it)
        target, reason = ("", "") if self.meant or self.prop is None else name_meant(self.node, self.prop, scope)
        if self.meant:
            yield did_you_mean(self.got, self.meant, SetValue(self.path, self.meant), is_safe=True)
        elif target:
            yield Suggestion(Sentence(f"Set it to {quoted(target)}, {reason}."), (SetValue(self.path, target),))
        elif len(scope.unused) == 1:
            sentence = Sentence(f"Not used yet: {listed(scope.unused)}.")
            yield Suggestion(sentence, (SetValue(self.path, scope.unused[0]),))
        elif isinstance(self.node.step, int):
            addition = f"add {quoted(self.name.text)}, or " if any(self._definitions()) else ""
            yield fact(f"Or {addition}remove the {self.node.noun}.")

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer the unused names, a definition of the name, other names, or to remove the element that uses it."""
        if self._malformed is None:
            if not self.meant:
                yield from (fix(SetValue(self.path, text)) for text in self._unused_names()[:MAX_CHOICES])
            yield from self._definitions()
            yield from other_values(self.path, self.got, self.scope.definitions[:MAX_CHOICES])
        if isinstance(self.node.step, int):
            yield remove_element(self.node.path, self.node.value, self.node)

    def _unused_names(self) -> list[str]:
        """Return the names that must be used and are not, the likeliest first."""
        replacements = self.scope.replacements.items()
        likeliest = [text for text, use in replacements if use.text == self.name.text][:MAX_CHOICES]
        return [*likeliest, *(text for text in self.scope.unused if text not in likeliest)]

    def _definitions(self) -> Iterator[Suggestion]:
        """Yield the fixes that define the name by a new element, one for each list that allows it.

        There is none for a malformed name, nor for the id of a page that another node has.
        """
        owner = self.scope.node
        for path, shape, prop in named_lists(owner.shape, self.name.symbol, is_use=False):
            if prop.kind.accepts(self.name.text) and not self.scope.is_taken(self.name.text, prop):
                append = AppendNew((*owner.path, *path), shape, {prop.name: self.name.text})
                yield fix(append, title=f"Add a {shape.name} {titled(self.name.text)}")


class UnusedName(Finding):
    """The definition of a name that must be used, and is not: a page that no navigation item opens.

    `Symbol.unused` is its rule. It is not reported while a use may be missing (`Scope.has_all_uses`).
    """

    note = "Nothing in here links to it."

    def __init__(self, name: Name, rule: str) -> None:
        super().__init__(name.node, name.step, rule, name.text, name.kind)
        self.name = name
        self.scope = name.scope

    @staticmethod
    def find(name: Name) -> UnusedName | None:
        """Return the finding about a definition, after the walk; None if it is, or may be, used, or need not be."""
        scope = name.scope
        rule = scope.symbol.unused
        if name.text in scope.used or not scope.has_all_uses or rule is None:
            return None
        return UnusedName(name, rule)

    @property
    def related(self) -> tuple[Path, ...]:
        """The list whose elements use names, if there is one."""
        if self.scope.right_name(self.name.text):
            return ()
        for first, *_ in self.scope.used.values():
            if isinstance(first.node.step, int) and first.node.parent is not None:
                return (first.node.parent.path,)
        return ()

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the spelling of a use, or to use it in place of an undefined name."""
        text = self.name.text
        for path in self.related:
            yield fact(f"Nothing in {path_text(path)} links to {shown(text)}.")
        right = self.scope.right_name(text)
        if right:
            use = self.scope.used[right][0]
            sentence = Sentence(f"Or correct it to {quoted(right)}, as {path_text(use.path)} names it.")
            yield Suggestion(sentence, (RenameName(self.path, right),))
            return
        replaced = self.scope.replacements.get(text)
        undefined = replaced or next(iter(self.scope.undefined_uses), None)
        if undefined is None:
            return
        sentence = Sentence(f"Instead, use it at {path_text(undefined.path)}, which names nothing.")
        if replaced is not None and len(self.scope.replacements) == 1:
            yield self._use_in_place_of(replaced, sentence)
        else:
            yield Suggestion(sentence)

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer to use it in place of one of several undefined names, or a new element that uses it.

        The new element is safe, unless an undefined name may be meant for this one.
        """
        text = self.name.text
        if text in self.scope.replacements and not self.scope.right_name(text):
            yield self._use_in_place_of(self.scope.replacements[text])
        is_well_formed = self.kind is not None and self.kind.accepts(text)
        for path, shape, prop in named_lists(self.node.root.shape, self.name.symbol, is_use=True):
            if not {*shape.required} - {prop.name}:
                append = Append(path, ({prop.name: text},))
                is_safe = is_well_formed and not self.scope.undefined_uses
                yield fix(append, title=f"Add an entry for {titled(text)}", is_safe=is_safe)
                return

    def _use_in_place_of(self, use: Name, sentence: Sentence | None = None) -> Suggestion:
        title = f"Use {titled(self.name.text)} instead of {titled(use.text)}"
        return Suggestion(sentence, (SetValue(use.path, self.name.text),), title)


class RepeatedLink(Lint):
    """Each further use of a name that must be used, such as the second link to a page. It has no fix."""

    about = LintRule(
        code="REPEATED_LINK",
        condition="Two navigation items open the same page.",
        message='Another navigation item opens "{value}", too.',
        hint="Remove one of them, or set the `pageId` of another page.",
        why="It is usually a copy whose page was not changed. It is valid, as a menu may list a page twice.",
        wrong='{"navigation": {"items": [{"pageId": "home"}, {"pageId": "home"}]}}',
        right='{"navigation": {"items": [{"pageId": "home"}, {"pageId": "orders"}]}}',
    )

    def values(self) -> dict[str, str]:
        return {"value": str(self.got)}

    @staticmethod
    def find(scopes: Iterable[Scope]) -> Iterator[RepeatedLink]:
        """Yield each further use of a name that must be used, after the walk. A dangling one has its error alone."""
        for scope in scopes:
            if scope.symbol.unused is None:
                continue
            for text, (_, *further) in scope.used.items():
                if text in scope.defined or not scope.has_all_definitions:
                    for name in further:
                        yield RepeatedLink(name.node, name.step, name.text)
