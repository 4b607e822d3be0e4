"""Problems of properties: a required one is absent, or one is not registered."""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from rui_common.json_values import JsonObject, as_json, as_object
from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node, Root
from rui_common.problems.finding import Finding
from rui_common.problems.meant import (
    Rename,
    calls,
    contains_document,
    has_content,
    has_type,
    hides_parts,
    holds_content,
    limit_of,
    name_meant,
    nested_elements,
    possible_rename,
    renames,
    undefined_names,
    wrapper_of,
    wraps_property,
)
from rui_common.problems.operations import NEW, Insert, Move, Remove, RenameKey, SetValue
from rui_common.problems.suggestion import MAX_CHOICES, Sentence, Suggestion, did_you_mean, fact, fix, keys_of
from rui_common.problems.words import listed, quoted, titled
from rui_common.suggest import kebab_case, squash
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.queries import link_of
from rui_common.vocabulary.rules import ABSENT_PROP, HINTS_IN_PLACE, RULES, UNKNOWN_PROP
from rui_common.vocabulary.schema import Correction, Kind, Prop, Role, Shape, reachable

_ADDRESS_MARKS = "/.{$"  # marks of paths and templates, which a required binding is made of, in a text


class AbsentProperty(Finding):
    """A required property that an object does not have. An absent ``type`` of a node is `UntypedNode`.

    `Prop.missing` is its rule: R6, but R2 at the root, R18 for a binding, and R19 for a value path. It is not reported
    of an object that may have lost content by a syntax error.
    """

    needs_owner = True
    kind: Kind

    def __init__(self, node: Node, owner: Shape, prop: Prop, scope: Scope | None, found: Sequence[Rename]) -> None:
        super().__init__(node, prop.name, prop.missing, kind=prop.kind)
        self.owner = owner  # the shape of the object
        self.declared = prop
        self.scope = scope  # the names that it uses or defines one of, or None
        self.renames = found  # the unknown properties of the object that mean absent ones

    @property
    def first_sentence(self) -> Sentence:
        """The opening. An answer lists the properties of the root once."""
        if self.code != RULES[ABSENT_PROP].code:
            return super().first_sentence
        return Sentence(self.opening, once=True, again=HINTS_IN_PLACE[ABSENT_PROP])

    @property
    def _own_renames(self) -> list[Rename]:
        """The unknown properties that mean this one, the likeliest first."""
        return [rename for rename in self.renames if rename.prop is self.declared]

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the unknown property that means it, else the values that it may have. A certain rename is safe."""
        limit = limit_of(self.node, self.node.members)
        if limit:
            yield fact(limit)
        if self.advice:
            yield fact(self.advice)
        if self._may_be_change:
            yield fact("If this is a change of a document, send the whole document.", once=True)
        own_renames = self._own_renames
        for rename in own_renames[:1]:
            yield did_you_mean(rename.key, self.step, self._rename(rename), is_safe=rename.is_certain)
        if self.owner.open:
            for rename in self.renames:
                if rename.prop is not self.declared:
                    yield fact(f"{quoted(rename.key)} is called {quoted(rename.prop.name)} here.")
        wrapper = "" if own_renames else wrapper_of(self.node, self.declared)
        nested = nested_elements(self.node)
        target, reason = ("", "") if own_renames else name_meant(self.node, self.declared, self.scope)
        if target:
            sentence = Sentence(f"Set it to {quoted(target)}, {reason}.")
            yield Suggestion(
                sentence, (Insert(self.node.path, {self.declared.name: target}, self.owner),), is_safe=True
            )
        elif wrapper:
            yield fact(f"It may be in {quoted(wrapper)}.")
        elif nested and not own_renames:
            yield fact(f"The list has one level: write the elements of {quoted(nested)} into it, in place of this one.")
        elif not own_renames:
            yield from self._allowed_values()
        if self.rule == ABSENT_PROP:
            yield Suggestion(keys_of(self.owner))

    @property
    def _may_be_change(self) -> bool:
        """Whether the document has a few registered properties alone, as a merge patch (RFC 7396) has."""
        members = self.node.members
        if self.node.parent is not None or not members or not members.keys() <= self.owner.props.keys():
            return False
        has_literal = any(self.owner.props[name].kind.values for name in members)
        return not has_literal and 2 * len(members) < len(self.owner.required)

    def _rename(self, rename: Rename) -> RenameKey:
        return RenameKey((*self.node.path, rename.key), self.declared.name)

    def _allowed_values(self) -> Iterator[Suggestion]:
        """Yield the values and names that it may have, as far as they are known."""
        kind = self.kind
        if kind.values:
            yield fact(f"Allowed: {listed(kind.values)}.", once=True, in_signature=True)
        if isinstance(kind, ObjectKind) and kind.shape.tightened:
            yield fact(f"It needs {listed(kind.shape.tightened)}, too.")
        if self.declared.uses is not None and self.scope is not None and self.scope.definitions:
            yield fact(f"Allowed: {listed(self.scope.definitions)}.", once=True)
        yield from undefined_names(self.scope, self.declared)

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer other renames, or to add it: alone, or with all others that are absent.

        To add it is safe if its value is certain, and no unknown property may mean or contain it.
        """
        own_renames = self._own_renames
        for rename in own_renames[1:]:
            yield fix(self._rename(rename), is_safe=rename.is_certain)
        if any(rename.is_certain for rename in own_renames):
            return
        # An unknown object may be a wrapper, which contains the property.
        members = self.node.members
        unplaced = self.node.root_shape.others.unplaced
        unknown = {key for key in members if self.owner.prop(key) is None and squash(key) not in unplaced}
        unknown -= {rename.key for rename in self.renames}
        is_absent = not own_renames and not any(isinstance(members[key], dict) for key in unknown)
        has_lists = any(isinstance(members[key], list) for key in unknown)
        values = self._values_for(self.declared)
        for value, is_certain in values:
            title = f"Add {titled(self.step)}"
            if len(values) > 1:
                title += f": {titled(value)}"
            insert = Insert(self.node.path, {self.declared.name: value}, self.owner)
            yield fix(insert, title=title, is_safe=is_certain and is_absent and not (value and has_lists))
        yield from self._add_all()

    def _add_all(self) -> Iterator[Suggestion]:
        """Yield the fix that adds all required properties that are absent, and that no unknown one means."""
        present = {*self.node.members, *(rename.prop.name for rename in self.renames)}
        props = [self.owner.props[name] for name in self.owner.required if name not in present]
        if len(props) > 1:
            values = {prop.name: value for prop in props for value, _ in self._values_for(prop)[:1]}
            yield fix(Insert(self.node.path, values, self.owner))

    def _values_for(self, prop: Prop) -> list[Correction]:
        """Return the values to choose from for an absent property of the object, the likeliest first.

        Certain are an object that requires nothing, and the only value of a literal. The latter is not if another
        literal of the object has a value that does not belong to this shape.
        """
        kind = prop.kind
        members = self.node.members
        if len(kind.values) == 1:
            literals = [
                literal for literal in self.owner.props.values() if literal.kind.values and literal.name in members
            ]
            return [(kind.values[0], all(members[literal.name] in literal.kind.values for literal in literals))]
        if kind.values:
            return [(value, False) for value in kind.values[:MAX_CHOICES]]
        if isinstance(kind, ObjectKind) and not kind.shape.required:
            return [({}, True)]
        links = self._links(kind)
        if links:
            return [(links, True)]
        if prop is self.declared and prop.uses is not None and self.scope is not None:
            used = self.scope.used
            names = sorted(self.scope.definitions, key=lambda name: name in used)
            return [(name, False) for name in names[:MAX_CHOICES]]
        return [(NEW, False)]

    def _links(self, kind: Kind) -> JsonObject:
        """Return an object with a link to each name that needs one, if it needs nothing else; otherwise ``{}``."""
        root = self.node.root
        if not isinstance(kind, ObjectKind) or not isinstance(root, Root) or len(kind.shape.required) > 1:
            return {}
        (name,) = kind.shape.required
        for shape in kind.shape.props[name].kind.inner_shapes:
            link = link_of(shape)
            if link is not None:
                prop, symbol = link
                names = [*filter(None, root.definitions.get(symbol, {}))]
                return {name: [{prop.name: link_name} for link_name in names]} if names else {}
        return {}


