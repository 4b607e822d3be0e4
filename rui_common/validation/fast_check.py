"""Shape → a compiled predicate that says "plainly valid" fast, and nothing else.

Most objects of most documents are in order. To find that out by interpreting the vocabulary takes ten times as
long as the JSON reader took to make them. So each shape is written out once as straight Python, compiled, and
asked first; only what it does not accept is walked by the validator, which alone decides and words findings.
A differential test holds the two together: what is accepted here has no finding there.
"""

from __future__ import annotations

from rui_common.codegen import CodeWriter
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

    # Of a list of nodes: the list, how many at its beginning are plainly valid, and from where to where their ids are.
    Step = tuple[list[object], int, int, int]
    # (an object, the list that the ids of its nodes are added to, the list that says how far it came) → whether it is
    # plainly valid
    Check = Callable[[dict[str, object], list[str], list[Step]], bool]

    # a property, the symbol that its value is a name of, and whether it is a use
    Outer = tuple[str, Symbol, bool]

_ABSENT = object()
_ROOT = "value"
_acceptors: dict[Shape, Check | None] = {}
_acceptors_of: dict[NodeKind, tuple[dict[str, Check], Symbol | None]] = {}
_bare: dict[Shape, tuple[Check, tuple[Outer, ...]] | None] = {}


def compile_check(shape: Shape) -> Check | None:
    """The predicate of `shape`, compiled when it is first asked for.

    Returns:
        A function of an object's value and two lists. True means: no rule is broken in the object or anywhere below
        it, what its nodes are called in the whole document aside; their ids, its own first, were added to the first
        list. False means nothing, but that those nodes are plainly valid which the second list has now, and so is all
        else in an object whose list of nodes it has. None if the shape, or one below it, uses names of a wider scope,
        which a look at one object cannot judge.
    """
    if shape not in _acceptors:
        _acceptors[shape] = None  # what a shape that holds itself finds
        _acceptors[shape] = _compile(shape, _Writer())
    return _acceptors[shape]


def compile_check_without_names(shape: Shape) -> tuple[Check, tuple[Outer, ...]] | None:
    """The predicate of `shape` that leaves out which names stand in its own properties, and these properties.

    Returns:
        None if the shape has no such names, or cannot be judged without them.
    """
    if shape not in _bare:
        writer = _Writer(is_bare=True)
        accept = _compile(shape, writer)
        _bare[shape] = (accept, tuple(writer.outer)) if accept is not None and writer.outer else None
    return _bare[shape]


def acceptors_of(kind: NodeKind) -> tuple[dict[str, Check], Symbol | None]:
    """The predicates of the types that are allowed in a place, and what their ids define; None if there is no such."""
    if kind not in _acceptors_of:
        symbols = {shape.props["id"].defines for shape in kind.shapes}
        found = ((shape.name, compile_check(shape)) for shape in kind.shapes)
        accepted = {name: accept for name, accept in found if accept is not None}
        _acceptors_of[kind] = accepted, symbols.pop() if len(symbols) == 1 else None
    return _acceptors_of[kind]


def _compile(shape: Shape, writer: _Writer) -> Check | None:
    try:
        writer.shape(shape, _ROOT, 0)
    except _CannotJudgeError:
        return None
    signature, lines = f"accept({_ROOT}, ids, trail)", [f"    {line}" for line in (*writer.lines, "return True")]
    body = ["try:", *lines, "except KeyError:", "    return False"]
    accept: Check = writer.compiled(signature, body, f"acceptor of {shape.name}")  # type: ignore[assignment]
    return accept


class _CannotJudgeError(Exception):
    """A name belongs to a scope around the shape."""


