"""A value that its kind does not accept: of a wrong type, malformed, or none of the allowed ones."""

from collections.abc import Iterator
from functools import cached_property

from rui_common.json_values import as_json, is_number
from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.problems.finding import Finding
from rui_common.problems.meant import Meant, holds_content, undefined_names, value_meant
from rui_common.problems.operations import NEW, Convert, Operation, Remove, RenameName, RenameToFree, SetValue
from rui_common.problems.short_forms import write_in_full
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
from rui_common.problems.words import listed, one_of, quoted, shown
from rui_common.suggest import kebab_case, squash
from rui_common.vocabulary.rules import WRONG_TYPE
from rui_common.vocabulary.schema import Kind, Mismatch, Prop, Violation


class WrongValue(Finding):
    """A value of a registered property, or an element of its list, that its kind does not accept (`Kind.violation`).

    The class of the kind says when that is, by which rule, and which corrections there are (`Kind.corrections`). An
    enum accepts its own values alone, as they are written, and has one rule for all others, of any type. The value of a
    suggested property has a warning, `UnusedValue` or `UnknownValue`.
    """

    kind: Kind

    def __init__(
        self, node: Node, step: str | int, got: object, kind: Kind, violation: Violation, scope: Scope | None = None
    ) -> None:
        super().__init__(node, step, violation.rule, got, kind)
        self.mismatch = violation.mismatch
        self.expected = violation.expected  # what the hint expects instead, such as ``a string``, or ``""``
        self.allowed = violation.values  # the only values that are allowed, or ``()``
        self.scope = scope  # the names that it should be one of, or None

    @property
    def opening(self) -> str:
        """The gist, with the allowed values, or the form of valid ones."""
        expected = self.expected
        form = self.kind.form
        if self.allowed and not expected:
            expected = one_of(self.allowed)
            if self.prop is not None and self.prop.note:
                expected += f" ({self.prop.note})"
        elif self.rule == WRONG_TYPE and form not in expected:
            expected = form if form.startswith(expected) else f"{expected}: {form}"
        return super().opening.replace("{expected}", expected)

    @property
    def first_sentence(self) -> Sentence:
        """The opening. An answer contains the form of valid values once."""
        again = super().opening.replace("{expected}", self.expected)
        has_form = self.rule == WRONG_TYPE and bool(self.expected)
        return Sentence(self.opening, once=has_form, again=again if has_form else "")

    @cached_property
    def meant(self) -> Meant | None:
        """The value that is probably meant, or None. It is certain for a misspelling, not for another system's word."""
        if not isinstance(self.got, str):
            return None
        if self.mismatch is Mismatch.NOT_ALLOWED:
            return value_meant(self.got, self.kind)
        if self.mismatch is Mismatch.MALFORMED and self.prop is not None:
            return self._well_formed(self.got, self.prop)
        return None

    @cached_property
    def _in_full(self) -> list[Suggestion]:
        """What to do with a short form, or JSON in a string, where an array or object is expected; else nothing."""
        return [*write_in_full(self.path, self.got, self.kind)]

    def _well_formed(self, text: str, prop: Prop) -> Meant | None:
        """Return the well-formed value that a malformed one means; no name that is defined already.

        A name means its kebab-case, another value what the kind corrects it to (`Kind.corrections`).
        """
        name = kebab_case(text)
        if prop.defines is not None and self.kind.accepts(name) and not self._is_taken(name, prop):
            return Meant(name)
        possible: dict[str, None] = {}
        for value, is_certain in self.kind.corrections(text, prop.example):
            if not isinstance(value, str) or self._is_taken(value, prop):
                continue
            if is_certain:
                return Meant(value)
            if value in text:  # such as the path of a URL, but no other spelling of an index
                possible[value] = None
        if len(possible) == 1:
            return Meant(next(iter(possible)), is_certain=False)
        return None

    def _is_taken(self, name: str, prop: Prop) -> bool:
        return self.scope is not None and self.scope.is_taken(name, prop)

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the value that is meant, as far as that is known."""
        opening = self.opening
        if self.expected and self.expected not in opening:
            yield fact(f"Expected {self.expected}.", once=True)
        if not all(name in opening for name in self.allowed):
            yield fact(f"Allowed: {listed(self.allowed)}.", once=True)
        yield from self._correction()
        yield from self._exchange()
        if self.advice:
            yield fact(self.advice)
        if self.mismatch is Mismatch.WRONG_TYPE and self.prop is not None:
            yield from undefined_names(self.scope, self.prop)

    def _correction(self) -> Iterator[Suggestion]:
        got = self.got
        prop = self.prop
        if self._in_full:
            yield from self._in_full
        elif self.meant is not None:
            text, is_certain, advice = self.meant
            yield did_you_mean(got, text, *self._use(text), is_safe=is_certain)
            if advice:
                yield fact(advice)
        elif got is None and prop is not None and not prop.required:
            sentence = Sentence("Leave it out: null is not a value of an optional property.")
            yield Suggestion(sentence, (Remove(self.path),), is_safe=True)
        elif is_number(got) and self.kind.accepts(as_json(got)):
            sentence = Sentence(f"Got {shown(got)}, a number: put it in quotes.")
            operations = self._use(as_json(got)) if self.kind.values else self._convert()
            yield Suggestion(sentence, operations, is_safe=bool(self.kind.values))
        elif self._numbered_name:
            # Only navigation refers to nodes, so that no other id is used elsewhere.
            is_safe = self.scope is not None and self.scope.symbol.unused is None
            name = self._numbered_name
            yield did_you_mean(got, name, SetValue(self.path, name), is_safe=is_safe)
        elif not (isinstance(got, str) and shown(got) in self.message):
            yield fact(f"Got {shown(got)}.")

    @property
    def _numbered_name(self) -> str:
        """The id that a number as the id of a node means, such as ``section-1``; ``""`` without one."""
        if self.prop is None or self.prop.defines is None or self.shape is None or not self.shape.is_node:
            return ""
        name = f"{self.shape.name.lower()}-{self.got}"
        is_free = isinstance(self.got, int) and self.kind.accepts(name) and not self._is_taken(name, self.prop)
        return name if is_free and not isinstance(self.got, bool) else ""

    def _use(self, text: str) -> tuple[Operation, ...]:
        """Return the operation that sets a text; none for an element of a list."""
        if self.prop is None:
            return ()
        if self.prop.defines is not None:
            return (RenameName(self.path, text),)
        return (SetValue(self.path, text),)

    def _convert(self) -> tuple[Operation, ...]:
        if self.prop is None:
            return ()
        return (Convert(self.path, self.kind, may_replace=self.prop.required and not holds_content(self.got)),)

    def _exchange(self) -> Iterator[Suggestion]:
        """Yield where a malformed value belongs, and the unknown property whose value belongs in its place.

        It is the only absent property with well-formed values that accepts the value.
        """
        prop = self.prop
        shape = self.shape
        if self.mismatch is not Mismatch.MALFORMED or prop is None or shape is None:
            return
        members = self.node.members
        absent = [candidate for candidate in shape.all_props if candidate.name not in members and candidate.kind.form]
        targets = [candidate.name for candidate in absent if candidate.kind.accepts(self.got)]
        called = [key for key in members if shape.prop(key) is None and prop.is_called(squash(key))]
        keys = [key for key in called if prop.kind.accepts(members[key])]
        if len(targets) == 1 and len(keys) == 1:
            target, key, name = map(quoted, (targets[0], keys[0], prop.name))
            yield fact(f"Its content belongs in {target}, that of {key} in {name}.")

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer other values, a conversion, or to remove it if it is optional, or an element; safe for null."""
        prop = self.prop
        if isinstance(self.step, int):
            yield remove_element(self.path, self.got)
        if prop is None:
            return
        yield from self._other_values(prop)
        if not prop.required:
            yield fix(Remove(self.path), is_safe=self.got is None, discards=holds_content(self.got))

    def _other_values(self, prop: Prop) -> Iterator[Suggestion]:
        got = self.got
        if self.kind.values and got is not None and not isinstance(got, dict | list):
            yield from other_values(self.path, got, self.kind.values[:MAX_CHOICES])
            return
        if self.meant is not None:
            return
        if prop.defines is not None and isinstance(got, str):
            yield fix(RenameToFree(self.path, prop.defines, kebab_case(got) or str(prop.example)))
            return
        if self.mismatch is Mismatch.MALFORMED:
            for value in dict.fromkeys(value for value, _ in self.kind.corrections(got, prop.example)):
                yield fix(SetValue(self.path, value))
        if got is not None and not self.kind.values:
            yield fix(*self._convert(), is_safe=isinstance(got, dict))
        elif prop.required and not holds_content(got):
            yield fix(SetValue(self.path, NEW))
