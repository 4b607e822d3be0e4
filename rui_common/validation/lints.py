"""Doubtful values, which are valid (docs/decisions.md, section 3). The validator finds them in its walk."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from rui_common.json_values import JsonObject
from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.suggest import SearchBudget, nearest, squash
from rui_common.syntax.paths import Path
from rui_common.validation.findings import ABSENT
from rui_common.validation.meant import MAX_UNKNOWN, has_type, holds_content, renames, value_meant
from rui_common.validation.wording import listed
from rui_common.vocabulary import rules
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape

MAX_WORK = 5_000  # letters and letter pairs that are compared at most to find misspelt properties of one document
MAX_OF_OPEN_OBJECTS = 1_000  # lints of a document from which no more are searched in open objects; bounds the time
MAX_PATH = 4_000  # characters of a path in which parts to be filled in are searched, and that are corrected

_TEMPLATE = re.compile(r"\{\{|\$\{|\{%|<%|(?<![\w$?&])\$[A-Za-z_]")
"""What marks a template in other systems: ``{{ name }}``, ``${name}``, ``{% if %}``, ``<%= name %>`` and ``$name``,
but no query such as ``?$top=5``."""

_TEMPLATE_IN_LABEL = re.compile(r"\{\{|\$\{|\{%|<%")
"""The same without ``$name``: labels name currencies and shares, such as ``$M``."""

_LOST = "\ufffd"
"""What programs write in place of bytes that they cannot read, as of a Latin-1 file that they read as UTF-8."""

_ESCAPED_LOST = re.compile(r"\\u[fF]{3}[dD]")

_SIMPLE_PATH = re.compile(r"""/(?!/)[^\x00-\x20\x7f"#$%:<>\[\\^`{|}]*""")
"""Matches most paths. None of them has a lint."""

