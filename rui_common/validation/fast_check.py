"""Shape → compiled predicate that accepts valid objects.

Most objects of most documents are valid. Interpreting the vocabulary to find that out takes ten times as long as
reading the JSON. So the predicate of each shape is generated as straight-line Python and called first. The validator
only visits objects that it refuses, and alone decides and words findings. A test compares the two.
"""

from __future__ import annotations

from functools import cache

from rui_common.codegen import CodeWriter
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.syntax.paths import Path
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

    Check = Callable[[dict[str, object], list[str], "list[ValidPrefix]"], bool]
    PropCheck = Callable[[dict[str, object], dict[Symbol, tuple[Scope, Path]]], list[Prop]]

_ABSENT = object()
_ROOT = "value"


class ValidPrefix:
    """The first elements of a list, which a check has accepted before it refused an element.

    Attributes:
        values: the list.
        count: the number of valid elements at its start.
        first_id, end_id: the slice of the ids that they define.
    """

    __slots__ = ("count", "end_id", "first_id", "values")

    def __init__(self, values: list[object], count: int, first_id: int, end_id: int) -> None:
        self.values = values
        self.count = count
        self.first_id = first_id
        self.end_id = end_id


class NodeChecks:
    """The checks of the node types that are allowed at a path.

    Attributes:
        by_type: the checks that exist.
        symbol: the symbol that the ids define; None if the types differ.
    """

    __slots__ = ("by_type", "symbol")

    def __init__(self, by_type: dict[str, Check], symbol: Symbol | None) -> None:
        self.by_type = by_type
        self.symbol = symbol

    def of(self, node_type: object) -> Check | None:
        """Return the check of a type, which may be any JSON value."""
        if not isinstance(node_type, str):
            return None
        return self.by_type.get(node_type)


@cache
def compile_check(shape: Shape) -> Check | None:
    """Return the predicate of a shape.

    Returns:
        A function `check(value, ids, partial)`. It returns True if the object and everything below it is valid,
        except that ids are not checked for uniqueness across the document. It appends the ids to `ids`, its own
        first. If it returns False, `partial` lists the child lists whose first elements are valid; the object that
        contains such a list is valid apart from the list.

        None if the shape contains itself, or uses names of an outer scope.
    """
    if shape.contains_itself:
        return None
    return _compile(shape, _CheckWriter())


@cache
def compile_value_check(kind: Kind) -> Callable[[object], bool] | None:
    """Return a predicate for values without nodes.

    Returns:
        A function that returns True if the value and everything in it is valid, except that names of scopes around it
        (see `outer_names`) are not checked. None if the value contains nodes.
    """
    writer = _CheckWriter(checks_outer_names=False)
    try:
        writer.kind(kind, _ROOT, 0)
    except _UnsupportedError:
        return None
    check: Callable[[object], bool] = _function(writer, f"check({_ROOT})", kind.notation())  # type: ignore[assignment]
    return check


@cache
def compile_prop_check(shape: Shape) -> PropCheck:
    """Return a function that finds the properties of an object that have to be validated.

    It takes an object and the scopes around its properties. It returns the properties that are required and absent, and
    those whose value may be wrong, contains nodes, or contains names that may be inconsistent.
    """
    writer = CodeWriter()
    writer.constants["ABSENT"] = _ABSENT
    lines = ["refused = []"]
    for prop in shape.props.values():
        refuse = f"    refused.append({writer.constant('prop', prop)})"
        lines.append(f"value = owner.get({prop.name!r}, ABSENT)")
        lines.append("if value is ABSENT:")
        lines.append(refuse if prop.required else "    pass")
        conditions = _prop_conditions(prop, writer)
        if conditions:
            lines += [f"elif {' or '.join(conditions)}:", refuse]
    lines.append("return refused")
    check: PropCheck = writer.compile_function("refused(owner, scopes)", lines, f"properties of {shape.name}")  # type: ignore[assignment]
    return check


def _prop_conditions(prop: Prop, writer: CodeWriter) -> list[str]:
    """Return the conditions under which ``value`` has to be validated."""
    if prop.kind.scalar_type is not None:
        conditions = prop.kind.refusals("value", writer.constant)
    else:
        check = compile_value_check(prop.kind)
        if check is None:
            return ["True"]
        conditions = [f"not {writer.constant('check', check)}(value)"]
    for symbol, is_use in (*_names_of(prop), *outer_names(prop.kind)):
        name = writer.constant("symbol", symbol)
        conditions.append(f"{name} not in scopes or not scopes[{name}][0].is_consistent({name}, is_use={is_use})")
    return conditions


@cache
def outer_names(kind: Kind) -> tuple[tuple[Symbol, bool], ...]:
    """Return the symbol of each name in a value without nodes whose scope is around the value, and if it is a use."""
    names: list[tuple[Symbol, bool]] = []
    for shape in kind.inner_shapes:
        for prop in shape.props.values():
            names += [name for name in (*_names_of(prop), *outer_names(prop.kind)) if name[0] not in shape.scope]
    return tuple(dict.fromkeys(names))


def _names_of(prop: Prop) -> list[tuple[Symbol, bool]]:
    return [(symbol, is_use) for symbol, is_use in ((prop.defines, False), (prop.uses, True)) if symbol is not None]


@cache
def node_checks(kind: NodeKind) -> NodeChecks:
    """Return the checks of the node types of a kind."""
    symbols = {shape.props["id"].defines for shape in kind.shapes}
    by_type = {}
    for shape in kind.shapes:
        check = compile_check(shape)
        if check is not None:
            by_type[shape.name] = check
    return NodeChecks(by_type, symbols.pop() if len(symbols) == 1 else None)


