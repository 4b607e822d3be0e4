"""DATA: the vocabulary of RUI 0.1 (section 2 of the specification, docs/decisions.md section 1).

All other modules derive from these declarations. A property is declared once, with documentation and an example.
Rules are referred to by their numbers in `rui_common.vocabulary.rules`.
"""

from collections.abc import Mapping

from rui_common.version import RUI_VERSION
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.schema import (
    JsonForm,
    NodeRole,
    OtherSystems,
    OtherValue,
    Prop,
    Role,
    Shape,
    Symbol,
    ValueDisplay,
    Vocabulary,
)

ID_PATTERN = "^[a-z][a-z0-9-]*$"
ID_MAX_LENGTH = 64
_NAME_CHARACTER = r"[^\x00-,./:-@\x5B-\x5E`{-\xA0\u1680\u2000-\u206F\u3000\uFEFF]"
"""A name consists of ASCII letters, digits, _ and -, and of all other characters but spaces, controls and punctuation.

Without classes of Unicode, the pattern is the same for Python, ECMA-262 and every version of Unicode.
"""
SPEC_ID_PATTERN = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
VALUE_PATH_PATTERN = rf"^{_NAME_CHARACTER}+(\.{_NAME_CHARACTER}+)*$"


# Symbols ------------------------------------------------------------------------------------------------------------

NODE_ID = Symbol(
    "node id", "Names one node; unique in the whole RUI.", duplicate="R3",
    requirement="Every ID is unique in the whole RUI.",
)  # fmt: skip
PAGE_ID = Symbol(
    "page id", "Names a page, so that navigation can open it.", dangling="R10", unused="R11",
    notation="ID OF A PAGE", requirement="Every page has an entry in `navigation.items`.",
)  # fmt: skip
COLUMN_KEY = Symbol(
    "column key", "Names a column within its table.", duplicate="R17", dangling="R21",
    notation="KEY OF A COLUMN", requirement="Column keys of a table are unique.",
)  # fmt: skip

# Helpers of the declarations ----------------------------------------------------------------------------------------

string = TextKind()
SCALAR = JsonForm(("string", "number", "boolean"))
NUMBER = JsonForm(("number",))
DATE = JsonForm(("string", "number"), formats=("date", "date-time", "time"))
NODE_ID_KIND = TextKind(
    ID_PATTERN, rule="R4", max_length=ID_MAX_LENGTH,
    form=f"lowercase kebab-case, pattern {ID_PATTERN}, 1 to {ID_MAX_LENGTH} characters", sample="ID",
)  # fmt: skip
UNIT_IN_LABEL = "Put the unit into the label."


def one_of(
    *values: str,
    rule: str = "R7b",
    planned: Mapping[str, str] | None = None,
    others: Mapping[str, OtherValue] | None = None,
) -> EnumKind:
    """Return the kind of an enum, or of a literal if there is a single value."""
    return EnumKind(values, rule, planned or {}, others)


def called(value: str, words: str, advice: str = "") -> dict[str, OtherValue]:
    """Return what other systems call a value: at most eight words in lower case, without separators."""
    return {word: OtherValue(value, advice) for word in words.split()}


def node(
    name: str,
    role: NodeRole,
    doc: str,
    *props: Prop,
    scope: tuple[Symbol, ...] = (),
    wireframe: ValueDisplay | None = None,
    types: str = "",
    limit: str = "",
    unplaced: str = "",
) -> Shape:
    """Return a strict shape with the two properties that every node has."""
    identity = Prop(
        "id",
        NODE_ID_KIND,
        "Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good.",
        required=True, example=f"{name.lower()}-1", defines=NODE_ID,
        synonyms="key uid name slug ref blockid componentid widgetid",
    )  # fmt: skip
    kind = Prop(
        "type", EnumKind((name,), "R5", {}), f"Its type is `{name}`.",
        required=True, example=name,
        synonyms="kind component widget element nodetype blocktype componenttype widgettype",
    )  # fmt: skip
    return Shape(
        name, doc, (identity, kind, *props),
        role=role, scope=scope, wireframe=wireframe,
        others=OtherSystems(tuple(types.split()), limit, frozenset(unplaced.split())),
    )  # fmt: skip


# Bindings -----------------------------------------------------------------------------------------------------------

