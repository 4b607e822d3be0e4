"""A finding: which rule is broken where. Its message and hint are worded here, late, at the edge."""

from __future__ import annotations

from rui_common.suggest import nearest
from rui_common.syntax.paths import format_path, property_name
from rui_common.validation.hints import FixFirst, Given, as_json, freed
from rui_common.vocabulary.rules import MESSAGES, RULE_HINTS, RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rui_common.syntax.paths import Path
    from rui_common.validation.hints import Remedy

MAX_SHOWN = 40
"""Characters of a received value that a hint repeats (docs/decisions.md, section 3)."""

MAX_LISTED = 12
"""Names that a hint lists at most."""

FIRST_USED = "First used here."
NEAREST_NAME = "Did you mean this one?"
LINK_HERE = "Nothing in here links to it."
"""Notes of related places (docs/decisions.md, section 7)."""

ABSENT = object()
"""Stands for the value of a property that is not there."""


class Finding:
    """One fault, at one place, for one reason.

    Attributes:
        path: the place (docs/decisions.md, section 2).
        rule: the number of the rule, such as ``R7b``.
        got: the value found there, or `ABSENT`.
        names: what would have been right there, nearest names are looked for among them.
        expected: what would have been right, in words ("a string"), or ``""``.
        example: a value that could stand there, or `ABSENT`.
        owner: the name of the shape that the fault is in, such as ``Metric``.
        related: other places that have to do with it, each with a note for the reader.
        remedy: what to do elsewhere or with what is there, where no value in its place would mend it; or None.
        taken: the names that are taken, among which a new one must not be.
        given: the new names that the hints of other findings offer; None if there are no others.
    """

    __slots__ = (
        "_hint", "_meant", "example", "expected", "given", "got", "names", "owner", "path", "related", "remedy", "rule",
        "taken",
    )  # fmt: skip

    def __init__(
        self,
        path: Path,
        rule: str,
        *,
        got: object = ABSENT,
        names: Sequence[str] = (),
        expected: str = "",
        example: object = ABSENT,
        owner: str = "",
        related: tuple[tuple[Path, str], ...] = (),
        remedy: Remedy | None = None,
    ) -> None:
        self.path = path
        self.rule = rule
        self.got = got
        self.names = names
        self.expected = expected
        self.example = example
        self.owner = owner
        self.related = related
        self.remedy = remedy
        self.taken: tuple[Mapping[str, object], ...] = ()
        self.given: Given | None = None
        self._hint = ""
        self._meant: object = ABSENT

    def __repr__(self) -> str:
        return f"Finding({format_path(self.path)!r}, {self.rule!r})"

    @property
    def code(self) -> str:
        """The error code of section 7.2."""
        return RULES[self.rule].code

    def meant(self) -> str | None:
        """The one of `names` that the value found was clearly meant to be, or None; looked for once."""
        if self._meant is ABSENT:
            self._meant = nearest(self.got, self.names) if isinstance(self.got, str) else None
        return self._meant if isinstance(self._meant, str) else None

    def forgo_meant(self) -> None:
        """Say from now on that nothing was clearly meant, without looking."""
        self._meant = None

    def set_fix_first(self, path: Path) -> None:
        """Say from now on that something else is at fault, and nothing of what could stand here."""
        self.names, self.example, self.remedy = (), ABSENT, FixFirst(path)

    def below(self, prefix: Path) -> Finding:
        """The same finding, seen from further up: `prefix` leads to where its paths begin."""
        if not prefix:
            return self
        finding = Finding(
            prefix + self.path, self.rule, got=self.got, names=self.names, expected=self.expected,
            example=self.example, owner=self.owner,
            related=tuple((prefix + path, note) for path, note in self.related),
            remedy=None if self.remedy is None else self.remedy.below(prefix),
        )  # fmt: skip
        finding.taken = self.taken
        finding._meant = self._meant
        return finding

    def message(self) -> str:
        """The template of section 7.3, filled in, nothing more."""
        template, _ = MESSAGES[self.code]
        before, brace, rest = template.partition("{")
        if not brace:
            return template
        placeholder, _, after = rest.partition("}")
        return before + self._filled(placeholder) + after

    def _filled(self, placeholder: str) -> str:
        if placeholder == "prop":
            return property_name(self.path)
        if placeholder == "blockType":
            return self.owner
        return self.got if isinstance(self.got, str) else _as_json(self.got)

    def hint(self) -> str:
        """The gist of section 7.3, then what helps to mend this very fault (docs/decisions.md, section 3)."""
        if not self._hint:
            _, gist = MESSAGES[self.code]
            self._hint = " ".join([gist, *_help(self)])
        return self._hint

    def to_item(self) -> dict[str, str]:
        """The item of ``errors[]`` (specification, section 2.5)."""
        return {
            "path": format_path(self.path),
            "code": self.code,
            "message": self.message(),
            "hint": self.hint(),
        }


def _help(finding: Finding) -> Iterable[str]:
    """The sentences of a hint after the gist: what is expected, what is allowed, what was received."""
    more = RULE_HINTS.get(finding.rule)
    if more and finding.owner:
        yield more.format(owner=finding.owner)
    if finding.expected:
        yield f"Expected {finding.expected}."
    if finding.names:
        listed = [_quote(name) for name in finding.names[:MAX_LISTED]]
        rest = len(finding.names) - len(listed)
        yield f"Allowed: {', '.join(listed)}{f' and {rest} more' if rest else ''}."
    if finding.example is not ABSENT and finding.meant() is None:
        yield f"For example {_example(finding)}."
    if finding.remedy is not None:
        yield finding.remedy.sentence(finding.taken, finding.given or Given())
    for path, note in finding.related:
        if note == FIRST_USED:
            yield f"First used at {format_path(path)}."
    if finding.got is ABSENT:
        return
    wanted = finding.meant()
    meant = f"; did you mean {_quote(wanted)}?" if wanted is not None else "."
    yield f"Got {shorten(_as_json(finding.got))}{meant}"


def _example(finding: Finding) -> str:
    value = _as_json(freed(finding.example, finding.taken, finding.given or Given()))
    name = finding.path[-1] if finding.path else ""
    return f"{_quote(name)}: {value}" if isinstance(name, str) and finding.got is ABSENT else value


def _quote(text: str) -> str:
    return shorten(as_json(text), MAX_SHOWN + 26)


def _as_json(value: object) -> str:
    return "" if value is ABSENT else as_json(value)


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """`text`, cut to `limit` characters, the last of which is then an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
