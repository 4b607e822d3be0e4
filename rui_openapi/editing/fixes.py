"""The fix that inserts all fields that the rows of a response have."""

from __future__ import annotations

from collections.abc import Sequence

from rui_common.editing.edits import Edit, append_elements, insert_properties, set_value
from rui_common.fixes.model import Fix, fixes_from
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_openapi.description.api import Api
from rui_openapi.editing.columns import missing_fields
from rui_openapi.editing.slots import Part, slot_at

MIN_FIELDS = 2
"""Fields from which inserting all of them is a fix."""


def field_fixes(document: Document, path: Path, api: Api) -> list[Fix]:
    """Return the fix for a fault at a path: all fields of the rows that the block does not show yet."""
    slot = slot_at(document.value, path)
    if slot is None or slot.fields is None or slot.part not in {Part.FIELD_LIST, Part.FIELD}:
        return []
    objects = missing_fields(document, slot, api)
    if len(objects) < MIN_FIELDS:
        return []
    name = slot.fields.prop.name
    member = document.find(slot.field_list)
    edits: Sequence[Edit | None]
    if member is None:
        edits = insert_properties(document, slot.block_path, {name: objects}, [*slot.shape.props])
    elif member.text_at(member.start) == "[":
        edits = [append_elements(document, slot.field_list, objects)]
    else:
        edits = [set_value(document, slot.field_list, objects)]
    other = "other " if slot.field_names() else ""
    return fixes_from(f"Insert all {len(objects)} {other}{name} of the response", edits)
