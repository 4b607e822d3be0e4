"""The place of a value in a YAML text, from the marks of its events."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from rui_common.syntax.spans import Span

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def find_place(text: str, pointer: tuple[str | int, ...]) -> tuple[Span, Span] | None:
    """Return the range of a value with its key, and of the key alone or the start of the value; None without it."""
    try:
        return _find(yaml.parse(text, Loader=_LOADER), pointer)
    except yaml.YAMLError:
        return None


def _find(events: Iterator[yaml.Event], pointer: tuple[str | int, ...]) -> tuple[Span, Span] | None:
    event = _first_node(events)
    name: Span | None = None
    for step in pointer:
        found: tuple[yaml.Event, Span | None] | None = None
        if isinstance(event, yaml.MappingStartEvent):
            found = _enter_mapping(events, str(step))
        elif isinstance(event, yaml.SequenceStartEvent) and isinstance(step, int):
            found = _enter_sequence(events, step)
        if found is None:
            return None
        event, name = found
    if event is None:
        return None
    start = event.start_mark.index
    end = _skip(events, event)
    if name is None:
        name = Span(start, start + 1)
    return Span(min(start, name.start), end), name


def _first_node(events: Iterator[yaml.Event]) -> yaml.Event | None:
    return next((event for event in events if isinstance(event, yaml.NodeEvent)), None)


def _enter_mapping(events: Iterator[yaml.Event], key: str) -> tuple[yaml.Event, Span] | None:
    """Return the event of the value of a key and the range of the key."""
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return None
        is_key = isinstance(event, yaml.ScalarEvent) and event.value == key
        name = Span(event.start_mark.index, event.end_mark.index)
        _skip(events, event)
        value = next(events)
        if is_key:
            return value, name
        _skip(events, value)
    return None


def _enter_sequence(events: Iterator[yaml.Event], index: int) -> tuple[yaml.Event, Span | None] | None:
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            return None
        if index == 0:
            return event, None
        index -= 1
        _skip(events, event)
    return None


def _skip(events: Iterator[yaml.Event], event: yaml.Event) -> int:
    """Read the events of a node; return the end of its last value."""
    end: int = event.end_mark.index
    depth = 0
    while True:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            if event.start_mark.index != event.end_mark.index:  # the bracket of a flow collection
                end = event.end_mark.index
        else:
            end = event.end_mark.index
        if depth == 0:
            return end
        event = next(events)