class _UnsupportedError(Exception):
    """The shape uses a name of an outer scope, or has a node outside of a list."""


def _compile(shape: Shape, writer: _CheckWriter) -> Check | None:
    try:
        writer.shape(shape, _ROOT, 0)
    except _UnsupportedError:
        return None
    check: Check = _function(writer, f"check({_ROOT}, ids, partial)", shape.name)  # type: ignore[assignment]
    return check


def _function(writer: _CheckWriter, signature: str, title: str) -> object:
    lines = [f"    {line}" for line in (*writer.lines, "return True")]
    body = ["try:", *lines, "except KeyError:", "    return False"]
    return writer.compile_function(signature, body, f"check of {title}")


class _CheckWriter(CodeWriter):
    """Writes statements that return False at the first violation.

    Args:
        checks_outer_names: whether a name of a scope around the value is unsupported, rather than ignored.
    """

    def __init__(self, *, checks_outer_names: bool = True) -> None:
        super().__init__()
        self._checks_outer_names = checks_outer_names
        self.constants["ABSENT"] = _ABSENT
        self.constants["ValidPrefix"] = ValidPrefix
        self.lines: list[str] = []
        self._scopes: dict[Symbol, str] = {}

    def shape(self, shape: Shape, value: str, depth: int) -> None:
        """Write the check of a value that is a dict."""
        names = {symbol: self.variable("names") for symbol in shape.scope}
        self._scopes.update(names)
        for name in names.values():
            self._add(depth, f"{name} = set()")
            self._add(depth, f"{name}_used = []")
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
        # Lists of nodes come last: if an element is refused, the object itself is valid.
        for prop, nodes in values.items():
            if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
                if prop.required:
                    self._nodes(prop.kind.items, nodes, depth)
                else:
                    self._add(depth, f"if {nodes} is not ABSENT:")
                    self._nodes(prop.kind.items, nodes, depth + 1)

    def _prop(self, shape: Shape, prop: Prop, owner: str, count: str, depth: int) -> str:
        """Write the check of a property without the nodes in it. Return the variable with its value."""
        value = self.variable("value")
        if prop.required:
            self._add(depth, f"{value} = {owner}[{prop.name!r}]")  # a KeyError is rarer than a test is slow
        else:
            self._add(depth, f"{value} = {owner}.get({prop.name!r}, ABSENT)")
            self._add(depth, f"if {value} is not ABSENT:")
            depth += 1
            if not shape.open:
                self._add(depth, f"{count} += 1")
        self.kind(prop.kind, value, depth)
        self._names(shape, prop, value, depth)
        return value

    def kind(self, kind: Kind, value: str, depth: int) -> None:
        """Write the check of a value."""
        conditions = kind.refusals(value, self.constant)
        if conditions:
            self._refuse(depth, " or ".join(conditions))
        if isinstance(kind, ObjectKind):
            self.shape(kind.shape, value, depth)
        elif isinstance(kind, ListKind) and not isinstance(kind.items, NodeKind):
            element = self.variable("element")
            loop = len(self.lines)
            self.kind(kind.items, element, depth + 1)
            if len(self.lines) > loop:
                self.lines.insert(loop, "    " * depth + f"for {element} in {value}:")
        elif isinstance(kind, NodeKind):
            raise _UnsupportedError

    def _nodes(self, kind: NodeKind, values: str, depth: int) -> None:
        if kind.defines is not None:
            raise _UnsupportedError
        first_id = self.variable("first_id")
        end_id = self.variable("end_id")
        index = self.variable("index")
        element = self.variable("element")
        node_type = self.variable("type")
        self._add(depth, f"{first_id} = len(ids)")
        self._add(depth, f"for {index}, {element} in enumerate({values}):")
        self._add(depth + 1, f"{end_id} = len(ids)")
        self._add(depth + 1, f"{node_type} = {element}.get('type') if type({element}) is dict else None")
        word = "if"
        for shape in kind.shapes:
            check = compile_check(shape)
            if check is None:
                raise _UnsupportedError
            self._add(depth + 1, f"{word} {node_type} == {shape.name!r}:")
            self._add(depth + 2, f"if {self.constant('check', check)}({element}, ids, partial): continue")
            word = "elif"
        self._add(depth + 1, f"partial.append(ValidPrefix({values}, {index}, {first_id}, {end_id}))")
        self._add(depth + 1, "return False")

    def _names(self, shape: Shape, prop: Prop, value: str, depth: int) -> None:
        for symbol, is_use in ((prop.defines, False), (prop.uses, True)):
            if symbol is None:
                continue
            if shape.is_node and prop.name == "id":
                self._add(depth, f"ids.append({value})")
            elif symbol in self._scopes:
                self._name(symbol, value, depth, is_use=is_use)
            elif self._checks_outer_names:
                raise _UnsupportedError

    def _name(self, symbol: Symbol, value: str, depth: int, *, is_use: bool) -> None:
        names = self._scopes[symbol]
        if is_use:
            self._add(depth, f"{names}_used.append({value})")
            return
        if symbol.duplicate:
            self._refuse(depth, f"{value} in {names}")
        self._add(depth, f"{names}.add({value})")

    def _refuse(self, depth: int, condition: str) -> None:
        self._add(depth, f"if {condition}: return False")

    def _add(self, depth: int, statement: str) -> None:
        self.lines.append("    " * depth + statement)


@cache
def children_prop(shape: Shape) -> tuple[str, NodeKind] | None:
    """Return the only list of nodes of a shape; None if there are others, or if the shape is a scope."""
    children = []
    for name, prop in shape.props.items():
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
            children.append((name, prop.kind.items))
    if len(children) != 1 or shape.scope:
        return None
    return children[0]
