"""Shape → a compiled predicate that says "plainly valid" fast, and nothing else.

Most objects of most documents are in order. To find that out by interpreting the vocabulary takes ten times as
long as the JSON reader took to make them. So each shape is written out once as straight Python, compiled, and
asked first; only what it does not accept is walked by the validator, which alone decides and words findings.
A differential test holds the two together: what is accepted here has no finding there.
"""

from __future__ import annotations

from rui_common.declarations import AnyValue, ListOf, NodeOf, ObjectOf, OneOf, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.declarations import Kind, Prop, Shape, Symbol

    # (an object, the list that the ids of its nodes are added to) → whether it is plainly valid
    Acceptor = Callable[[dict[str, object], list[str]], bool]

_ABSENT = object()
_acceptors: dict[Shape, Acceptor | None] = {}


def acceptor(shape: Shape) -> Acceptor | None:
    """The predicate of `shape`, compiled when it is first asked for.

    Returns:
        A function of an object's value and a list. True means: no rule is broken in the object or anywhere below
        it, what its nodes are called in the whole document aside; their ids, its own first, were added to the list.
        False means nothing, for the list neither. None if the shape, or one below it, uses names of a wider
        scope, which a look at one object cannot judge.
    """
    if shape not in _acceptors:
        _acceptors[shape] = None  # what a shape that holds itself finds
        _acceptors[shape] = _compile(shape)
    return _acceptors[shape]


def _compile(shape: Shape) -> Acceptor | None:
    writer = _Writer()
    try:
        writer.shape(shape, "value", 1)
    except _CannotJudgeError:
        return None
    source = "\n".join(["def accept(value, ids):", *writer.lines, "    return True"])
    namespace: dict[str, object] = {"ABSENT": _ABSENT, **writer.constants}
    exec(compile(source, f"<acceptor of {shape.name}>", "exec"), namespace)  # noqa: S102  our own declarations
    accept: Acceptor = namespace["accept"]  # type: ignore[assignment]
    return accept


class _CannotJudgeError(Exception):
    """A name belongs to a scope around the shape."""


class _Writer:
    """Writes the statements that return False as soon as something is not plainly valid."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: dict[str, object] = {}
        self._scopes: dict[Symbol, str] = {}
        self._variables = 0

    def shape(self, shape: Shape, value: str, depth: int) -> None:
        """`value` is known to be a dict."""
        names = {symbol: self._variable("names") for symbol in shape.scope}
        self._scopes.update(names)
        for name in names.values():
            self._add(depth, f"{name}, {name}_used = set(), []")
        count = self._variable("count")
        if not shape.open:
            self._add(depth, f"{count} = {len(shape.required)}")
        for prop in shape.props.values():
            self._prop(shape, prop, value, count, depth)
        if not shape.open:
            self._refuse(depth, f"len({value}) != {count}")
        for symbol, name in names.items():
            if symbol.dangling:
                self._refuse(depth, f"not {name}.issuperset({name}_used)")
            if symbol.unused:
                self._refuse(depth, f"not {name}.issubset({name}_used)")

    def _prop(self, shape: Shape, prop: Prop, owner: str, count: str, depth: int) -> None:
        value = self._variable("v")
        if prop.required:
            if isinstance(prop.kind, AnyValue):
                self._refuse(depth, f"{prop.name!r} not in {owner}")
            self._add(depth, f"{value} = {owner}.get({prop.name!r})")
        else:
            self._add(depth, f"{value} = {owner}.get({prop.name!r}, ABSENT)")
            self._add(depth, f"if {value} is not ABSENT:")
            depth += 1
            if not shape.open:
                self._add(depth, f"{count} += 1")
        self._kind(prop.kind, value, depth)
        self._symbols(shape, prop, value, depth)

    def _kind(self, kind: Kind, value: str, depth: int) -> None:
        if isinstance(kind, OneOf):
            self._refuse(depth, " and ".join(f"{value} != {allowed!r}" for allowed in kind.values))
        elif isinstance(kind, Text):
            self._refuse(depth, f"type({value}) is not str")
            if kind.max_length is not None:
                self._refuse(depth, f"len({value}) > {kind.max_length}")
            if kind.matches is not None:
                self._refuse(depth, f"{self._constant('matches', kind.matches)}({value}) is None")
        elif isinstance(kind, ObjectOf):
            self._refuse(depth, f"type({value}) is not dict")
            self.shape(kind.shape, value, depth)
        elif isinstance(kind, ListOf):
            self._refuse(depth, f"type({value}) is not list or not {value}")
            if not isinstance(kind.items, AnyValue):
                element = self._variable("e")
                self._add(depth, f"for {element} in {value}:")
                self._kind(kind.items, element, depth + 1)
        elif isinstance(kind, NodeOf):
            self._node(kind, value, depth)

    def _node(self, kind: NodeOf, value: str, depth: int) -> None:
        if kind.defines is not None:
            raise _CannotJudgeError
        self._refuse(depth, f"type({value}) is not dict")
        given = self._variable("type")
        self._add(depth, f"{given} = {value}.get('type')")
        word = "if"
        for shape in kind.shapes:
            accept = acceptor(shape)
            if accept is None:
                raise _CannotJudgeError
            self._add(depth, f"{word} {given} == {shape.name!r}:")
            self._refuse(depth + 1, f"not {self._constant('accept', accept)}({value}, ids)")
            word = "elif"
        self._add(depth, "else: return False")

    def _symbols(self, shape: Shape, prop: Prop, value: str, depth: int) -> None:
        for symbol, used in ((prop.defines, False), (prop.uses, True)):
            if symbol is None:
                continue
            if shape.is_node and prop.name == "id":
                self._add(depth, f"ids.append({value})")
                continue
            if symbol not in self._scopes:
                raise _CannotJudgeError
            name = self._scopes[symbol]
            if used:
                self._add(depth, f"{name}_used.append({value})")
            else:
                if symbol.duplicate:
                    self._refuse(depth, f"{value} in {name}")
                self._add(depth, f"{name}.add({value})")

    def _refuse(self, depth: int, condition: str) -> None:
        self._add(depth, f"if {condition}: return False")

    def _add(self, depth: int, statement: str) -> None:
        self.lines.append("    " * depth + statement)

    def _variable(self, stem: str) -> str:
        self._variables += 1
        return f"{stem}{self._variables}"

    def _constant(self, stem: str, value: object) -> str:
        name = self._variable(stem)
        self.constants[name] = value
        return name