class _Writer(CodeWriter):
    """Writes the statements that return False as soon as something is not plainly valid.

    Args:
        is_bare: whether texts in properties of the shape itself may be names of a wider scope, which nobody judges.

    Attributes:
        outer: where these names stand.
    """

    def __init__(self, *, is_bare: bool = False) -> None:
        super().__init__()
        self.constants["ABSENT"] = _ABSENT
        self.outer: list[Outer] = []
        self._is_bare = is_bare
        self.lines: list[str] = []
        self._scopes: dict[Symbol, str] = {}

    def shape(self, shape: Shape, value: str, depth: int) -> None:
        """`value` is known to be a dict."""
        names = {symbol: self.variable("names") for symbol in shape.scope}
        self._scopes.update(names)
        for name in names.values():
            self._add(depth, f"{name}, {name}_used = set(), []")
        count = self.variable("count")
        if not shape.open:
            self._add(depth, f"{count} = {len(shape.required)}")
        values = {prop: self._prop(shape, prop, value, count, depth) for prop in shape.props.values()}
        if not shape.open:
            self._refuse(depth, f"len({value}) != {count}")
        for symbol, name in names.items():
            if symbol.dangling:
                self._refuse(depth, f"not {name}.issuperset({name}_used)")
            if symbol.unused:
                self._refuse(depth, f"not {name}.issubset({name}_used)")
        # Nodes come last: where one of them is refused, the object itself is known to be in order.
        for prop, nodes in values.items():
            if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
                if not prop.required:
                    self._add(depth, f"if {nodes} is not ABSENT:")
                self._nodes(prop.kind.items, nodes, self.variable("e"), depth + (not prop.required))

    def _prop(self, shape: Shape, prop: Prop, owner: str, count: str, depth: int) -> str:
        """All of a property but the nodes in it; returns the variable that has its value."""
        value = self.variable("v")
        if prop.required:
            self._add(depth, f"{value} = {owner}[{prop.name!r}]")  # quicker than to ask whether it is there
        else:
            self._add(depth, f"{value} = {owner}.get({prop.name!r}, ABSENT)")
            self._add(depth, f"if {value} is not ABSENT:")
            depth += 1
            if not shape.open:
                self._add(depth, f"{count} += 1")
        self._kind(prop.kind, value, depth)
        self._symbols(shape, prop, owner, value, depth)
        return value

    def _kind(self, kind: Kind, value: str, depth: int) -> None:
        conditions = kind.refusals(value, self.constant)
        if conditions:
            self._refuse(depth, " or ".join(conditions))
        if isinstance(kind, ObjectKind):
            self.shape(kind.shape, value, depth)
        elif isinstance(kind, ListKind) and not isinstance(kind.items, NodeKind):
            element, start = self.variable("e"), len(self.lines)
            self._kind(kind.items, element, depth + 1)
            if len(self.lines) > start:
                self.lines.insert(start, "    " * depth + f"for {element} in {value}:")
        elif isinstance(kind, NodeKind):
            raise _CannotJudgeError  # only nodes in lists are compiled

    def _nodes(self, kind: NodeKind, values: str, value: str, depth: int) -> None:
        if kind.defines is not None:
            raise _CannotJudgeError
        start, index, here = self.variable("start"), self.variable("index"), self.variable("here")
        left = f"trail.append(({values}, {index}, {start}, {here}))"
        self._add(depth, f"{start} = len(ids)")
        self._add(depth, f"for {index}, {value} in enumerate({values}):")
        depth += 1
        self._add(depth, f"{here} = len(ids)")
        given = self.variable("type")
        self._add(depth, f"{given} = {value}.get('type') if type({value}) is dict else None")
        word = "if"
        for shape in kind.shapes:
            accept = compile_check(shape)
            if accept is None:
                raise _CannotJudgeError
            self._add(depth, f"{word} {given} == {shape.name!r}:")
            self._add(depth + 1, f"if {self.constant('accept', accept)}({value}, ids, trail): continue")
            word = "elif"
        self._add(depth, left)
        self._add(depth, "return False")

    def _symbols(self, shape: Shape, prop: Prop, owner: str, value: str, depth: int) -> None:
        for symbol, used in ((prop.defines, False), (prop.uses, True)):
            if symbol is None:
                continue
            if shape.is_node and prop.name == "id":
                self._add(depth, f"ids.append({value})")
                continue
            if self._is_bare and owner == _ROOT and symbol not in self._scopes and prop.kind.json_type == "string":
                self.outer.append((prop.name, symbol, used))
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
