"""The documentation of one shape or property, by its name."""

from rui_common.editing.hover import prop_text, shape_text
from rui_common.vocabulary.rui_0_1 import VOCABULARY


def entry_text(shape_name: str, prop_name: str) -> str:
    """Describe a property of a shape, or without one the shape; ``""`` if the vocabulary has no such shape."""
    shape = VOCABULARY.shapes.get(shape_name)
    if shape is None:
        return ""
    prop = shape.prop(prop_name)
    if prop is None:
        return shape_text(shape, VOCABULARY)
    return prop_text(shape, prop)
