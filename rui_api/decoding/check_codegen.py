"""What no type can say about a document, as one generated function: names, forms of texts, order of open objects.

The function walks the Structs of `typed_decoder` as the vocabulary says, gathers every name and every text that has
a form, and asks about all of them at once: that is several times as fast as asking about each where it stands.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from rui_api.decoding.name_checks import asked_in_place
from rui_api.decoding.pattern_checks import all_fit
from rui_common.codegen import CodeWriter, indent_block, startswith_test
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

    Judge = Callable[[Any], bool]
    Form = str | None
    Names = tuple[tuple[Symbol, bool], ...]
    Tagged = Mapping[Shape, tuple[Any, Any]]
    Merged = Mapping[NodeKind, tuple[str, ...]]

MAX_ORDERS = 1000
MAX_SETTLED_DEPTH = 240
EXACT = 2**53
"""Up to here a double holds every integer, so that all readers and RFC 8785 agree on how it is written."""


class CannotJudgeError(Exception):
    """The vocabulary holds something that the fast path has no way to judge; it is left to the validator then."""


def judge_of(vocabulary: Vocabulary, merged: Merged, tagged: Tagged, *, roomy: bool) -> Judge:
    """A function that says of a decoded root whether it is plainly valid, and puts it into its normal order.

    Args:
        vocabulary: what it is judged against.
        merged: of places where nodes of several shapes are read as one Struct: its properties, in order.
        tagged: of other shapes beside others in one place: the Struct that is read, and the one that is written.
        roomy: whether objects that are open to other properties were read as dicts.

    Raises:
        CannotJudgeError: there is something in the vocabulary that it could not judge.
    """
    writer = _Writer(merged, tagged, roomy=roomy)
    lines = writer.document(vocabulary.root)
    signature = "judge(root, UNSET=UNSET)"
    judge: Judge = writer.compiled(signature, [*lines, "return True"], "judge of the fast path")  # type: ignore[assignment]
    return judge


class _Writer(CodeWriter):
    """Writes the statements that gather, then those that return False when something is not plainly valid."""

    def __init__(self, merged: Merged, tagged: Tagged, *, roomy: bool) -> None:
        super().__init__()
        self.constants |= {"UNSET": UNSET, "arrange": arrange}
        self._merged = merged
        self._tagged = tagged
        self._roomy = roomy
        # Lists for the whole document: by the form that its texts have to have, and the symbols they are names of.
        self._gathered: dict[tuple[Form, Names], str] = {}
        self._scopes: dict[Symbol, tuple[str, str]] = {}

    def document(self, root: Shape) -> list[str]:
        """The body of the function."""
        body = self._shape(root, "root", is_root=True)
        begin = [f"{name} = []" for name in self._gathered.values()]
        return [*begin, *body, *self._forms(), *self._document_symbols()]

    def _shape(self, shape: Shape, value: str, order: Sequence[str] = (), *, is_root: bool = False) -> list[str]:
        """An object of `shape`; `order` has the fields of its Struct if these are others than its properties."""
        outer = dict(self._scopes)
        inner = [(symbol, self.variable("defined"), self.variable("used")) for symbol in shape.scope if not is_root]
        self._scopes |= {symbol: (defined, used) for symbol, defined, used in inner}
        body: list[str] = []
        if shape.open and self._roomy:
            known = self.constant("known", (*shape.props, *shape.suggested))
            body.append(f"if not arrange({value}, {known}): return False")
            body += [line for prop in shape.props.values() for line in self._open_prop(prop, value)]
        else:
            order = order or tuple(shape.props)
            for name, prop in shape.props.items():
                place = f"{value}.f{order.index(name)}"
                if shape.base is not None and prop.required > shape.base.props[name].required:
                    body.append(f"if {place} is UNSET: return False")
                body += self._prop(prop, place)
        self._scopes = outer
        for symbol, defined, used in inner:
            gathered = [f"{defined}, {used} = [], []", *body, *_verdicts(symbol, defined, used)]
            body = asked_in_place(symbol, defined, used, body) or gathered
        return body

    def _open_prop(self, prop: Prop, owner: str) -> list[str]:
        """A registered property of an object that was read as a dict."""
        value = self.variable("v")
        if isinstance(prop.kind, TextKind):
            wrong = f"if {value}.__class__ is not str: return False"
        elif isinstance(prop.kind, EnumKind):
            wrong = f"if {' and '.join(f'{value} != {allowed!r}' for allowed in prop.kind.values)}: return False"
        else:
            raise CannotJudgeError
        body = [wrong, *self._text(prop, value)]
        if isinstance(prop.kind, TextKind) and prop.kind.max_length is not None:  # in Structs msgspec sees to it
            body.append(f"if len({value}) > {prop.kind.max_length}: return False")
        get = f"{value} = {owner}.get({prop.name!r}, UNSET)"
        return [get, *body] if prop.required else [get, *indent_block(f"if {value} is not UNSET:", body)]

    def _prop(self, prop: Prop, place: str) -> list[str]:
        value = place if prop.required else self.variable("v")
        body = self._text(prop, value) if isinstance(prop.kind, TextKind) else self._kind(prop.kind, value)
        if body and not prop.required:
            return [f"{value} = {place}", *indent_block(f"if {value} is not UNSET:", body)]
        return body

    def _kind(self, kind: Kind, place: str) -> list[str]:
        if isinstance(kind, ObjectKind):
            if place.isidentifier():
                return self._shape(kind.shape, place)
            inner = self.variable("v")
            body = self._shape(kind.shape, inner)
            return [f"{inner} = {place}", *body] if body else []
        if isinstance(kind, ListKind):
            return self._list(kind.items, place)
        if isinstance(kind, EnumKind | TextKind):
            return []
        raise CannotJudgeError

    def _list(self, items: Kind, place: str) -> list[str]:
        if isinstance(items, TextKind) and items.pattern is not None:
            return [f"{self._gather(items)}.extend({place})"]
        element = self.variable("e")
        if not isinstance(items, NodeKind):
            return _each(element, place, self._kind(items, element))
        named = self._nodes_named(items, element)
        if len(items.shapes) == 1:
            return _each(element, place, [*named, *self._shape(items.shapes[0], element)])
        return self._choice(items, element, place, named)

    def _nodes_named(self, kind: NodeKind, element: str) -> list[str]:
        if kind.defines is None:
            return []
        identities = {self._merged.get(kind, [*shape.props]).index("id") for shape in kind.shapes}
        if len(identities) != 1:
            raise CannotJudgeError
        return self._named(kind.defines, f"{element}.f{identities.pop()}", used=False)

    def _choice(self, kind: NodeKind, element: str, place: str, named: list[str]) -> list[str]:
        """Nodes of several types that were read as one Struct."""
        if kind not in self._merged:
            return self._tagged_choice(kind, element, place, named)
        order, sort = self._merged[kind], self.variable("sort")
        body = [*named, f"{sort} = {element}.f{order.index('type')}"]
        word = "if {}:"
        for shape in kind.shapes:
            wrong = [
                f"{element}.f{index} is UNSET"
                for index, name in enumerate(order)
                if name in shape.props and shape.props[name].required
                if not all(name in other.props and other.props[name].required for other in kind.shapes)
            ]
            others = [f"{element}.f{index} is " for index, name in enumerate(order) if name not in shape.props]
            wrong += [f"not {''.join(others)}UNSET"] if others else []
            refuse = [f"if {' or '.join(wrong)}: return False"] if wrong else []
            branch = [*refuse, *self._shape(shape, element, order)]
            body += indent_block(word.format(f"{sort} == {shape.name!r}"), branch or ["pass"])
            word = "else:" if shape is kind.shapes[-2] else "elif {}:"
        return indent_block(f"for {element} in {place}:", body)

    def _tagged_choice(self, kind: NodeKind, element: str, place: str, named: list[str]) -> list[str]:
        """Nodes of several types, read by tag; each is made anew, its type where the vocabulary has it."""
        sort, made = self.variable("sort"), self.variable("made")
        body = [*named, f"{sort} = {element}.__class__"]
        word = "if"
        for shape in kind.shapes:
            read, written = (self.constant("struct", struct) for struct in self._tagged[shape])
            values = ", ".join(
                repr(shape.name) if name == "type" else f"{element}.f{index}" for index, name in enumerate(shape.props)
            )
            branch = [*self._shape(shape, element), f"{made}.append({written}({values}))"]
            body += indent_block(f"{word} {sort} is {read}:", branch)
            word = "elif"
        return [
            f"{made} = []",
            *indent_block(f"for {element} in {place}:", body),
            f"{place} = {made}",
        ]

    def _text(self, prop: Prop, value: str) -> list[str]:
        """Gather a text: for its form, and for the symbols that it is a name of."""
        kind = prop.kind
        symbols = [(symbol, used) for symbol, used in ((prop.defines, False), (prop.uses, True)) if symbol is not None]
        wider = [(symbol, used) for symbol, used in symbols if symbol not in self._scopes]
        body = [
            line for symbol, used in symbols if symbol in self._scopes for line in self._named(symbol, value, used=used)
        ]
        form = kind if isinstance(kind, TextKind) and kind.pattern is not None else None
        if form is not None and form.start:
            body.append(f"if not {startswith_test(form.start, value)}: return False")
            form = None
        if wider or form:
            body.append(f"{self._gather(form, *wider)}.append({value})")
        return body

    def _named(self, symbol: Symbol, value: str, *, used: bool) -> list[str]:
        if symbol in self._scopes:
            return [f"{self._scopes[symbol][used]}.append({value})"]
        return [f"{self._gather(None, (symbol, used))}.append({value})"]

    def _gather(self, kind: TextKind | None, *names: tuple[Symbol, bool]) -> str:
        """The list of the document in which texts of this form, names of these symbols, are gathered."""
        form = None if kind is None else kind.pattern
        if (form, names) not in self._gathered:
            self._gathered[form, names] = self.variable("all")
        return self._gathered[form, names]

    def _forms(self) -> list[str]:
        lines = []
        for (pattern, names), gathered in self._gathered.items():
            # Names that may not stand twice are different already; of other texts many are the same.
            texts = gathered if any(symbol.duplicate for symbol, _ in names) else f"{{*{gathered}}}"
            if pattern is not None:
                lines.append(f"if not {self.constant('fit', all_fit(pattern))}({texts}): return False")
        return lines

    def _document_symbols(self) -> list[str]:
        lines = []
        for symbol in dict.fromkeys(symbol for _, names in self._gathered for symbol, _ in names):
            defined, used = (
                " + ".join(texts for (_, names), texts in self._gathered.items() if (symbol, side) in names) or "()"
                for side in (False, True)
            )
            names = self.variable("names")
            lines += [f"{names}, {names}_used = {defined}, {used}", *_verdicts(symbol, names, f"{names}_used")]
        return lines


def _each(element: str, place: str, body: list[str]) -> list[str]:
    """A loop over the elements of a list; where each only has one text gathered, as one expression."""
    if len(body) == 1 and ".append(" in body[0]:
        texts, _, value = body[0].removesuffix(")").partition(".append(")
        return [f"{texts} += [{value} for {element} in {place}]"]
    return indent_block(f"for {element} in {place}:", body)


def _verdicts(symbol: Symbol, defined: str, used: str) -> list[str]:
    lines = [f"{defined}_set = {{*{defined}}}"]
    if symbol.duplicate is not None:
        lines.append(f"if len({defined}_set) != len({defined}): return False")
    if symbol.dangling is not None and symbol.unused is not None:
        return [*lines, f"if {defined}_set != {{*{used}}}: return False"]
    if symbol.dangling is not None:
        lines.append(f"if {used} and not {defined}_set.issuperset({used}): return False")
    if symbol.unused is not None:
        lines.append(f"if not {defined}_set.issubset({used}): return False")
    return lines


_orders: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[str, ...] | None] = {}


def arrange(value: dict[str, Any], known: tuple[str, ...]) -> bool:
    """Put an open object into its normal order; False when that is better left to others.

    Args:
        value: the object; it is changed.
        known: its registered and suggested properties, in canonical order.
    """
    names = tuple(value)
    key = (known, names)
    order = _orders.get(key, ())
    if order == ():
        order = _canonical(names, known)
        if len(_orders) < MAX_ORDERS:
            _orders[key] = order
    if order is None:
        return False
    if order is not names and order != names:
        _reorder(value, order)
    level = [item for item in value.values() if item.__class__ is not str]
    return not level or _settle(level)


def _canonical(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...] | None:
    """The order of `names`; None if there are some that RFC 8785 may sort otherwise than we do."""
    if not all(map(str.isascii, names)):
        return None
    given = set(names)
    return (*(name for name in known if name in given), *sorted(given.difference(known)))


def _reorder(value: dict[str, Any], order: Iterable[str]) -> None:
    items = [(name, value[name]) for name in order]
    value.clear()
    value.update(items)


def _settle(level: list[Any]) -> bool:
    """Sort the objects in values that the vocabulary says nothing about; False when others have to look at them.

    All that is as deep is looked at together, most of it in C: a body may be full of brackets.
    """
    for _ in range(MAX_SETTLED_DEPTH):
        sorts = {*map(type, level)}
        if sorts == {list}:
            level = [*chain.from_iterable(level)]
            continue
        if int in sorts and not all(-EXACT <= element <= EXACT for element in level if element.__class__ is int):
            return False
        below: list[Any] = []
        if list in sorts:
            below += chain.from_iterable([element for element in level if element.__class__ is list])
        if dict in sorts:
            objects = [element for element in level if element.__class__ is dict]
            if not "".join(chain.from_iterable(objects)).isascii():
                return False
            for element in objects:
                if len(element) > 1:
                    _reorder(element, sorted(element))
            below += chain.from_iterable(map(dict.values, objects))
        if not below:
            return True
        level = below
    return False