class UnknownProperty(Finding):
    """A property that a strict object does not declare. Open objects may have any. No fix loses its content unasked."""

    marks_key = True
    needs_owner = True

    def __init__(self, node: Node, owner: Shape, key: str, rename: Rename | None) -> None:
        super().__init__(node, key, UNKNOWN_PROP, node.members[key])
        self.owner = owner  # the shape of the object
        self.key = key
        self.rename = rename  # the absent property that it means, or None

    @property
    def first_sentence(self) -> Sentence:
        """The opening, once in an answer: what to do with each property follows it."""
        return Sentence(self.opening, once=True)

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the property that it means, else where its content belongs."""
        limit = limit_of(self.node, [self.key])
        if self.rename is not None:
            name = self.rename.prop.name
            yield did_you_mean(self.key, name, RenameKey(self.path, name), is_safe=self.rename.is_certain)
            yield from self._words_inside(name)
        elif limit:
            yield fact(limit)
        else:
            yield from self._places()
        yield Suggestion(keys_of(self.owner))

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer other places for its content, a guess by the value alone, or to remove it with its content.

        The last is only offered beside another fix, and not while a required property is absent, in which the content
        may belong.
        """
        yield from (place._replace(sentence=None) for place in self._places())
        if self._is_empty:
            return
        if self.rename is None and self._may_be_kept() and not limit_of(self.node, [self.key]):
            prop = possible_rename(self.node, self.key)
            if prop is not None and prop.name in self._free_names():
                yield fix(RenameKey(self.path, prop.name))
        if self._is_complete:
            yield fix(Remove(self.path), title=f"Remove {titled(self.key)} and its content", discards=True)

    # What it contains

    @property
    def _is_complete(self) -> bool:
        """Whether the object has all required properties, so that no absent one may have the content."""
        return self.node.members.keys() >= {*self.owner.required}

    @property
    def _has_content(self) -> bool:
        """Whether it has text. A number counts while a required property is absent that may have it; an id may not."""
        absent = [self.owner.props[name] for name in self.owner.required if name not in self.node.members]
        return has_content(self.got, with_numbers=any(prop.defines is None for prop in absent))

    @property
    def _is_empty(self) -> bool:
        return not holds_content(self.got) and not self._has_content

    @property
    def _is_unplaced(self) -> bool:
        """Whether no shape has a place for it.

        Its name says so, or it has numbers alone. If its value is one word, the last word of its name says so, too.
        """
        word = squash(self.key)
        words = {word, word.removesuffix("s")}
        if is_one_word(self.got):
            words.add(kebab_case(self.key).rpartition("-")[2])
        unplaced = self.node.root_shape.others.unplaced | self.owner.others.unplaced
        is_named = not words.isdisjoint(unplaced) and holds_content(self.got)
        return is_named or not self._has_content or self._is_choice

    @property
    def _is_choice(self) -> bool:
        """Whether it chooses a value, as ``"type": "sidebar"`` does: other shapes have fixed values under its name."""
        word = squash(self.key)
        absent = [prop for name, prop in self.owner.props.items() if name not in self.node.members]
        if not is_one_word(self.got) or self._known_place or any(prop.is_called(word) for prop in absent):
            return False
        return word in _words_of_choices(self.node.root_shape)

    def _may_be_kept(self) -> bool:
        """Return whether a required property may have the content. Where none holds text, words have no place.

        A single word may be the path of a value.
        """
        if self._is_complete or self._is_unplaced or self._known_place:
            return False
        if not isinstance(self.got, str) or any(mark in self.got for mark in _ADDRESS_MARKS):
            return True
        absent = [self.owner.props[name] for name in self.owner.required if name not in self.node.members]
        is_path = is_one_word(self.got)
        return any(
            _holds_text(prop.kind) or (is_path and prop.role is Role.SELECT and prop.kind.accepts(self.got))
            for prop in absent
        )

    def _free_names(self) -> list[str]:
        """Return the absent properties that may have the content."""
        absent = [prop for prop in self.owner.props.values() if prop.name not in self.node.members]
        free = [prop.name for prop in absent if not prop.kind.values and (prop.required or _holds_text(prop.kind))]
        return free or [prop.name for prop in absent]

    # Where it belongs

    def _places(self) -> Iterator[Suggestion]:
        """Yield where the content belongs, if no other property is meant."""
        if self._is_empty:
            yield Suggestion(Sentence("Remove it."), (Remove(self.path),), is_safe=self.got is None)
            return
        if self._is_unplaced:
            yield Suggestion(Sentence("RUI has no place for it: leave it out.", once=True, again="Leave it out."))
            yield from self._in_open_object()
            return
        if self._known_place:
            yield from self._known_place
        elif self._may_be_kept():
            yield fact("Keep what has a place.")
            yield fact(f"Absent here: {listed(self._free_names())}.", once=True)
        else:
            yield Suggestion(_kept_elsewhere(self.got))
            if is_one_word(self.got):
                yield from self._in_open_object()

    @cached_property
    def _known_place(self) -> tuple[Suggestion, ...]:
        """The one place where the content belongs; ``()`` if it is not known."""
        return tuple(self._find_place())

    def _find_place(self) -> Iterator[Suggestion]:
        word = squash(self.key)
        root = self.node.root
        if contains_document(self.node, self.key):
            yield fact("It is a document of its own: send each document by itself.")
            return
        if root is not self.node and self.key in self.node.root_shape.props:
            sentence = f"Its content belongs in the property {quoted(self.key)} at the top level."
            yield self._moved(sentence, Move(self.path, (), self.key), is_possible=self.key not in root.members)
            return
        for prop in self.owner.all_props:
            if word in prop.includes.split():
                yield self._in_query(prop) if prop.role is Role.ENDPOINT else self._in_text(prop.name, self.got)
                return
            key, leaf = _only_leaf(self.got)
            if squash(key) in prop.includes.split() and prop.role is not Role.ENDPOINT:
                yield self._in_text(prop.name, leaf)
                return
        if self._is_around_properties:
            yield fact(f"Its content belongs here: write the properties in {quoted(self.key)} without it.")
            return
        name, part = _property_for(word, self.node, self.got, self.owner)
        if part:
            sentence = f"Its content belongs in {quoted(name)}, as {quoted(part)}."
            move = Move(self.path, (*self.node.path, name), part)
            yield self._moved(sentence, move)._replace(is_safe=self._is_part_of(name))
        elif name:
            yield fact(f"Its content belongs in {quoted(name)}.")
        if name:
            yield from self._words_inside(name)

    @property
    def _is_around_properties(self) -> bool:
        """Whether it is an object whose content is that of properties that are absent around it.

        An example is ``"props": {"title": "Orders"}``. If a required one is in it, single words and what has no place
        may be beside it. One that is called as a block, such as ``chart``, is a block.
        """
        inner = {key: value for key, value in as_object(self.got).items() if has_content(value, with_numbers=False)}
        if not inner or not as_object(self.got).keys().isdisjoint(self.node.members):
            return False
        if self.node.vocabulary.types_called(squash(self.key)):
            return False
        absent = [prop for prop in self.owner.all_props if prop.name not in self.node.members and prop.defines is None]
        meant = {key: prop for key in inner for prop in absent if calls(squash(key), prop)}
        if meant.keys() == inner.keys():
            return True
        is_required = wraps_property(self.node, self.key) or any(prop.required for prop in meant.values())
        unplaced = self.node.root_shape.others.unplaced
        rest = [key for key in inner if key not in meant and squash(key) not in unplaced]
        return is_required and all(is_one_word(inner[key]) or wraps_property(self.node, self.key) for key in rest)

    def _is_part_of(self, name: str) -> bool:
        """Return whether the object in the property `name` has a property with this key, which accepts the value."""
        kind = self.owner.props[name].kind
        part = kind.shape.prop(self.key) if isinstance(kind, ObjectKind) else None
        return part is not None and part.kind.accepts(self.got)

    def _moved(self, sentence: str, move: Move, *, is_possible: bool = True) -> Suggestion:
        return Suggestion(Sentence(sentence), (move,) if is_possible and self._is_complete else ())

    def _in_text(self, name: str, part: object) -> Suggestion:
        """Return the suggestion to write it, such as a unit, after the text that it is a part of: ``Price (EUR)``."""
        what = "it" if part is self.got else quoted(str(part))
        sentence = Sentence(f"Put {what} into the text of {quoted(name)}.")
        text = self.node.get(name)
        if not isinstance(text, str) or not isinstance(part, str):
            return Suggestion(sentence)
        operations = (SetValue((*self.node.path, name), f"{text} ({part})"), Remove(self.path))
        return Suggestion(sentence, operations, f"Put {titled(part)} into {titled(name)}")

    def _in_query(self, prop: Prop) -> Suggestion:
        """Return the suggestion to write parameters into the query of an address: ``/orders?state=open``."""
        from urllib.parse import parse_qs, quote  # 5 ms of each `rui check`

        address = self.node.get(prop.name)
        parameters = _parameters(self.got)
        if not isinstance(address, str) or not prop.kind.accepts(address) or "#" in address or not parameters:
            return fact(f"Write it into the query of {quoted(prop.name)}.")
        path, _, query = address.partition("?")
        pairs = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in parameters.items())
        new = f"{path}?{query}&{pairs}" if query else f"{path}?{pairs}"
        is_plain = not any(isinstance(value, bool) for value in as_object(self.got).values())
        is_safe = is_plain and parameters.keys().isdisjoint(parse_qs(query, keep_blank_values=True))
        operations = (SetValue((*self.node.path, prop.name), new), Remove(self.path))
        sentence = Sentence(f"Write it into {quoted(prop.name)}: {quoted(new)}.")
        return Suggestion(sentence, operations, f"Write it into {titled(prop.name)}", is_safe=is_safe)

    def _in_open_object(self) -> Iterator[Suggestion]:
        """Yield the move into the property of the root that may contain anything, if no required one may have it."""
        if not self._is_complete:
            return
        for prop in self.node.root_shape.props.values():
            if any(inner.open for inner in prop.kind.inner_shapes):
                if isinstance(self.node.root.members.get(prop.name, {}), dict):
                    yield fact(f"It may stay in {quoted(prop.name)}, where no page shows it.", once=True)
                    yield fix(Move(self.path, (prop.name,), self.key, is_open=True))
                return

    def _words_inside(self, name: str) -> Iterator[Suggestion]:
        """Yield what the properties in a misnamed object are called in a property that may contain anything."""
        prop = self.owner.prop(name)
        if not isinstance(self.got, dict) or prop is None or not isinstance(prop.kind, ObjectKind):
            return
        if prop.kind.shape.open:
            for inner in renames(Node(self.got, prop.kind, prop.kind.shape)):
                yield fact(f"{quoted(inner.key)} is called {quoted(inner.prop.name)} in it.")


