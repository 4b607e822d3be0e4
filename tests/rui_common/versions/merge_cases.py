"""Cases of merging: what both sides replace in the text of a base, or the trees of its nodes, with the result."""

from typing import Any

BASE = """\
{
  "version": "0.1",
  "meta": { "title": "Clinic", "tags": ["a"], "links": { "one": 1 } },
  "navigation": {
    "items": [
      { "pageId": "ward", "label": "Ward" },
      { "pageId": "staff", "label": "Staff" }
    ]
  },
  "pages": [
    {
      "id": "ward",
      "type": "Page",
      "title": "Ward",
      "children": [
        {
          "id": "beds",
          "type": "Section",
          "direction": "row",
          "children": [
            {"id": "note", "type": "Text", "content": "Rounds at eight."},
            {
              "id": "patients",
              "type": "Table",
              "title": "Patients",
              "binding": { "type": "read", "method": "GET", "path": "/api/patients" },
              "columns": [
                {"key": "name", "label": "Name"},
                {"key": "bed", "label": "Bed"},
                {"key": "owner", "label": "Owner"}
              ],
              "filter": {
                "field": "bed",
                "options": [
                  {"value": "a", "label": "A"},
                  {"value": "b", "label": "B"}
                ]
              }
            }
          ]
        }
      ]
    },
    {
      "id": "staff",
      "type": "Page",
      "title": "Staff",
      "children": [
        {
          "id": "duty",
          "type": "Section",
          "direction": "stack",
          "children": [
            {"id": "vet", "type": "Text", "content": "Vet on duty: Ada."}
          ]
        }
      ]
    }
  ]
}
"""

NOTE = '{"id": "note", "type": "Text", "content": "Rounds at eight."}'

NOTE_LINE = f"            {NOTE},\n"

VET = '{"id": "vet", "type": "Text", "content": "Vet on duty: Ada."}'

NAME = '{"key": "name", "label": "Name"}'

BED = '{"key": "bed", "label": "Bed"}'

OWNER = '{"key": "owner", "label": "Owner"}'

NEW_LINES = """{
              "id": "new",
              "type": "Text",
              "content": "1"
            }"""

STAFF_LINK = '{ "pageId": "staff", "label": "Staff" }'

WARD_TITLE = '"title": "Ward"'

GAP = ",\n                "

Edits = list[tuple[str, str]]


def edited(edits: Edits, text: str = BASE) -> str:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def added(after: str, *new: str) -> tuple[str, str]:
    """Return the edit that adds elements on lines of their own after one."""
    indent = next(line for line in BASE.splitlines() if after in line).partition(after)[0]
    return after, f",\n{indent}".join((after, *new))


