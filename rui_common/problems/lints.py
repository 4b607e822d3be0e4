"""All warnings. A new one is a class in a module of this package, and a line here."""

from rui_common.problems import api, document
from rui_common.problems.finding import Lint, LintRule
from rui_common.problems.further import NotHere, NotHidden, NotShown, PartOfText
from rui_common.problems.names import RepeatedLink
from rui_common.problems.suggested import EmptySuggestedList, NoOptionValue, RepeatedOption, UnknownValue, UnusedValue
from rui_common.problems.texts import (
    Fragment,
    HostInPath,
    KeyPath,
    LostCharacter,
    Markup,
    PathCharacter,
    Placeholder,
    Template,
    TextLint,
    UnfilledPath,
)

TEXT_LINTS: tuple[type[TextLint], ...] = (
    Placeholder,
    LostCharacter,
    Template,
    Markup,
    UnfilledPath,
    HostInPath,
    Fragment,
    PathCharacter,
    KeyPath,
)
"""The lints of texts, in the order in which they are searched: the first one that is found counts."""

_OTHER_LINTS: tuple[type[Lint], ...] = (
    RepeatedLink,
    NotShown,
    PartOfText,
    NotHidden,
    NotHere,
    UnknownValue,
    UnusedValue,
    EmptySuggestedList,
    NoOptionValue,
    RepeatedOption,
)

_LINT_RULES: tuple[LintRule, ...] = (
    document.DUPLICATE_KEY,
    *(lint.about for lint in TEXT_LINTS),
    *(lint.about for lint in _OTHER_LINTS),
    document.TOO_LARGE,
    api.UNKNOWN_PATH,
    api.UNKNOWN_VALUE_PATH,
    api.NOT_SCALAR,
    api.NOT_LIST,
    api.UNKNOWN_FIELD,
    api.UNKNOWN_OPTION,
    api.WRONG_FORM,
)

WARNINGS = {rule.code: rule for rule in _LINT_RULES}
"""What each warning is about, by code, in the order of the documentation."""