READ_BINDING = Shape(
    "ReadBinding", "Where a block's data comes from: a GET request and the place in its JSON response.", [
        Prop("type", one_of("read", rule="R20", planned={
                 "write": "A binding that sends data to an API.",
                 "action": "A binding that triggers an operation.",
             }, others=called("read", "get query rest restquery restapi json")),
             "The sort of binding. Version 0.1 only reads.", required=True, example="read",
             synonyms="kind mode operation"),
        Prop("method", one_of("GET", rule="R20"),
             "The HTTP method. Version 0.1 only knows GET.", required=True, example="GET", role=Role.METHOD,
             synonyms="verb httpmethod httpverb requestmethod"),
        Prop("path", TextKind(r"^/[\s\S]*$", rule="R24", form="path and query of the URL, from the / after the host",
                               sample='"/…"'),
             "The path of the endpoint on the app's own API, starting with a slash.",
             required=True, example="/api/orders", role=Role.ENDPOINT, placeholder="/TODO",
             synonyms="url uri endpoint href route resource apiurl",
             includes="params query queryparams querystring searchparams parameters urlparams"),
        Prop("valuePath",
             TextKind(VALUE_PATH_PATTERN, rule="R23",
                      form="names of letters, digits, _ or -, joined by single dots, such as data.total: no brackets, "
                           "no $, no index (instead of data[0].value, show data as a Table)",
                      sample='"a.b"'),
             "The path of the value in the response: names joined by dots, such as `data.items`. A list endpoint "
             "usually returns an envelope: then name the property that contains the rows.",
             example="data.items", role=Role.SELECT, placeholder="TODO",
             synonyms="jsonpath jmespath jsonpointer datapath datakey datasrc select selector field key property value "
                      "responsepath resultpath itemspath rowspath root rootproperty rootselector"),
    ],
)  # fmt: skip

# Blocks -------------------------------------------------------------------------------------------------------------

METRIC = node(
    "Metric", NodeRole.BLOCK, "A single number or text, such as a count or a state.",
    Prop("label", string, "The meaning of the value, in the words of the reader.", required=True,
         example="Open orders", role=Role.LABEL, synonyms="title name caption heading header",
         includes="unit units prefix suffix currency"),
    Prop("binding", ObjectKind(READ_BINDING.with_required("valuePath", missing="R19")),
         "Where the value comes from; `valuePath` selects one scalar field of the response.",
         required=True, missing="R18",
         example={"type": "read", "method": "GET", "path": "/api/orders/summary", "valuePath": "data.open"},
         synonyms="data source datasource query fetch", note="valuePath: one value of the response"),
    Prop("format", one_of("number", "text", others={
             **called("number", "integer int float double decimal"),
             **called("number", "currency money percent", UNIT_IN_LABEL),
             **called("text", "string str date datetime timestamp time badge status"),
         }),
         "How to show the value.", example="number",
         synonyms="valueformat displayformat numberformat datatype formatter"),
    wireframe=ValueDisplay("format", {"number": "###", "text": "Abc"}, forms={"number": NUMBER, "text": SCALAR}),
    types="kpi gauge stat statistic counter value number scorecard",
)  # fmt: skip

COLUMN = Shape(
    "Column", "One column of a table.",
    [Prop("key", string, "The field of a row that the column shows: a name of one level, no path. Unique in the table.",
          required=True, example="status", defines=COLUMN_KEY, role=Role.FIELD,
          synonyms="field dataindex accessor accessorkey prop name jsonpath columnname value id")],
    suggested=[
        Prop("label", string, "The heading that a reader sees.", example="Status", role=Role.LABEL,
             synonyms="header title heading headername caption displayname name text",
             includes="unit units prefix suffix currency"),
        Prop("type", one_of(
                 "string", "number", "date", "badge",
                 others={
                     **called("string", "text str varchar char link url email uuid"),
                     **called("number", "integer int float double decimal"),
                     **called("number", "currency money percent", UNIT_IN_LABEL),
                     **called("date", "datetime timestamp time"),
                     **called("badge", "boolean bool enum status tag chip select category"),
                 }),
             "How to show the column's values.", example="badge", synonyms="format datatype kind celltype valuetype"),
    ],
    is_open=True,
    wireframe=ValueDisplay("type", forms={"string": SCALAR, "number": NUMBER, "date": DATE, "badge": SCALAR}),
)  # fmt: skip

FILTER_OPTION = Shape(
    "FilterOption", "One value that a table can be filtered by.", [],
    suggested=[
        Prop("value", string, "The value of the column that this option keeps.", example="open", role=Role.OPTION,
             synonyms="key id code"),
        Prop("label", string, "The text of the option.", example="Open", role=Role.LABEL,
             synonyms="text name title caption displayname"),
    ],
    is_open=True,
)  # fmt: skip

