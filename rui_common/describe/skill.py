"""A skill for coding agents (SKILL.md): how to write, check and edit a RUI, in at most 2,500 tokens."""

from collections.abc import Mapping

from rui_common.describe.examples import full_example
from rui_common.describe.markdown import block, bullets, numbered, page
from rui_common.json_values import as_json
from rui_common.version import RUI_VERSION
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import legend, signatures

FRONT_MATTER = """---
name: rui
description: Write, check and edit RUI documents (*.rui.json), which specify an app as pages, sections and blocks
  (metrics, tables, texts) with data bindings. Use it when a task mentions a RUI, a *.rui.json file, or the
  specification of an app's screens.
---"""


def skill(commands: Mapping[str, str]) -> str:
    """Return the skill as Markdown.

    Args:
        commands: the command lines that an agent needs, each with its effect.
    """
    return page(
        FRONT_MATTER,
        f"# RUI {RUI_VERSION}",
        "A RUI is a JSON document that describes an app: pages contain sections, sections contain blocks, blocks read "
        "from the app's own API. It is a specification, not UI code. The navigation alone links pages: blocks have no "
        "links, buttons or forms, and texts are plain.",
        "## Workflow",
        numbered(
            [
                "Write or edit the whole file, such as `app.rui.json`. Use the words and endpoints of the task.",
                "Check it. Each error or warning has a place, a message and a hint; correct all of them at once.",
                "Repeat until there is no error. A warning that remains is content that is not shown, or not meant.",
                "When you edit, keep ids and everything that the task does not change. Add or remove the navigation "
                "item of a page with the page, and change its label with the title. One that is stored in a service "
                'needs only what changes: `POST /api/specs?base=ID`, with `{"id": ID}` for each node that stays.',
            ]
        ),
        bullets(f"`{line}`: {effect}" for line, effect in commands.items()),
        "## Shapes",
        legend(VOCABULARY),
        block("\n".join(signatures(VOCABULARY)), "text"),
        bullets(f"{name}: {shape.doc}" for name, shape in VOCABULARY.nodes.items()),
        "## Example",
        "It has every shape and property; an app needs few of them.",
        block(as_json(full_example())),
    )
