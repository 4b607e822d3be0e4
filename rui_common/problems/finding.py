"""A finding: something that is wrong, or doubtful, at a key or index of a node. Its class is the problem."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from rui_common.json_values import as_json
from rui_common.nodes.node import Node
from rui_common.problems.suggestion import GIST, Sentence, Suggestion
from rui_common.syntax.paths import Path, format_path, property_name
from rui_common.texts import shorten
from rui_common.vocabulary.rules import HINTS_IN_PLACE, MESSAGES, RULES
from rui_common.vocabulary.schema import Kind, Prop, Shape
from rui_common.vocabulary.signatures import inlined, nodes_below

MAX_IN_MESSAGE = 200  # maximum length of a value in a message (docs/decisions.md, section 3)

ABSENT = object()  # the value of a property that is absent


class Finding(ABC):
    """One problem at one path. Each problem is a class: when it is found, what it says, and what it suggests."""

    marks_key: ClassVar[bool] = False  # whether its range in the text is the key, not the value
    note: ClassVar[str] = ""  # the note at the related places (docs/decisions.md, section 7)
    needs_owner: ClassVar[bool] = False  # whether the signature of the object around it explains it

    def __init__(
        self,
        node: Node,
        step: str | int,
        rule: str,
        got: object = ABSENT,
        kind: Kind | None = None,
        advice: str = "",
    ) -> None:
        self.node = node  # the object or array around the problem
        self.step = step  # the key or index of the problem in `node`
        self.rule = rule  # the number of the rule, such as ``R7b``; ``""`` for a warning
        self.got = got  # the value there, or `ABSENT`; for a node of a wrong type that type
        self.kind = kind  # the kind of value that is expected; None for unknown properties
        # what the vocabulary says about a value of other systems, or a base about a node; or ``""``
        self.advice = advice
        # what can be done about a root that is no RUI, in place of `suggestions`; only if the root has unknown keys
        self.about_root: tuple[Suggestion, ...] = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({format_path(self.path)!r}, {self.rule or self.code!r})"

    @property
    def path(self) -> Path:
        """The path (docs/decisions.md, section 2)."""
        return (*self.node.path, self.step)

    @property
    def code(self) -> str:
        """The error code of section 7.2, or that of the warning."""
        return RULES[self.rule].code

    @property
    def shape(self) -> Shape | None:
        """The shape of the object that has, or lacks, the property; None for elements of lists."""
        return self.node.shape

    @property
    def prop(self) -> Prop | None:
        """The declaration of the property; None for elements of lists and unknown properties."""
        return self.node.prop_of(self.step)

    @property
    def related(self) -> tuple[Path, ...]:
        """The paths of other places that explain it; see `note`."""
        return ()

    # What it says

    @property
    def message(self) -> str:
        """The message template of section 7.3 with its placeholder replaced."""
        before, _, rest = MESSAGES[self.code][0].partition("{")
        placeholder, _, after = rest.partition("}")
        if not placeholder:
            return before
        return before + shorten(self._replacement(placeholder), MAX_IN_MESSAGE) + after

    @property
    def message_values(self) -> tuple[str, ...]:
        """The values in its message, without the name of its place, which changes when a part moves."""
        placeholder = MESSAGES[self.code][0].partition("{")[2].partition("}")[0]
        return () if placeholder in {"", "prop"} else (self._replacement(placeholder),)

    def _replacement(self, placeholder: str) -> str:
        if placeholder == "prop":
            return property_name(self.path)
        if placeholder == "blockType":
            return "" if self.shape is None else self.shape.name
        if isinstance(self.got, str):
            return self.got
        if self.got is ABSENT:
            return ""
        return as_json(self.got)

    @property
    def opening(self) -> str:
        """The gist of section 7.3, with which the hint begins."""
        return HINTS_IN_PLACE.get(self.rule, MESSAGES[self.code][1])

    @property
    def first_sentence(self) -> Sentence:
        """The opening, and what later hints of an answer have in its place."""
        return Sentence(self.opening)

    def sentences(self) -> list[Sentence]:
        """Return the hint: its opening, then the sentences of the suggestions."""
        sentences = [suggestion.sentence for suggestion in self.about_root or self.suggestions()]
        return [
            self.first_sentence,
            *(sentence for sentence in sentences if sentence is not None and sentence is not GIST),
        ]

    @property
    def hint(self) -> str:
        """How to fix it, without signatures."""
        return " ".join([sentence.text for sentence in self.sentences()])

    def explained_by(self) -> list[Shape]:
        """Return the shapes whose signatures explain it, that of the object around it first."""
        if any(suggestion.is_enough for suggestion in self.about_root):
            return []
        shapes = [self.shape] if self.needs_owner and self.shape is not None else []
        if self.kind is None:
            return shapes
        in_owner = [part for shape in shapes for part in inlined(shape)]
        parts = [shape for shape in self.kind.inner_shapes if not shape.is_node and shape not in in_owner]
        return list(dict.fromkeys([*shapes, *parts, *nodes_below(self.kind)]))

    # What it suggests

    @abstractmethod
    def suggestions(self) -> Iterator[Suggestion]:
        """Yield what the hint says can be done, the likeliest first, and the facts that help to decide."""

    def alternatives(self) -> Iterator[Suggestion]:
        """Yield further fixes, which the hint does not mention. They are computed only if fixes are requested."""
        return iter(())


class LintRule(NamedTuple):
    """What a warning is about. HTTP responses have it on request (docs/decisions.md, section 3)."""

    code: str
    condition: str  # the condition under which it is reported
    message: str  # the template of the message
    hint: str  # how to fix it
    why: str  # the reason for the warning, in a sentence or two
    # an example as JSON text, or ``""``: the root, a block, a binding, a column, a filter or an option
    wrong: str = ""
    right: str = ""  # the fixed example
    # whether it is reported only if there is an OpenAPI description (docs/decisions.md, section 10)
    needs_api: bool = False
    is_about_size: bool = False  # whether it is about a size that a service refuses

    @property
    def is_in_answers(self) -> bool:
        """Whether an answer over HTTP may have it. A service has no description of an API."""
        return not self.needs_api and not self.is_about_size

    def message_with(self, **values: str) -> str:
        """Return the message with the values of its placeholders, which are cut if they are long."""
        return self.message.format(**{name: shorten(value, MAX_IN_MESSAGE) for name, value in values.items()})


class Lint(Finding):
    """A finding about a valid value: a warning.

    Its words are those of `about`. It has no fix unless its class yields one.
    """

    about: LintRule

    def __init__(self, node: Node, step: str | int, got: object = ABSENT) -> None:
        super().__init__(node, step, "", got)

    @property
    def code(self) -> str:
        return self.about.code

    @property
    def message(self) -> str:
        return self.about.message_with(**self.values())

    @property
    def message_values(self) -> tuple[str, ...]:
        return tuple(value for name, value in self.values().items() if name != "prop")

    def values(self) -> Mapping[str, str]:
        """Return the values of the placeholders in its message."""
        return {"prop": property_name(self.path)}

    @property
    def opening(self) -> str:
        return self.about.hint

    def suggestions(self) -> Iterator[Suggestion]:
        return iter(())
