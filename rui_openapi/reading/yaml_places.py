"""The place of a value in a YAML text, from the marks of its nodes."""

from __future__ import annotations

import yaml

from rui_common.syntax.spans import Span
from rui_openapi.reading.yaml_values import LOADER, YamlError, parse_yaml


def find_place(text: str, pointer: tuple[str | int, ...]) -> tuple[Span, Span] | None:
    """Return the range of a value with its key, and of the key alone or the start of the value; None without it."""
    try:
        parse_yaml(text)  # It limits the levels of nesting; `yaml.compose` recurses, and ends the process at too many.
        node: yaml.Node | None = next(yaml.compose_all(text, Loader=LOADER), None)
    except (YamlError, RecursionError):
        return None
    name: Span | None = None
    for step in pointer:
        name, node = _enter(node, step)
    if node is None:
        return None
    if name is None:
        start = node.start_mark.index
        return Span(start, _end_of(node)), Span(start, start + 1)
    return Span(name.start, max(name.end, _end_of(node))), name  # an alias has the place of its anchor, before the key


def _enter(node: yaml.Node | None, step: str | int) -> tuple[Span | None, yaml.Node | None]:
    """Return the range of a key and the node of its value; no range for an element, nothing without it."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return Span(key.start_mark.index, key.end_mark.index), value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None, None


def _end_of(node: yaml.Node) -> int:
    """Return the end of a node. The mark of a block collection is at the next token."""
    end: int = node.end_mark.index
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        key, value = node.value[-1]
        end = max(_end_of(key), _end_of(value))
    elif isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        end = _end_of(node.value[-1])
    return end