def _property_for(word: str, node: Node, value: object, owner: Shape) -> tuple[str, str]:
    """Return the present property that a word names in other systems, or a required property and its absent part."""
    for prop in owner.props.values():
        is_free = not prop.kind.values and prop.defines is None
        is_present = prop.name in node.members and not hides_parts(value, prop.kind)
        if is_free and is_present and prop.is_called(word) and has_type(value, prop.kind):
            return prop.name, ""
    for prop in owner.props.values():
        inner = node.members.get(prop.name, {})
        if not prop.required or not isinstance(inner, dict) or not isinstance(prop.kind, ObjectKind):
            continue
        for part in prop.kind.shape.all_props:
            if part.name not in inner and part.is_called(word) and _may_become(value, part):
                return prop.name, part.name
    return "", ""


def _may_become(value: object, prop: Prop) -> bool:
    """Return whether a property accepts a value, or what the value certainly means there, as ``$.a`` means ``a``."""
    return prop.kind.accepts(value) or any(certain for _, certain in prop.kind.corrections(value, prop.example))


def _only_leaf(value: object) -> tuple[str, object]:
    """Return the only text in nested objects, and its key; ``""`` without one."""
    key = ""
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
    return (key, value) if isinstance(value, str) else ("", None)


def _parameters(value: object) -> dict[str, str]:
    """Return the parameters of a query by their names; none if one is no scalar, or is filled in by a template."""
    members = as_object(value)
    parameters = {name: value if isinstance(value, str) else as_json(value) for name, value in members.items()}
    are_scalars = all(isinstance(value, str | int | float) for value in members.values())
    if not are_scalars or any(mark in text for text in parameters.values() for mark in "{}$<"):
        return {}
    return parameters


def _kept_elsewhere(value: object) -> Sentence:
    if not isinstance(value, str) or is_address(value):
        text = "Keep its content: move it into properties and nodes that RUI has."
        return Sentence(text, once=True, again="Keep its content.")
    if not is_one_word(value):
        return Sentence("Keep its words in a text that is shown.", once=True, again="Keep its words.")
    text = "Keep its words in a text that is shown, or leave it out."
    return Sentence(text, once=True, again="Keep its words, or leave it out.")


def is_one_word(value: object) -> bool:
    """Return whether a value is a word: no text for people, no address, and no part of the app."""
    return isinstance(value, str) and not is_address(value) and len(value.split()) == 1


def is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith("/")


@cache
def _words_of_choices(root: Shape) -> frozenset[str]:
    """Return the names of the properties with fixed values, also in other systems."""
    props = [prop for shape in reachable(root) for prop in shape.all_props if prop.kind.values]
    return frozenset(word for prop in props for word in (prop.name.lower(), *prop.synonyms.split()))


@cache
def _holds_text(kind: Kind) -> bool:
    inner_props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return kind.is_free_text or any(_holds_text(prop.kind) for prop in inner_props)