# Name → what ours, theirs and the result replace in the base.
MERGED: dict[str, tuple[Edits, Edits, Edits]] = {
    "two properties": (
        [(WARD_TITLE, '"title": "Overnight"')],
        [('"/api/patients"', '"/api/v2/patients"')],
        [(WARD_TITLE, '"title": "Overnight"'), ('"/api/patients"', '"/api/v2/patients"')],
    ),
    "two properties of one element on one line": (
        [(NAME, '{"key": "name", "label": "Patient"}')],
        [(NAME, '{"key": "name", "label": "Name", "type": "string"}')],
        [(NAME, '{"key": "name", "label": "Patient", "type": "string"}')],
    ),
    "two columns": (
        [(NAME, '{"key": "name", "label": "Patient"}')],
        [(BED, '{"key": "bed", "label": "Place"}')],
        [(NAME, '{"key": "name", "label": "Patient"}'), (BED, '{"key": "bed", "label": "Place"}')],
    ),
    "two options": (
        [('"label": "A"', '"label": "Ada"')], [('"label": "B"', '"label": "Bob"')],
        [('"label": "A"', '"label": "Ada"'), ('"label": "B"', '"label": "Bob"')],
    ),
    "two navigation items": (
        [('"label": "Ward" }', '"label": "Beds" }')], [('"label": "Staff" }', '"label": "People" }')],
        [('"label": "Ward" }', '"label": "Beds" }'), ('"label": "Staff" }', '"label": "People" }')],
    ),
    "two further properties of an open object": (
        [('"one": 1', '"one": 1, "two": 2')], [('"one": 1', '"one": 1, "three": 3')],
        [('"one": 1', '"one": 1, "two": 2, "three": 3')],
    ),
    "moved and edited": (
        [(NOTE_LINE, ""), added(VET, NOTE)],
        [("Rounds at eight.", "Rounds at nine.")],
        [(NOTE_LINE, ""), added(VET, NOTE.replace("eight", "nine"))],
    ),
    "renamed and edited": (
        [('"id": "note"', '"id": "rounds"')], [("Rounds at eight.", "Rounds at nine.")],
        [('"id": "note"', '"id": "rounds"'), ("Rounds at eight.", "Rounds at nine.")],
    ),
    "page renamed, another link to it": (
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "night"')],
        [added(STAFF_LINK, '{ "pageId": "ward", "label": "Again" }')],
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "night"'),
         added(STAFF_LINK, '{ "pageId": "night", "label": "Again" }')],
    ),
    "page renamed, a link to it changed": (
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "night"')],
        [('"pageId": "ward"', '"pageId": "staff"')],
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "staff"')],
    ),
    "a link changed, the page renamed": (
        [('"pageId": "ward"', '"pageId": "staff"')],
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "night"')],
        [('"id": "ward"', '"id": "night"'), ('"pageId": "ward"', '"pageId": "staff"')],
    ),
    "column renamed, filter by it": (
        [('"key": "owner"', '"key": "keeper"')], [('"field": "bed"', '"field": "owner"')],
        [('"key": "owner"', '"key": "keeper"'), ('"field": "bed"', '"field": "keeper"')],
    ),
    "both add at one place": (
        [added(OWNER, '{"key": "age", "label": "Age"}')], [added(OWNER, '{"key": "size", "label": "Größe"}')],
        [added(OWNER, '{"key": "age", "label": "Age"}', '{"key": "size", "label": "Größe"}')],
    ),
    "both add in the middle and at the start": (
        [added(NAME, '{"key": "age"}'), (NAME, '{"key": "id"}' + GAP + NAME)],
        [added(NAME, '{"key": "sex"}'), (NAME, '{"key": "no"}' + GAP + NAME)],
        [added(NAME, '{"key": "age"}', '{"key": "sex"}'), (NAME, GAP.join(('{"key": "id"}', '{"key": "no"}', NAME)))],
    ),
    "the same change": (
        [(WARD_TITLE, '"title": "Overnight"')], [(WARD_TITLE, '"title": "Overnight"')],
        [(WARD_TITLE, '"title": "Overnight"')],
    ),
    "the same element": (
        [added(OWNER, '{"key": "age", "label": "Age"}')],
        [added(OWNER, '{"label":"Age","key":"age"}'), (WARD_TITLE, '"title": "X"')],
        [added(OWNER, '{"key": "age", "label": "Age"}'), (WARD_TITLE, '"title": "X"')],
    ),
    "both delete": (
        [(NOTE_LINE, "")], [(NOTE_LINE, ""), (WARD_TITLE, '"title": "X"')],
        [(NOTE_LINE, ""), (WARD_TITLE, '"title": "X"')],
    ),
    "reordered, and an element added": (
        [(NAME + GAP + BED, BED + GAP + NAME)], [added(OWNER, '{"key": "age"}')],
        [(NAME + GAP + BED, BED + GAP + NAME), added(OWNER, '{"key": "age"}')],
    ),
    "the last one moved to the front, and an element added after it": (
        [(GAP + OWNER, ""), (NAME, OWNER + GAP + NAME)], [added(OWNER, '{"key": "age"}')],
        [(GAP + OWNER, ""), (NAME, OWNER + GAP + NAME), added(BED, '{"key": "age"}')],
    ),
    "a block on several lines": (
        [(WARD_TITLE, '"title": "X"')], [added(VET, NEW_LINES)], [(WARD_TITLE, '"title": "X"'), added(VET, NEW_LINES)],
    ),
    "an element before an empty line": (
        [(f"{NAME},\n", f"{NAME},\n\n")], [(BED, '{"key": "bed", "label": "Place"}')],
        [(f"{NAME},\n", f"{NAME},\n\n"), (BED, '{"key": "bed", "label": "Place"}')],
    ),
    "a text with escapes": (
        [("eight", "nine")], [(WARD_TITLE, r'"title": "\u0041\/B"')],
        [("eight", "nine"), (WARD_TITLE, r'"title": "\u0041\/B"')],
    ),
    "a property with space before its colon": (
        [(WARD_TITLE, '"title" : "Ward"')], [(WARD_TITLE, '"title": "X"')], [(WARD_TITLE, '"title" : "X"')],
    ),
    "a property before an empty line": (
        [(f"{WARD_TITLE},\n", f"{WARD_TITLE},\n\n")], [(WARD_TITLE, '"title": "X"')],
        [(f"{WARD_TITLE},\n", '"title": "X",\n\n')],
    ),
    "invalid values": (
        [('"direction": "row"', '"direction": 5')], [('"title": "Patients"', '"titel": null')],
        [('"direction": "row"', '"direction": 5'), ('"title": "Patients",', '"titel": null,')],
    ),
    "another version": (
        [('"version": "0.1"', '"version": "0.2"')], [(WARD_TITLE, '"title": "X"')],
        [('"version": "0.1"', '"version": "0.2"'), (WARD_TITLE, '"title": "X"')],
    ),
    "only the layout of theirs": (
        [(WARD_TITLE, '"title": "X"')], [(NAME, NAME.replace(" ", ""))], [(WARD_TITLE, '"title": "X"')],
    ),
    "only the layout of ours": (
        [(NAME, NAME.replace(" ", ""))], [(WARD_TITLE, '"title": "X"')],
        [(NAME, NAME.replace(" ", "")), (WARD_TITLE, '"title": "X"')],
    ),
    "a duplicate id": (
        [(VET, VET.replace('"vet"', '"note"'))], [(WARD_TITLE, '"title": "X"')],
        [(VET, VET.replace('"vet"', '"note"')), (WARD_TITLE, '"title": "X"')],
    ),
}  # fmt: skip