TABLE_FILTER = Shape(
    "TableFilter", "A static filter over one column of the table. Without options it is a free search.",
    [Prop("field", string, "The `key` of the column that is filtered.",
          required=True, example="status", uses=COLUMN_KEY, placeholder="TODO",
          synonyms="column key columnkey columnid")],
    suggested=[
        Prop("label", string, "What the filter is called.", example="Status", role=Role.LABEL,
             synonyms="title name caption placeholder heading displayname"),
        Prop("options", ListKind(ObjectKind(FILTER_OPTION)), "The values to choose from.",
             example=[{"value": "open", "label": "Open"}, {"value": "shipped", "label": "Shipped"}],
             synonyms="values choices items enum list"),
    ],
    is_open=True,
)  # fmt: skip

TABLE = node(
    "Table", NodeRole.BLOCK, "A list of rows with columns, optionally with a static filter.",
    Prop("title", string, "The heading above the table.", example="Latest orders", role=Role.LABEL,
         synonyms="label name heading header caption"),
    Prop("binding", ObjectKind(READ_BINDING),
         "Where the rows come from; `valuePath` selects the row array of the response, and is left out only when "
         "the response itself is the array.",
         required=True, missing="R18",
         example={"type": "read", "method": "GET", "path": "/api/orders", "valuePath": "data.items"},
         synonyms="data source datasource query fetch",
         note="valuePath: the array of rows, left out if the response is the array"),
    Prop("columns", ListKind(ObjectKind(COLUMN), rule="R17"), "The columns, from left to right.", required=True,
         example=[{"key": "number", "label": "Order"}, {"key": "status", "label": "Status", "type": "badge"}],
         synonyms="cols fields headers columndefs schema colonnes"),
    Prop("filter", ObjectKind(TABLE_FILTER), "Lets the reader narrow the rows by one column.",
         example={"field": "status", "label": "Status", "options": [{"value": "open", "label": "Open"}]},
         synonyms="filters filterby search facets"),
    scope=(COLUMN_KEY,),
    types="list grid datagrid datatable chart barchart linechart piechart timeline",
)  # fmt: skip

TEXT = node(
    "Text", NodeRole.BLOCK, "Words that do not change: an explanation, a notice, a heading. They are plain text.",
    Prop("content", string, "The words, as plain text: without Markdown, HTML and templates.",
         required=True, example="Orders are refreshed every five minutes.",
         role=Role.CONTENT, synonyms="text body value markdown message texte"),
    types="markdown paragraph richtext html note label description alert callout banner notice",
    limit='Text is fixed: for a fetched value use a Metric with format "text".',
)  # fmt: skip

# Layout -------------------------------------------------------------------------------------------------------------

SECTION = node(
    "Section", NodeRole.LAYOUT, "Groups blocks, below each other or side by side.",
    Prop("title", string, "The heading above the group.", example="Today", role=Role.LABEL,
         synonyms="label name heading header caption"),
    Prop("direction",
         one_of("stack", "row", others={
             **called("stack", "vertical column block col vstack verticallayout"),
             **called("row", "horizontal hstack inline sidebyside horizontallayout"),
         }),
         "`stack` puts the blocks below each other, `row` side by side.",
         required=True, example="stack", role=Role.LAYOUT, row="row",
         synonyms="layout orientation flow arrangement flexdirection", note="below each other, side by side"),
    Prop("children", ListKind(NodeKind(METRIC, TABLE, TEXT, child="R13", nested={"Section": "R14"}), rule="R16"),
         "The blocks, in the order in which they are shown.", required=True,
         example=[{"id": "text-1", "type": "Text", "content": "Orders are refreshed every five minutes."}],
         synonyms="blocks items components widgets elements panels cards controls"),
    types="card container group row grid tabs tab panel box",
)  # fmt: skip

PAGE = node(
    "Page", NodeRole.LAYOUT, "One screen of the app, with an address of its own.",
    Prop("title", string, "The heading of the screen.", required=True, example="Orders", role=Role.LABEL,
         synonyms="name label heading header caption displayname"),
    Prop("description", string, "What the screen is for.", example="What came in today, and what is still open.",
         role=Role.DESCRIPTION, synonyms="desc summary subtitle about"),
    Prop("children", ListKind(NodeKind(SECTION, child="R12"), rule="R15"), "The sections, from top to bottom.",
         required=True,
         example=[{"id": "section-1", "type": "Section", "direction": "stack", "children": [
             {"id": "text-1", "type": "Text", "content": "Orders are refreshed every five minutes."}]}],
         synonyms="sections items content body components blocks elements contenu"),
    types="screen view route dashboard", unplaced="path route",
)  # fmt: skip

# The document -------------------------------------------------------------------------------------------------------

