"""The fix that inserts all fields that the rows of a response have."""

from __future__ import annotations

from collections.abc import Sequence

from rui_common.editing.edits import Edit, append_elements, insert_properties, set_value
from rui_common.fixes.model import Fix, fixes_from
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_openapi.description.api import Api
from rui_openapi.editing.blocks import Part, part_at
from rui_openapi.editing.columns import missing_fields


def field_fixes(document: Document, path: Path, api: Api) -> list[Fix]:
    """Return the fix for a fault at a path: all fields of the rows that the block does not show yet.

    It replaces a field at the path that the rows do not have.
    """
    found = part_at(document.value, path)
    if found is None or found.block.plan.fields is None or found.part not in {Part.FIELD_LIST, Part.FIELD}:
        return []
    block = found.block
    objects = missing_fields(document, block, api)
    if len(objects) < 2:
        return []
    name = found.block.plan.fields.prop.name
    wrong = value_at(document.value, path)
    row = block.row(api)
    if found.part is Part.FIELD and isinstance(wrong, str) and row is not None and api.field(row, wrong) is None:
        replaced = set_value(document, path[:-1], objects[0])
        title = f'Replace "{wrong}" by all {len(objects)} other {name} of the response'
        return fixes_from(title, [replaced, append_elements(document, block.field_list_path, objects[1:])])
    edits: Sequence[Edit | None] = [append_elements(document, block.field_list_path, objects)]
    if name not in block.value:
        edits = insert_properties(document, block.path, {name: objects}, [*block.shape.props])
    elif not isinstance(block.value[name], list):
        edits = [set_value(document, block.field_list_path, objects)]
    other = "other " if block.field_names else ""
    return fixes_from(f"Insert all {len(objects)} {other}{name} of the response", edits)