_UNFILLED = re.compile(
    r"""
    \{ [?&;./+]? [\w.,*-]* \}          # {id}, {?page}: OpenAPI, RFC 6570
    | \$ \( [^()/]* \)                 # $(name)
    | < [^<>/]* >                      # <id>
    | %7B [^%/]* %7D                   # {id}, percent-encoded
    | (?<=[/=]) : [A-Za-z_]\w* (?=[/?&\#]|$)  # :id, but no verb such as /orders:cancel
    | (?<=/) \[ [^\[\]/]* \] (?=[/?\#]|$)     # [id]
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A part of a path that other systems replace by a value."""

_HOST = re.compile(r"//[^/?#]*|/[a-z][a-z0-9+.-]*:/+[^/?#]*", re.IGNORECASE)
"""The host at the start of a path: ``//host``, or ``/https://host``."""

_NO_PATH_CHARACTER = re.compile(r"""[\x00-\x20\x7f"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})""")
"""What a path contains percent-encoded only (RFC 3986). Other characters than ASCII are encoded by every client."""

_KEY_PATH = re.compile(r"[./\[\]]|^\$|^\s|\s\Z|^\Z")
"""What the name of one property hardly contains: the marks of paths, and white space around it."""


class Lint(NamedTuple):
    """A doubtful value."""

    node: Node  # the object or array that contains it
    step: str | int  # its key or index
    code: str  # the code of the warning
    value: str = ""  # the part of the value, or the name, that the message repeats
    # the declaration of the property; of an unknown one, that which is probably meant; None for an element
    prop: Prop | None = None
    meant: str = ""  # the value, or the name of the property, that is probably meant; or ``""``
    is_certain: bool = False  # whether no other value can be meant
    advice: str = ""  # what the hint adds

    @property
    def path(self) -> Path:
        return (*self.node.path, self.step)


_TWO_BRACES = re.compile(r"\{\{")  # takes half of the time of ``"{{" in text``, as JSON has many single braces


class TextLint(NamedTuple):
    """The lint of a text; see `Lint` for the attributes."""

    code: str
    value: str
    meant: str = ""
    is_certain: bool = False


Check = Callable[[str], TextLint | None]  # returns the lint of a text, or None if it has none


# Texts ----------------------------------------------------------------------------------------------------------------


def may_have_templates(text: str) -> bool:
    """Return whether the text of a document may contain templates, perhaps in escapes.

    Most documents have none: searching the whole text once takes less time than searching each label. JSON has none of
    these characters outside of strings.
    """
    return "\\" in text or "$" in text or "%" in text or _TWO_BRACES.search(text) is not None


def may_have_lost_characters(text: str) -> bool:
    """Return whether the text of a document contains U+FFFD, perhaps in escapes."""
    return _LOST in text or ("\\" in text and _ESCAPED_LOST.search(text) is not None)


@cache
def _text_checks(
    shape: Shape, may_have_templates: bool, may_have_lost_characters: bool
) -> tuple[tuple[str, Prop, Check | None], ...]:
    """Return the properties whose texts may have lints: name, declaration and check."""
    checks: dict[Role | None, Check | None] = {Role.ENDPOINT: _lint_path, Role.FIELD: _lint_key}
    if may_have_templates:
        checks |= {Role.CONTENT: _lint_content, Role.LABEL: _lint_label, Role.DESCRIPTION: _lint_label}
    if may_have_lost_characters:
        shown = (*checks, Role.CONTENT, Role.LABEL, Role.DESCRIPTION, Role.OPTION)
        checks = {role: partial(_lint_lost, checks.get(role)) for role in shown}
    return tuple(
        (prop.name, prop, checks.get(prop.role))
        for prop in shape.all_props
        if prop.kind.json_type == "string" and not prop.kind.values
    )


def _lint_lost(other_check: Check | None, text: str) -> TextLint | None:
    """Return the lint of a text that has lost a character, which names it from the word with that on; else another."""
    lost = text.find(_LOST)
    if lost >= 0:
        return TextLint(rules.LOST_CHARACTER, text[text.rfind(" ", 0, lost) + 1 :])
    return other_check and other_check(text)


def _lint_path(text: str) -> TextLint | None:
    if _SIMPLE_PATH.fullmatch(text):
        return None
    template = _lint_content(text)
    if template is not None:
        return template
    if not text.startswith("/"):
        return None  # The validator reports an error.
    unfilled = next((match for match in _UNFILLED.finditer(text, 0, MAX_PATH) if _is_unfilled(text, match)), None)
    if unfilled is not None:
        return TextLint(rules.UNFILLED_PATH, unfilled[0])
    return _lint_address(text)


def _lint_address(text: str) -> TextLint | None:
    host = _HOST.match(text)
    if host is not None:
        path = f"/{text[host.end() :].removeprefix('/')}"
        return TextLint(rules.HOST_IN_PATH, host[0], path)
    if "#" in text:
        return TextLint(rules.FRAGMENT, text[text.index("#") :])
    wrong = _NO_PATH_CHARACTER.search(text)
    if wrong is None:
        return None
    if len(text) > MAX_PATH:
        return TextLint(rules.PATH_CHARACTER, _character(wrong[0]))
    encoded = _NO_PATH_CHARACTER.sub(lambda match: f"%{ord(match[0]):02X}", text.strip())
    return TextLint(rules.PATH_CHARACTER, _character(wrong[0]), encoded, is_certain=True)


def _is_unfilled(text: str, match: re.Match[str]) -> bool:
    """Return whether a part of a path looks as if a value replaced it: in the query only the whole of a value."""
    is_in_query = "?" in text[: match.start()]
    return not is_in_query or (text[match.start() - 1] in "=&" and text[match.end() : match.end() + 1] in "&#")


def _character(mark: str) -> str:
    if not mark.isprintable():
        return "a control character"
    return {" ": "a space", "%": '"%" without two hexadecimal digits', '"': '`"`'}.get(mark, f'"{mark}"')


def _lint_key(text: str) -> TextLint | None:
    if text.isidentifier():  # as nearly all are
        return None
    template = _lint_content(text)
    if template is not None:
        return template
    if _KEY_PATH.search(text) is None:
        return None
    name = text.strip().removeprefix("$.")
    if not name or name == text or _KEY_PATH.search(name) is not None:
        name = ""
    return TextLint(rules.KEY_PATH, text, name, is_certain=bool(name))


def _lint_template(marks: re.Pattern[str], text: str) -> TextLint | None:
    """Return the lint of a text with a mark of a template; it names the text from the first mark on."""
    mark = marks.search(text)
    if mark is None:
        return None
    return TextLint(rules.TEMPLATE, text[mark.start() :])


_lint_content = partial(_lint_template, _TEMPLATE)
_lint_label = partial(_lint_template, _TEMPLATE_IN_LABEL)


# Open objects -------------------------------------------------------------------------------------------------


@cache
def _parts_of_texts(shape: Shape) -> dict[str, Prop]:
    """Return what other systems call a part of a text → the suggested property with the text."""
    return {word: prop for prop in shape.suggested.values() for word in prop.includes.split()}


@cache
def declared(shape: Shape) -> frozenset[str]:
    return frozenset(prop.name for prop in shape.all_props)


@cache
def _option_prop(kind: Kind) -> Prop | None:
    """Return the property with the value of an option, if the elements of a list are options."""
    return next((prop for shape in kind.inner_shapes for prop in shape.props_with_role(Role.OPTION)), None)


def _unused_value(node: Node, step: str | int, value: object, kind: Kind, prop: Prop | None) -> Lint:
    if kind.values and isinstance(value, str):
        meant = value_meant(value, kind)
        if meant is None:
            return Lint(node, step, rules.UNKNOWN_VALUE, value, prop, advice=f"Allowed: {listed(kind.values)}.")
        advice = f'Did you mean "{meant.text}"? {meant.advice}'.rstrip()
        return Lint(node, step, rules.UNKNOWN_VALUE, value, prop, meant.text, meant.is_certain, advice)
    expected = kind.form or kind.word
    if kind.values:
        expected = f"one of {listed(kind.values)}"
    return Lint(node, step, rules.UNUSED_VALUE, "", prop, advice=f"Expected {expected}.")


# The document ---------------------------------------------------------------------------------------------------------


class LintFinder:
    """Finds the doubtful values of one document."""

    def __init__(self, *, may_have_templates: bool, may_have_lost_characters: bool) -> None:
        self.lints: list[Lint] = []  # those that were found so far
        self._may_have_templates = may_have_templates
        self._may_have_lost_characters = may_have_lost_characters
        self._budget = SearchBudget(MAX_WORK)
        self._may_mean: dict[tuple[Shape, str], bool] = {}

    @property
    def _is_full(self) -> bool:
        return len(self.lints) >= MAX_OF_OPEN_OBJECTS

    def find_texts(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the doubtful texts of an object; lost characters, and templates in labels, if there may be any."""
        for name, prop, check in _text_checks(shape, self._may_have_templates, self._may_have_lost_characters):
            text = members.get(name)
            if not isinstance(text, str):
                continue
            if prop.is_placeholder(text) and prop.kind.accepts(text):
                self.lints.append(Lint(node, name, rules.PLACEHOLDER, name, prop, advice=prop.doc))
                continue
            found = check and check(text)
            if found is not None:
                self.lints.append(Lint(node, name, found.code, found.value, prop, found.meant, found.is_certain))

    def find_further(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the further properties of an open object that mean an absent suggested one; others are extensions."""
        is_large = len(members) > MAX_UNKNOWN + len(declared(shape))
        if is_large or self._is_full or not self._any_may_mean(members, shape):
            return
        for key, prop, is_certain in renames(node, self._budget):
            is_word = prop.is_called(squash(key))
            if prop.name in shape.suggested and (is_word or has_type(members[key], prop.kind)):
                self.lints.append(Lint(node, key, rules.NOT_SHOWN, key, prop, prop.name, is_certain))
        for key, value in members.items():
            whole = _parts_of_texts(shape).get(squash(key))
            if whole is not None and key not in declared(shape) and holds_content(value):
                self.lints.append(Lint(node, key, rules.PART_OF_TEXT, key, whole, whole.name))

    def _any_may_mean(self, members: JsonObject, shape: Shape) -> bool:
        """Return whether one of the properties may mean a suggested one. Documents have the same few names often."""
        names = declared(shape)
        for key in members:
            if key in names:
                continue
            may_mean = self._may_mean.get((shape, key))
            if may_mean is None:
                word = squash(key)
                props = shape.suggested.values()
                is_word = any(prop.is_called(word) or word in prop.includes.split() for prop in props)
                may_mean = is_word or nearest(key, shape.suggested, self._budget) is not None
                self._may_mean[shape, key] = may_mean
            if may_mean:
                return True
        return False

    def find_suggested(self, node: Node, members: JsonObject, shape: Shape) -> None:
        """Find the suggested properties of an open object whose values no page uses."""
        for name, prop in shape.suggested.items():
            value = members.get(name, ABSENT)
            if value is ABSENT:
                continue
            if not prop.kind.accepts(value):
                if self._is_full:
                    return
                if prop.role is not Role.OPTION or not isinstance(value, int | float):  # a number is compared as it is
                    self.lints.append(_unused_value(node, name, value, prop.kind, prop))
            elif not value and isinstance(value, list):
                self.lints.append(Lint(node, name, rules.EMPTY_LIST, name, prop))

    def find_elements(self, node: Node, values: Sequence[object], kind: Kind, elements: Sequence[Node]) -> None:
        """Find the values of a suggested list that have a wrong type, and the options that an earlier one repeats.

        `elements` are the nodes of the values that are objects.
        """
        left = max(0, MAX_OF_OPEN_OBJECTS - len(self.lints))
        if len(elements) < len(values):
            wrong = ((index, value) for index, value in enumerate(values) if not kind.accepts(value))
            self.lints += [_unused_value(node, index, value, kind, None) for index, value in islice(wrong, left)]
        option = _option_prop(kind)
        if option is None:
            return
        values_before: set[tuple[bool, bool, object]] = set()
        for element in elements:
            value = element.members.get(option.name)
            if not isinstance(value, str | int | float):  # a number is compared as it is
                continue
            compared = (isinstance(value, str), isinstance(value, bool), value)  # 1 is 1.0, and neither true nor a text
            if compared in values_before:
                text = value if isinstance(value, str) else json.dumps(value)
                self.lints.append(Lint(element, option.name, rules.REPEATED_OPTION, text, option))
            values_before.add(compared)

    def find_absent_option(self, node: Node, members: JsonObject, since: int) -> None:
        """Find an option without a value, unless a lint from the index `since` names a property that means it."""
        option = _option_prop(node.kind)
        if option is None or option.name in members or self._is_full:
            return
        if all(lint.prop is not option for lint in self.lints[since:]):
            self.lints.append(Lint(node, option.name, rules.NO_OPTION_VALUE, option.name, option))

    def find_links(self, scopes: Iterable[Scope]) -> None:
        """Find the further uses of names that need one."""
        for scope in scopes:
            if scope.symbol.unused is not None:
                for same in scope.used.values():
                    self.lints += [Lint(name.node, name.step, rules.REPEATED_LINK, name.text) for name in same[1:]]
