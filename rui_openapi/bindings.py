"""The blocks of a document that request data: what each requests and shows, by the roles in the vocabulary."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_common.nodes.node import Node, NodeTree
from rui_common.syntax.paths import Path, text_at, value_at
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import JsonForm, Prop, Role, Shape
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts

PropPath = tuple[str, ...]
"""The path of a property in a block without the indexes of lists, such as ``("columns", "key")``."""


class Text(NamedTuple):
    """A text of a document; a placeholder is the one of its property, which the author has not set yet."""

    value: str
    path: Path
    is_placeholder: bool = False


class Shown(NamedTuple):
    """A value that a block shows."""

    name: Text  # the property of each row, or the value path
    shown_as: Text  # the type that it is shown as; another text if there is none, or an unknown one
    forms: Mapping[str, JsonForm]  # type → what a value may be, so that it can be shown as that type

    @property
    def form(self) -> JsonForm | None:
        """What the value may be, or None."""
        return self.forms.get(self.shown_as.value)


class BlockPlan(NamedTuple):
    """Where objects of a shape have what they request and show."""

    endpoint: PropPath  # the path of the request
    select: PropPath  # the value path
    shape: Shape  # the shape of the objects
    # the names of fields, in objects of a list or in the block → the shape of the object; empty if a single value is
    # shown
    fields: Mapping[PropPath, Shape]
    option: PropPath  # a value of a field, in an object of a list; or ``()``
    option_field: PropPath  # the name of the field that has the value; or ``()``
    props: dict[PropPath, Prop]  # the declarations of all properties

    @property
    def field(self) -> PropPath:
        """The first name of a field, or ``()``."""
        return next(iter(self.fields), ())


class Block:
    """An object of a document that requests data; it may be incomplete."""

    def __init__(self, node: Node, plan: BlockPlan) -> None:
        self.value = node.members
        self.path = node.path
        self.plan = plan
        # the path of the request; without a value if it is absent or malformed
        self.endpoint = self._request_text(plan.endpoint)
        self.select = self._request_text(plan.select)  # the value path; ``""`` is the whole response

    @property
    def is_complete(self) -> bool:
        """Whether the path of the request is well-formed, and the value path, too, if there is one."""
        request = as_object(value_at(self.value, self.plan.select[:-1]))
        return bool(self.endpoint.value) and (bool(self.select.value) or self.plan.select[-1] not in request)

    @property
    def shown(self) -> Shown | None:
        """The single value that the block shows, or None."""
        if self.plan.field:
            return None
        return _shown(self.select, self.value, self.plan.shape, self.path)

    @cached_property
    def fields(self) -> list[Shown]:
        """The properties of the rows that the block shows."""
        found: list[Shown] = []
        for names, shape in self.plan.fields.items():
            for path, element in self._elements(names):
                name = element.get(names[-1])
                if isinstance(name, str):
                    found.append(_shown(Text(name, (*path, names[-1])), element, shape, path))
        return found

    @property
    def field_names(self) -> list[str]:
        return [field.name.value for field in self.fields]

    @property
    def option_field(self) -> str:
        """The name of the field that has the options, or ``""``; the value path if the block shows a single value."""
        if not self.plan.field:
            return self.select.value
        return text_at(self.value, *self.plan.option_field)

    @property
    def options(self) -> Iterator[Text]:
        """The values of that field that the block names, such as those of a filter."""
        if not self.plan.option:
            return
        for path, element in self._elements(self.plan.option):
            text = element.get(self.plan.option[-1])
            if isinstance(text, str):
                yield Text(text, (*path, self.plan.option[-1]))

    def role_of(self, path: Path) -> Role | None:
        """Return the role of the property at a path in the block, which may be absent; or None."""
        steps = path[len(self.path) :]
        names = _names_in(steps)
        prop = self.plan.props.get(names)
        if prop is None or steps[-1:] != names[-1:]:
            return None
        return prop.role

    def is_field_list(self, path: Path) -> bool:
        """Return whether a path is that of the list of objects that name fields, or of one of them."""
        return len(self.plan.field) > 1 and _names_in(path[len(self.path) :]) == self.plan.field[:-1]

    def response(self, api: Api) -> Facts:
        """Return the facts of the response; unknown without an operation."""
        return api.response(api.operation(self.endpoint.value))

    def row(self, api: Api) -> Facts | None:
        """Return the known properties of the rows that the block shows; None if they are too few."""
        facts = api.value(self.response(api), self.select.value)
        if facts is None or not facts.may_be_list or not api.row(facts).properties:
            return None
        return api.row(facts)

    def option_facts(self, api: Api) -> Facts | None:
        """Return the facts of the field or the single value that has the options as its values; None if unknown."""
        if not self.plan.field:
            return api.value(self.response(api), self.select.value)
        row = self.row(api)
        return None if row is None else api.field(row, self.option_field)

    def values(self, api: Api) -> dict[str, Facts]:
        """Return the value paths that the block can show, each with the facts of its value."""
        return {path: facts for path, facts in api.values_in(self.response(api)) if self.shows(facts)}

    def shows(self, facts: Facts) -> bool:
        """Return whether the block can show a value: a list if it has a list of fields, else a single value."""
        fits = facts.may_be_list if self.plan.field else facts.may_be_scalar
        return fits and not facts.is_unknown

    def shows_all(self, response: Facts) -> bool:
        """Return whether the block can show a whole response, without a value path."""
        return not self.plan.props[self.plan.select].required and self.shows(response)

    def _request_text(self, names: PropPath) -> Text:
        prop = self.plan.props[names]
        text = text_at(self.value, *names)
        if not prop.kind.accepts(text):
            text = ""
        return Text(text, (*self.path, *names), prop.is_placeholder(text))

    def _elements(self, names: PropPath) -> Iterator[tuple[Path, dict[str, object]]]:
        """Yield the objects of the list in which a property is, each with its path; the block if it is in none."""
        if len(names) == 1:
            yield self.path, self.value
        for index, element in enumerate(as_list(value_at(self.value, names[:-1]))):
            yield (*self.path, *names[:-1], index), as_object(element)


def _names_in(steps: Path) -> PropPath:
    return tuple(step for step in steps if isinstance(step, str))


def bindings_of(tree: NodeTree) -> list[Block]:
    """Return the blocks of a document whose requests are complete."""
    blocks = [_block(node) for node in tree]
    return [block for block in blocks if block is not None and block.is_complete]


def block_at(analysis: Analysis, path: Path) -> Block | None:
    """Return the innermost block with a request around a path, or None. It may be incomplete."""
    node: Node | None = analysis.nearest(path)
    while node is not None:
        block = _block(node)
        if block is not None:
            return block
        node = node.parent
    return None


def _block(node: Node) -> Block | None:
    plan = None if node.shape is None else plan_of(node.shape)
    if plan is None:
        return None
    return Block(node, plan)


@cache
def plan_of(shape: Shape) -> BlockPlan | None:
    """Return where objects of a shape have what they request and show; None if they have no request."""
    owners = dict(_props_in(shape, ()))
    props = {names: prop for names, (prop, _) in owners.items()}
    by_role = {prop.role: names for names, prop in props.items()}
    if Role.ENDPOINT not in by_role or len(by_role[Role.ENDPOINT]) != 2:
        return None
    fields = {names: owner for names, (prop, owner) in owners.items() if prop.role is Role.FIELD}
    symbols = [props[names].defines for names in fields]
    uses = [names for names, prop in props.items() if prop.uses is not None and prop.uses in symbols]
    option = by_role.get(Role.OPTION, ()) if uses or not fields else ()
    return BlockPlan(by_role[Role.ENDPOINT], by_role[Role.SELECT], shape, fields, option, next(iter(uses), ()), props)


def _props_in(shape: Shape, names: PropPath) -> Iterator[tuple[PropPath, tuple[Prop, Shape]]]:
    """Yield the properties of a shape and of the objects in it, each with the shape that has it."""
    for prop in shape.all_props:
        yield (*names, prop.name), (prop, shape)
        kind = prop.kind.items if isinstance(prop.kind, ListKind) else prop.kind
        if isinstance(kind, ObjectKind):
            yield from _props_in(kind.shape, (*names, prop.name))


def _shown(name: Text, value: dict[str, object], shape: Shape, path: Path) -> Shown:
    if shape.wireframe is None:
        return Shown(name, Text("", path), {})
    return Shown(name, Text(text_at(value, shape.wireframe.prop), (*path, shape.wireframe.prop)), shape.wireframe.forms)