META = Shape(
    "Meta", "What the app is called and what it is for.", [],
    suggested=[
        Prop("title", string, "The name of the app.", example="Order desk", placeholder="TODO", role=Role.LABEL,
             synonyms="name appname label heading"),
        Prop("description", string, "What the app is for, in a sentence.", example="What came in and what is open.",
             role=Role.DESCRIPTION, synonyms="desc summary about subtitle"),
        Prop("replaces",
             TextKind(SPEC_ID_PATTERN, form="the id of a spec, as the service returned it", sample="SPEC ID"),
             "The id of the stored spec that this document replaces. Its page then shows first what changed since.",
             role=Role.REPLACES, note="of the replaced spec",
             synonyms="supersedes"),
    ],
    is_open=True,
)  # fmt: skip

NAVIGATION_ITEM = Shape(
    "NavigationItem", "One entry of the app's navigation.",
    [Prop("pageId", string, "The `id` of the page that it opens.", required=True, example="page-1", uses=PAGE_ID,
          synonyms="page id target to screen")],
    suggested=[
        Prop("label", string, "The text of the entry.", example="Orders", role=Role.LABEL,
             synonyms="title text name caption displayname"),
    ],
    is_open=True,
)  # fmt: skip

NAVIGATION = Shape(
    "Navigation", "How a person reaches the pages; every page is in it at least once.",
    [Prop("items", ListKind(ObjectKind(NAVIGATION_ITEM), rule="R9"),
          "The entries, in the order in which they are shown.", required=True,
          example=[{"pageId": "page-1", "label": "Orders"}], synonyms="entries links menu routes tabs")],
)  # fmt: skip

UNPLACED = (
    "icon color colour theme style class classname auth width height size variant sort sortby sorting pagination "
    "thresholds trend onclick onrowclick actions refresh refreshinterval animation permissions i18n baseurl image "
    "logo tags"
)
"""At most thirty words, which have no place in any shape."""

RUI = Shape(
    "RUI", "A whole app: its version, what it is called, its navigation and its pages.", [
        Prop("version", one_of(RUI_VERSION, rule="R1"),
             "The version of the vocabulary that the document is written in.",
             required=True, missing="R2", example=RUI_VERSION,
             synonyms="schemaversion specversion apiversion ruiversion rui"),
        Prop("meta", ObjectKind(META), "What the app is called and what it is for; may be empty.",
             required=True, missing="R2", example={"title": "Order desk"},
             synonyms="metadata info about app application surface"),
        Prop("navigation", ObjectKind(NAVIGATION), "How a person reaches the pages.",
             required=True, missing="R2", example={"items": [{"pageId": "page-1", "label": "Orders"}]},
             synonyms="nav menu navbar sidebar tabs"),
        Prop("pages", ListKind(NodeKind(PAGE, child="R7b", at_type=True, defines=PAGE_ID), rule="R8"),
             "The screens of the app.", required=True, missing="R2",
             example=[{"id": "page-1", "type": "Page", "title": "Orders", "children": [
                 {"id": "section-1", "type": "Section", "direction": "stack", "children": [
                     {"id": "text-1", "type": "Text", "content": "Orders are refreshed every five minutes."}]}]}],
             synonyms="screens views routes tabs dashboards"),
    ],
    scope=(PAGE_ID,),
    others=OtherSystems(unplaced=frozenset(UNPLACED.split())),
)  # fmt: skip

PLANNED_BLOCKS = {"Form": "A block that lets a person enter data.", "Button": "A block that triggers an operation."}

ADVICE = (
    "Nothing else exists: units and currencies go into labels, charts become Tables, booleans badges, templates "
    "({{ }}) the path that they name; a Table has one filter, without options a free search; column keys have one "
    "level; Text is plain text; {id} in a path is not filled in; leave out buttons, images, themes."
)

TYPE_ADVICE = {
    "heading": "A heading is the `title` of the Section or Page.",
    "title": "A heading is the `title` of the Section or Page.",
    "header": "A heading is the `title` of the Section or Page.",
    "filter": "A filter is the `filter` of a Table.",
    "search": "A filter is the `filter` of a Table.",
    "select": "A filter is the `filter` of a Table.",
    "form": "RUI 0.1 has no forms: leave it out, or keep its words in a Text.",
    "button": "RUI 0.1 has no buttons: leave it out, or keep its words in a Text.",
    "input": "RUI 0.1 has no inputs: leave it out, or make it the `filter` of a Table.",
    "dropdown": "RUI 0.1 has no inputs: leave it out, or make it the `filter` of a Table.",
    "link": "A link to a page is an item of `navigation`; write any other one into a Text.",
    "keyvalue": "Show each value by a Metric, or the values as the rows of a Table.",
    "image": "RUI has no images: leave it out.",
    "divider": "RUI has no dividers: begin a new Section.",
}

VOCABULARY = Vocabulary(
    RUI_VERSION, RUI,
    planned=PLANNED_BLOCKS, advice=ADVICE, type_advice=TYPE_ADVICE, later={"0.2": ("entities", "operations")},
)  # fmt: skip