def conflict(ours: str, theirs: str) -> str:
    """Return lines in conflict."""
    sides = ["".join(f"{line}\n" for line in side.split("\n") if line) for side in (ours, theirs)]
    return f"<<<<<<< ours\n{sides[0]}=======\n{sides[1]}>>>>>>> theirs\n"


TITLE_LINE = f"      {WARD_TITLE},\n"

NEW = ('{"id": "new", "type": "Text", "content": "1"}', '{"id": "new", "type": "Text", "content": "2"}')

INDENT = " " * 12

# Name → what ours, theirs and the result replace in the base, and the conflicts in words.
CONFLICTS: dict[str, tuple[Edits, Edits, Edits, list[str]]] = {
    "one property": (
        [(WARD_TITLE, '"title": "Night"')], [(WARD_TITLE, '"title": "Day"')],
        [(TITLE_LINE, conflict('      "title": "Night",', '      "title": "Day",'))],
        ['Page Ward: title: changed in two ways'],
    ),
    "a property with an empty name": (
        [(WARD_TITLE, f'"": 1,\n      {WARD_TITLE}')], [(WARD_TITLE, f'"": 2,\n      {WARD_TITLE}')],
        [(TITLE_LINE, conflict('      "": 1,', '      "": 2,') + TITLE_LINE)],
        ['Page Ward: [""]: changed in two ways'],
    ),
    "one property of an object in a node": (
        [('"field": "bed"', '"field": "name"')], [('"field": "bed"', '"field": "owner"')],
        [('                "field": "bed",\n',
          conflict('                "field": "name",', '                "field": "owner",'))],
        ['Table Patients: filter.field: changed in two ways'],
    ),
    "an object on one line": (
        [('"/api/patients"', '"/a"')], [('"/api/patients"', '"/b"')],
        [('              "binding": { "type": "read", "method": "GET", "path": "/api/patients" },\n', conflict(
            '              "binding": { "type": "read", "method": "GET", "path": "/a" },',
            '              "binding": { "type": "read", "method": "GET", "path": "/b" },'))],
        ['Table Patients: binding: changed in two ways'],
    ),
    "a list without names": (
        [('"tags": ["a"]', '"tags": ["a", "b"]')], [('"tags": ["a"]', '"tags": ["a", "c"]')],
        [('  "meta": { "title": "Clinic", "tags": ["a"], "links": { "one": 1 } },\n', conflict(
            '  "meta": { "title": "Clinic", "tags": ["a", "b"], "links": { "one": 1 } },',
            '  "meta": { "title": "Clinic", "tags": ["a", "c"], "links": { "one": 1 } },'))],
        ["meta: changed in two ways"],
    ),
    "changed and deleted": (
        [("eight", "nine")], [(NOTE_LINE, "")],
        [(NOTE_LINE, conflict(NOTE_LINE.replace("eight", "nine"), ""))],
        ['Text “Rounds at eight.”: changed in ours, deleted in theirs'],
    ),
    "deleted and changed": (
        [(NOTE_LINE, "")], [("eight", "nine")],
        [(NOTE_LINE, conflict("", NOTE_LINE.replace("eight", "nine")))],
        ['Text “Rounds at eight.”: deleted in ours, changed in theirs'],
    ),
    "deleted and changed to another type": (
        [(NOTE_LINE, "")], [('"id": "note", "type": "Text"', '"id": "note", "type": "Metric"')],
        [(NOTE_LINE, conflict("", NOTE_LINE.replace('"Text"', '"Metric"')))],
        ['Text “Rounds at eight.”: deleted in ours, changed in theirs'],
    ),
    "deleted and changed, the last one": (
        [(GAP + OWNER, "")], [('"label": "Owner"', '"label": "Keeper"')],
        [(GAP + OWNER + "\n", "\n" + conflict("", GAP[2:] + ', {"key": "owner", "label": "Keeper"}'))],
        ['Column Owner of table Patients: deleted in ours, changed in theirs'],
    ),
    "moved to two places": (
        [(NOTE_LINE, ""), added(VET, NOTE)], [(NOTE_LINE, ""), (VET, f"{NOTE},\n{INDENT}{VET}")],
        [(NOTE_LINE, ""), (f"{INDENT}{VET}\n",
          conflict(f"{INDENT}{VET},\n{INDENT}{NOTE}", f"{INDENT}{NOTE},\n{INDENT}{VET}"))],
        ['The section with “Vet on duty: Ada.”: children: sorted in two ways'],
    ),
    "one id, two contents": (
        [added(VET, NEW[0])], [added(VET, NEW[1])],
        [(f"{VET}\n", f"{VET},\n{conflict(INDENT + NEW[0], INDENT + NEW[1])}")],
        ['Text “1”: both sides add it, with different content'],
    ),
    "renamed in two ways": (
        [('"id": "note"', '"id": "rounds"')], [('"id": "note"', '"id": "visits"')],
        [(NOTE_LINE, conflict(NOTE_LINE.replace('"note"', '"rounds"'), NOTE_LINE.replace('"note"', '"visits"')))],
        ['Text “Rounds at eight.”: changed in two ways'],
    ),
    "renamed and deleted": (
        [('"id": "note"', '"id": "rounds"')], [(NOTE_LINE, "")],
        [(NOTE_LINE, conflict(NOTE_LINE.replace('"note"', '"rounds"'), ""))],
        ['Text “Rounds at eight.”: changed in ours, deleted in theirs'],
    ),
    "type and content": (
        [('"id": "note", "type": "Text"', '"id": "note", "type": "Metric"')], [("eight", "nine")],
        [(NOTE_LINE, conflict(NOTE_LINE.replace('"Text"', '"Metric"'), NOTE_LINE.replace("eight", "nine")))],
        ['Text “Rounds at eight.”: changed in two ways'],
    ),
}  # fmt: skip


Tree = dict[str, Any]
"""Id of a node → what it is: a Text with this content, a Table with columns of these keys, or the nodes in it.

`type` is the type of a node that is neither a page nor a section.
"""


def document_of(tree: Tree) -> dict[str, object]:
    """Return a document with the nodes of a tree: pages with sections with blocks."""
    pages = [_node_of(name, content, "Page") for name, content in tree.items()]
    return {"version": "0.1", "meta": {"title": "A"}, "navigation": {"items": []}, "pages": pages}


def _node_of(name: str, content: Tree | list[object] | str, kind: str = "Section") -> dict[str, object]:
    if isinstance(content, str):
        return {"id": name, "type": "Text", "content": content}
    if isinstance(content, list):
        return {
            "id": name,
            "type": "Table",
            "columns": [{"key": item} if isinstance(item, str) else item for item in content],
        }
    children = [_node_of(inner, value) for inner, value in content.items() if inner != "type"]
    return {"id": name, "type": content.get("type", kind), "children": children}


# What happens to elements → base, ours, theirs, and the merged tree; of a conflict, that of each choice.
TREES: dict[str, tuple[Tree, Tree, Tree, list[Tree]]] = {
    "edited in a deleted section": (
        {"p": {"a": {"x": "1", "t": ["k"]}, "b": {}}}, {"p": {"a": {"x": "9", "t": ["k"]}, "b": {}}}, {"p": {"b": {}}},
        [{"p": {"a": {"x": "9", "t": ["k"]}, "b": {}}}, {"p": {"b": {}}}],
    ),
    "edited, and moved out of a deleted section": (
        {"p": {"a": {"x": "1"}, "b": {}}}, {"p": {"a": {"x": "9"}, "b": {}}}, {"p": {"b": {"x": "1"}}},
        [{"p": {"b": {"x": "9"}}}],
    ),
    "edited next to a new section, and moved out of a deleted one": (
        {"p": {"a": {"x": "1"}, "b": {}}}, {"p": {"a": {"x": "9"}, "c": {}, "b": {}}}, {"p": {"b": {"x": "1"}}},
        [{"p": {"c": {}, "b": {"x": "9"}}}],
    ),
    "edited, and moved out of a replaced section": (
        {"p": {"a": {"x": "1"}, "b": {}}}, {"p": {"a": {"x": "9"}, "b": {}}}, {"p": {"b": {"x": "1"}, "c": {}}},
        [{"p": {"a": {}, "b": {"x": "9"}, "c": {}}}, {"p": {"b": {"x": "9"}, "c": {}}}],
    ),
    "reordered in a replaced table": (
        {"p": {"a": {"t": ["k", "l"], "x": "1"}}}, {"p": {"a": {"t": ["l", "k"], "x": "1"}}},
        {"p": {"a": {"x": "1", "u": ["k"]}}},
        [{"p": {"a": {"t": ["l", "k"], "x": "1", "u": ["k"]}}}, {"p": {"a": {"x": "1", "u": ["k"]}}}],
    ),
    "each side edits what the other one deletes": (
        {"p": {"a": {"x": "1", "y": "2"}}}, {"p": {"a": {"x": "9"}}}, {"p": {"a": {"y": "9"}}},
        [{"p": {"a": {"x": "9"}}}, {"p": {"a": {"y": "9"}}}],
    ),
    "a name and a value that look alike are added": (
        {"p": {"a": {"t": ["k"]}}}, {"p": {"a": {"t": ["null", "k"]}}}, {"p": {"a": {"t": ["k", None]}}},
        [{"p": {"a": {"t": ["null", "k", None]}}}],
    ),
    "added to a deleted section": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"x": "1", "n": "2"}}}, {"p": {}},
        [{"p": {"a": {"x": "1", "n": "2"}}}, {"p": {}}],
    ),
    "added to a deleted section, and elsewhere by the other side": (
        {"p": {"a": {"x": "1"}, "b": {}}}, {"p": {"a": {"x": "1", "n": "2"}, "b": {}}}, {"p": {"b": {"n": "2"}}},
        [{"p": {"a": {"x": "1", "n": "2"}, "b": {}}}, {"p": {"b": {"n": "2"}}}],
    ),
    "a section with a column added in it is deleted": (
        {"p": {"a": {"t": ["k"], "x": "1"}}}, {"p": {"a": {"t": ["k", "l"], "x": "1"}}}, {"p": {}},
        [{"p": {"a": {"t": ["k", "l"], "x": "1"}}}, {"p": {}}],
    ),
    "moved into a deleted section": (
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}}}, {"p": {"a": {}, "b": {"y": "2", "x": "1"}}},
        {"p": {"a": {"x": "9"}}},
        [{"p": {"a": {}, "b": {"y": "2", "x": "9"}}}, {"p": {"a": {"x": "9"}}}],
    ),
    "moved out of a deleted section into one that the other side deletes": (
        {"p": {"a": {"x": "1", "t": ["k", 7]}, "c": {"z": "3"}}}, {"p": {"a": {"x": "1", "t": ["k", 7]}}},
        {"p": {"c": {"z": "3", "x": "1"}}},
        [{"p": {"a": {"x": "1", "t": ["k", 7]}}}, {"p": {"c": {"z": "3", "x": "1"}}}],
    ),
    "edited by both sides, and moved into a new section": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"x": "8"}}}, {"p": {"a": {}, "n": {"x": "9"}}},
        [{"p": {"a": {}, "n": {"x": "8"}}}, {"p": {"a": {}, "n": {"x": "9"}}}],
    ),
    "moved to two places of its list": (
        {"p": {"s": {"a": "1", "b": "2", "x": "3", "c": "4", "d": "5"}}},
        {"p": {"s": {"x": "3", "a": "1", "b": "2", "c": "4", "d": "5"}}},
        {"p": {"s": {"a": "1", "b": "2", "c": "4", "d": "5", "x": "9"}}},
        [{"p": {"s": {"x": "9", "a": "1", "b": "2", "c": "4", "d": "5"}}},
         {"p": {"s": {"a": "1", "b": "2", "c": "4", "d": "5", "x": "9"}}}],
    ),
    "both add a section with a table": (
        {"p": {}}, {"p": {"s": {"t": ["k", {"key": "l", "label": "1"}], "x": "1"}}},
        {"p": {"s": {"t": ["k", {"key": "l", "label": "1"}, "m"]}}},
        [{"p": {"s": {"t": ["k", {"key": "l", "label": "1"}, "m"], "x": "1"}}}],
    ),
    "both add a table with a column that differs": (
        {"p": {"s": {"x": "1"}}}, {"p": {"s": {"x": "1", "t": ["k", {"key": "l", "label": "1"}]}}},
        {"p": {"s": {"x": "1", "t": ["k", {"key": "l", "label": "2"}, "m"]}}},
        [{"p": {"s": {"x": "1", "t": ["k", {"key": "l", "label": label}, "m"]}}} for label in "12"],
    ),
    "both add a column that differs": (
        {"p": {"s": {"t": ["k"]}}}, {"p": {"s": {"t": ["k", {"key": "l", "label": "1", "type": "string"}]}}},
        {"p": {"s": {"t": ["k", {"key": "l", "label": "2", "format": "date"}]}}},
        [{"p": {"s": {"t": ["k", {"key": "l", "label": label, "type": "string", "format": "date"}]}}}
         for label in "12"],
    ),
    "moved and deleted": (
        {"p": {"a": {"x": "1"}}, "q": {}}, {"p": {}, "q": {"a": {"x": "1"}}}, {"p": {}, "q": {}},
        [{"p": {}, "q": {"a": {"x": "1"}}}, {"p": {}, "q": {}}],
    ),
    "one block of a deleted section is deleted": (
        {"p": {"a": {"x": "1", "y": "2"}, "b": {}}}, {"p": {"a": {"y": "2"}, "b": {}}}, {"p": {"b": {}}},
        [{"p": {"b": {}}}],
    ),
    "moved into a new section of a deleted page": (
        {"p": {"a": {"x": "1"}}, "q": {}}, {"p": {"a": {"x": "1"}}}, {"p": {"a": {}}, "q": {"n": {"x": "1"}}},
        [{"p": {"a": {"x": "1"}}}, {"p": {"a": {}}, "q": {"n": {"x": "1"}}}],
    ),
    "two sections are moved into each other": (
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}}}, {"p": {"b": {"y": "2", "a": {"x": "1"}}}},
        {"p": {"a": {"x": "1", "b": {"y": "2"}}}},
        [{"p": {"b": {"y": "2", "a": {"x": "1"}}}}, {"p": {"a": {"x": "1", "b": {"y": "2"}}}}],
    ),
    "twice two sections are moved into each other": (
        {"p": {"a": {}, "b": {}, "c": {}, "d": {}}}, {"p": {"b": {"a": {}}, "d": {"c": {}}}},
        {"p": {"a": {"b": {}}, "c": {"d": {}}}},
        [{"p": {"b": {"a": {}}, "d": {"c": {}}}}, {"p": {"a": {"b": {}}, "c": {"d": {}}}}],
    ),
    "three sections are moved into each other": (
        {"p": {"a": {}, "b": {}, "c": {}}}, {"p": {"a": {}, "c": {"b": {}}}}, {"p": {"b": {"a": {"c": {}}}}},
        [{"p": {"a": {}, "c": {"b": {}}}}, {"p": {"b": {"a": {"c": {}}}}}],
    ),
    "both add a section with other blocks": (
        {"p": {}}, {"p": {"n": {"x": "1"}}}, {"p": {"n": {"y": "2"}}},
        [{"p": {"n": {"x": "1"}}}, {"p": {"n": {"y": "2"}}}],
    ),
    "both add a section, and one moves a block into it": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"x": "1"}, "n": {}}}, {"p": {"a": {}, "n": {"x": "1"}}},
        [{"p": {"a": {}, "n": {"x": "1"}}}],
    ),
    "another type, and a change elsewhere": (
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}}}, {"p": {"a": {"type": "Grid", "x": "1"}, "b": {"y": "2"}}},
        {"p": {"a": {"x": "1"}, "b": {"y": "9"}}},
        [{"p": {"a": {"type": "Grid", "x": "1"}, "b": {"y": "9"}}}],
    ),
    "another type, and a change in it": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"type": "Grid", "x": "1"}}}, {"p": {"a": {"x": "9"}}},
        [{"p": {"a": {"type": "Grid", "x": "1"}}}, {"p": {"a": {"x": "9"}}}],
    ),
    "another type, and moved into it": (
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}}}, {"p": {"a": {"type": "Grid", "x": "1"}, "b": {"y": "2"}}},
        {"p": {"a": {"x": "1", "y": "2"}, "b": {}}},
        [{"p": {"a": {"type": "Grid", "x": "1"}, "b": {"y": "2"}}}, {"p": {"a": {"x": "1", "y": "2"}, "b": {}}}],
    ),
    "another type, and added in it": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"type": "Grid", "x": "1"}}}, {"p": {"a": {"x": "1", "y": "2"}}},
        [{"p": {"a": {"type": "Grid", "x": "1"}}}, {"p": {"a": {"x": "1", "y": "2"}}}],
    ),
    "another type, with what it gets from elsewhere": (
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}, "c": {"z": "3"}}},
        {"p": {"a": {"type": "Page", "x": "1", "y": "2"}, "b": {}, "c": {"z": "3"}}},
        {"p": {"a": {"x": "1"}, "b": {"y": "2"}, "c": {"z": "9"}}},
        [{"p": {"a": {"type": "Page", "x": "1", "y": "2"}, "b": {}, "c": {"z": "9"}}}],
    ),
    "another type, and moved out of it": (
        {"p": {"a": {"x": "1"}, "b": {}}}, {"p": {"a": {"type": "Page", "x": "1"}, "b": {}}},
        {"p": {"a": {}, "b": {"x": "1"}}},
        [{"p": {"a": {"type": "Page", "x": "1"}, "b": {}}}, {"p": {"a": {}, "b": {"x": "1"}}}],
    ),
    "another type, and a block moved out of a section in it": (
        {"p": {"a": {"x": "1"}}, "q": {"b": {}}}, {"p": {"type": "Section", "a": {"x": "1"}}, "q": {"b": {}}},
        {"p": {"a": {}}, "q": {"b": {"x": "1"}}},
        [{"p": {"type": "Section", "a": {"x": "1"}}, "q": {"b": {}}}, {"p": {"a": {}}, "q": {"b": {"x": "1"}}}],
    ),
    "an unknown type in a deleted section": (
        {"p": {"a": {"x": "1", "g": {"type": "Grid"}}}}, {"p": {"a": {"x": "9", "g": {"type": "Grid"}}}}, {"p": {}},
        [{"p": {"a": {"x": "9", "g": {"type": "Grid"}}}}, {"p": {}}],
    ),
    "an unknown type is added": (
        {"p": {"a": {"x": "1"}}}, {"p": {"a": {"x": "1", "g": {"type": "Grid"}}}}, {"p": {"a": {"x": "9"}}},
        [{"p": {"a": {"x": "9", "g": {"type": "Grid"}}}}],
    ),
    "an unknown type is deleted": (
        {"p": {"a": {"x": "1", "g": {"type": "Grid"}}}}, {"p": {"a": {"x": "1"}}},
        {"p": {"a": {"x": "9", "g": {"type": "Grid"}}}},
        [{"p": {"a": {"x": "9"}}}],
    ),
}  # fmt: skip
