"""Documents that are somewhere else than at the root of a text, and valid ones whose texts look as if they were.

Each text is composed of random parts; the same number gives the same text. `python -m tests.inputs.finding` counts for
how many of 300 malformed texts the first hint names the cause and the place, what `rui check --fix` makes of them, and
what it finds in 10,000 valid documents.
"""

# ruff: noqa: E501  tables of texts

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rui_common.describe.unreadable import root_hint, where_broken
from rui_common.json_values import is_same_json
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.answers import error_items
from tests.inputs.other_texts import paragraph, sentence
from tests.inputs.sample import sample
from tests.rui_cli.running import rui

Json = Any
Random = random.Random

SIZES = (900, 1_500, 4_000)


class Malformed(NamedTuple):
    """A text with a document that is not at its root, or that is not whole."""

    text: str
    names: tuple[str, ...]  # what the first error has to say: the cause, and the place
    fixed: Json = None  # the value after safe fixes; None if they may change nothing


def document_for(chance: Random) -> Json:
    return sample(chance.choice(SIZES), seed=chance.randrange(10_000))


def written(document: Json, chance: Random) -> str:
    return json.dumps(document, indent=chance.choice((None, 1, 2, 4)), ensure_ascii=chance.random() < 0.5)


# Text around it ---------------------------------------------------------------------------------------------------------


def _after(before: str, text: str, document: Json, behind: str = "") -> Malformed:
    line = f"line {1 + before.count(chr(10))}"
    return Malformed(before + text + behind, ("before the document", line), document)


def reasoning(chance: Random) -> Malformed:
    """Reasoning of any length, with brackets in it."""
    document = document_for(chance)
    start, end = chance.choice((
        ("<thinking>", "</thinking>"), ("<reasoning>\n", "\n</reasoning>"), ("[THINK]", "[/THINK]"), ("<scratchpad>", "</scratchpad>"),
        ("◁think▷", "◁/think▷"), ("<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"), ("", ""),
    ))  # fmt: skip
    words = "\n".join(paragraph(chance) for _ in range(chance.randint(1, 30)))
    words += chance.choice(
        ("", " One row is {ward: 3}.", " So {rows: [1, 2]}, then.", " Perhaps {{ward}}?", ' It says "x": {}.')
    )
    return _after(f"{start}{words}{end}\n\n", written(document, chance), document)


def statement(chance: Random) -> Malformed:
    """An assignment, a call or a command of a program."""
    document = document_for(chance)
    before, behind = chance.choice((
        ("let spec = ", ";\n"), ("var app: Rui = ", ";"), ("SPEC = ", "\n"), ("export default ", ";\n"), ("JSON.stringify(", ", null, 2)"),
        ("yaml.safe_load(", ")"), ("await store(", ");"), ("final rui = ", ";"), ("return ", ";\n"), ("$spec = ", ";"), ("Rui ", ""),
        ("print(json.dumps(", ", indent=2))\n"), ("module.exports = ", ""), ("http POST :8000/api/validate <<< '", "'\n"), ("spec := `", "`\n"),
    ))  # fmt: skip
    return _after(before, written(document, chance), document, behind)


def prose_behind(chance: Random) -> Malformed:
    document = document_for(chance)
    behind = f"\n\n{sentence(chance)} {chance.choice(('Replace {id} by an id.', 'Rows are [a, b].', 'The rest is plain.'))}\n{paragraph(chance)}"
    before = f"{paragraph(chance)}\n\n"
    return _after(before, written(document, chance), document, behind)


def fence(chance: Random) -> Malformed:
    document = document_for(chance)
    mark = chance.choice(("```", "~~~", "````"))
    before = f"{paragraph(chance)}\n\n{mark}{chance.choice(('json', 'jsonc', '', 'rui'))}\n"
    result = _after(before, written(document, chance), document, f"\n{mark}\n\n{sentence(chance)}")
    return result._replace(names=result.names[1:])


def prefixes(chance: Random) -> Malformed:
    """What a tool writes into each line."""
    document = document_for(chance)
    prefix, name = chance.choice((
        ("{:5}\t", "number"), ("{:>4}→", "number"), ("{}:  ", "number"), ("{:3} │ ", "number"), ("{:04}: ", "number"), ("> ", "`>`"),
        (">>> ", "`>`"), ("+", "`+`"), ("data: ", "`data:`"), ("+  ", "`+`"),
    ))  # fmt: skip
    lines = json.dumps(document, indent=chance.choice((1, 2, 4))).split("\n")
    first = chance.choice((1, 1, 2, 117))
    text = "\n".join(prefix.format(number) + line for number, line in enumerate(lines, first))
    return Malformed(chance.choice(("", f"{sentence(chance)}\n\n")) + text, ("Each line begins with", name), document)


def doubled(chance: Random) -> Malformed:
    document = document_for(chance)
    text = written(document, chance)
    if "{" in json.dumps(_texts(document)):
        return doubled(chance)
    text = text.replace("{", "{{").replace("}", "}}")
    return Malformed(text, ("Braces are doubled",), document)


def template_value(chance: Random) -> Malformed:
    """A place for a value in a template."""
    text = written(document_for(chance), chance)
    value = json.dumps(
        chance.choice([prose for prose in _texts(json.loads(text)) if text.count(json.dumps(prose)) == 1])
    )
    name = chance.choice(("title", "app.title", "user_name", "rows", "spec.label"))
    space = chance.choice((" ", ""))
    template = f"{{{{{space}{name}{space}}}}}"
    return Malformed(text.replace(value, template), ("Braces are doubled", template))


# In JSON ----------------------------------------------------------------------------------------------------------------


def _called(call: str, arguments: Json) -> Json:
    return {"id": "toolu_01", "type": "tool_use", "name": call, "input": arguments}


WRAPPERS: tuple[tuple[Callable[[Json], Json], str], ...] = (
    (lambda document: {"data": {"document": document}}, "`data.document`"),
    (lambda document: {"jsonrpc": "2.0", "id": 7, "result": {"structuredContent": document}}, "`result.structuredContent`"),
    (lambda document: {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "store", "arguments": {"spec": document}}}, "`params.arguments.spec`"),
    (lambda document: {"role": "assistant", "content": [{"type": "text", "text": "Done."}, _called("publish", {"rui": document})]}, "`content[1].input.rui`"),
    (lambda document: [{"name": "app"}, {"body": document}], "`[1].body`"),
    (lambda document: {"valid": True, "validationVersion": "0.1", "registryVersion": "0.1", "normalizedRui": document}, "`normalizedRui`"),
    (lambda document: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "save", "args": {"app": document}}}]}}]}, "`candidates[0].content.parts[0].functionCall.args.app`"),
    (lambda document: {"$schema": "https://example.org/s", "spec": document, "version": 3}, "`spec`"),
    (lambda document: [[document]], "`[0][0]`"), (lambda document: {"output": {"0": [document]}}, '`output["0"][0]`'),
)  # fmt: skip
"""Values of other formats around a document, and where it is."""

TEXTS: tuple[tuple[Callable[[str], Json], str], ...] = (
    (lambda text: {"output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]}, "`output[0].content[0].text`"),
    (lambda text: {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}, "`choices[0].message.content`"),
    (lambda text: {"choices": [{"message": {"tool_calls": [{"function": {"name": "store", "arguments": text}}]}}]}, "`choices[0].message.tool_calls[0].function.arguments`"),
    (lambda text: {"result": {"content": [{"type": "text", "text": text}], "isError": False}}, "`result.content[0].text`"),
    (lambda text: {"message": {"content": text}, "done": True}, "`message.content`"),
    (lambda text: {"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}}]}, "`candidates[0].content.parts[0].text`"),
    (lambda text: [{"generated_text": text}], "`[0].generated_text`"), (lambda text: text, "the string"),
    (lambda text: {"body": text, "isBase64Encoded": False}, "`body`"), (lambda text: {"data": {"spec.json": text}}, '`data["spec.json"]`'),
)  # fmt: skip
"""Values with the text of a document in a string, and where it is."""


def wrapped(chance: Random) -> Malformed:
    document = document_for(chance)
    wrapper, place = chance.choice(WRAPPERS)
    return Malformed(written(wrapper(document), chance), ("The document is in", place), document)


def in_string(chance: Random) -> Malformed:
    document = document_for(chance)
    wrapper, place = chance.choice(TEXTS)
    text = written(document, chance)
    for _ in range(chance.choice((0, 0, 1, 2))):
        text = json.dumps(text)
    return Malformed(written(wrapper(text), chance), ("The document is in", place), document)


def fence_in_string(chance: Random) -> Malformed:
    document = document_for(chance)
    wrapper, place = chance.choice(TEXTS)
    text = chance.choice((
        "{}\n\n```json\n{}\n```", "{}\n```\n{}\n```\nThat is all.", "<think>{}</think>\n{}", "{}\n\n{}\n\nRows are [a, b].", "{}\nconst spec = {};",
    )).format(paragraph(chance).replace("{", "").replace("}", ""), written(document, chance))  # fmt: skip
    return Malformed(written(wrapper(text), chance), ("The document is in", place), document)


def wrapped_in_string(chance: Random) -> Malformed:
    document = document_for(chance)
    inner, inner_place = chance.choice(WRAPPERS)
    wrapper, place = chance.choice(TEXTS)
    names = ("The document is in", f"{inner_place} of the JSON in {place}")
    return Malformed(written(wrapper(written(inner(document), chance)), chance), names, document)


def in_event(chance: Random) -> Malformed:
    """Events of a stream (SSE), with the document in one of them."""
    document = document_for(chance)
    events = [
        f"event: {chance.choice(('message', 'delta', 'done'))}\nid: {number}\ndata: {json.dumps({'n': number})}"
        for number in range(chance.randint(0, 2))
    ]
    before = "\n\n".join((*events, "event: message\ndata: "))
    if chance.random() < 0.5:
        line = f"line {1 + before.count(chr(10))}"
        wrapper, _ = chance.choice(WRAPPERS)
        text = json.dumps(wrapper(document))
        return Malformed(f"{before}{text}\n\n", ("document", line), document)
    wrapper, place = chance.choice(TEXTS)
    line = f"line {1 + before.count(chr(10))}"
    if place != "the string":
        line = f"{place} of the JSON in {line}"
    text = f"{before}{json.dumps(wrapper(json.dumps(document)))}\n\n"
    return Malformed(text, ("The document is in", line), document)


STREAMS: tuple[tuple[Callable[[str], Json], str], ...] = (
    (lambda text: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}}]}, "`choices[0].delta.content`"),
    (lambda text: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}, "`delta.text`"),
    (lambda text: {"type": "content_block_delta", "index": 1, "delta": {"partial_json": text}}, "`delta.partial_json`"),
    (lambda text: {"type": "response.output_text.delta", "item_id": "m", "delta": text}, "`delta`"),
    (lambda text: {"model": "m", "message": {"role": "assistant", "content": text}, "done": False}, "`message.content`"),
    (lambda text: {"candidates": [{"content": {"parts": [{"text": text}]}}]}, "`candidates[0].content.parts[0].text`"),
    (lambda text: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": text}}]}}]}, "`choices[0].delta.tool_calls[0].function.arguments`"),
)  # fmt: skip
"""Events of a stream with a part of the text of a document, and where it is."""


def streamed(chance: Random) -> Malformed:
    """Events of a stream, each with a part of a document; a stream that is cut off has no fix."""
    document = document_for(chance)
    event, place = chance.choice(STREAMS)
    text = chance.choice(("{}", "```json\n{}\n```", "Here it is:\n{}")).format(written(document, chance))
    size = chance.choice((4, 25, 300))
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    is_cut = chance.random() < 0.2
    if is_cut:
        pieces = pieces[: -1 - len(pieces) // 10]
    events = [json.dumps(event(piece)) for piece in pieces]
    whole = chance.choice((
        "".join(f"data: {data}\n\n" for data in events), "".join(f"event: delta\ndata: {data}\n\n" for data in events) + "data: [DONE]\n",
        "\n".join(events), f"[{','.join(events)}]",
    ))  # fmt: skip
    names = ("The document is in", f"{len(pieces)} texts of {place}")
    return Malformed(whole, names, None if is_cut else document)


def several(chance: Random) -> Malformed:
    """Two documents, of which a person has to choose one."""
    first, second = document_for(chance), document_for(chance)
    second["meta"] = {"title": "Another one"}
    make = chance.choice((
        lambda: ({"before": first, "after": second}, ("`before`", "`after`")), lambda: ([first, second], ("`[0]`", "`[1]`")),
        lambda: ({"old": json.dumps(first), "new": {"rui": second}}, ("`old`", "`new.rui`")),
        lambda: ({"choices": [{"message": {"content": json.dumps(each)}} for each in (first, second)]}, ("`choices[0].message.content`", "`choices[1].message.content`")),
    ))  # fmt: skip
    value, names = make()
    return Malformed(written(value, chance), ("several documents", *names))


# Parts in strings, and parts of a document --------------------------------------------------------------------------------


def quoted(chance: Random) -> Malformed:
    """JSON in a string where an array or object is expected."""
    document = document_for(chance)
    page = chance.randrange(len(document["pages"]))
    section = document["pages"][page]["children"][0]
    blocks = f"pages[{page}].children[0].children"
    owner, key, path = chance.choice((
        (document, "pages", "pages"), (document, "navigation", "navigation"), (document["navigation"], "items", "navigation.items"),
        (document["pages"][page], "children", f"pages[{page}].children"), (section, "children", blocks), (section["children"], 0, f"{blocks}[0]"),
        (document["pages"], page, f"pages[{page}]"), (document["navigation"]["items"], 0, "navigation.items[0]"), (document, "meta", "meta"),
    ))  # fmt: skip
    value = json.loads(json.dumps(document))
    owner[key] = written(owner[key], chance)
    return Malformed(written(document, chance), (f"@{path}", "JSON in a string"), value)


def part(chance: Random) -> Malformed:
    """A page, section or block, or several of them."""
    document = document_for(chance)
    pages = document["pages"]
    nodes, place = chance.choice((
        (pages, "`pages`"), (pages[0]["children"], "`children` of a Page"), (pages[0]["children"][0]["children"], "`children` of a Section"),
    ))  # fmt: skip
    if chance.random() < 0.6:
        node = chance.choice(nodes)
        return Malformed(written(node, chance), (f"This is a {node['type']}", place))
    return Malformed(written(nodes, chance), (json.dumps(nodes[0]["type"]), place))


def patch(chance: Random) -> Malformed:
    path = chance.choice(("/pages/0/title", "/navigation/items/-", "/meta/title"))
    operations = [
        {"op": chance.choice(("add", "replace")), "path": path, "value": sentence(chance)}
        for _ in range(chance.randint(1, 3))
    ]
    return Malformed(written(operations, chance), ("JSON Patch", "whole document"))


KINDS: dict[str, Callable[[Random], Malformed]] = {
    kind.__name__: kind
    for kind in (
        reasoning, statement, prose_behind, fence, prefixes, doubled, template_value, wrapped, in_string, fence_in_string,
        wrapped_in_string, in_event, streamed, several, quoted, part, patch,
    )
}  # fmt: skip
"""The kinds of malformed texts by name."""


def malformed(number: int) -> tuple[str, Malformed]:
    """Return the kind and the text with a number."""
    chance = random.Random(f"finding {number}")
    kind = [*KINDS][number % len(KINDS)]
    return kind, KINDS[kind](chance)


def first_hint(text: str) -> str:
    """Return path, message and hint of the first error of an answer over HTTP, without signatures."""
    document = read(text)
    if not document.valid:
        return where_broken(document).partition(" JSON has double quotes")[0]
    if not isinstance(document.value, dict):
        return root_hint(document.value)
    first = error_items(Analysis(document).findings)[0]
    return f"@{first['path']} {first['message']} {first['hint']}"


def is_named(case: Malformed) -> bool:
    """Return whether the first hint of an answer, and the first diagnostic, name what a text is, and the place."""
    analysis = Analysis(read(case.text))
    first = analysis.diagnostics[0]
    hints = (first_hint(case.text), f"@{'.'.join(map(str, first.path))} {first.message} {first.hint}")
    names = [name for name in case.names if not name.startswith("@")]
    paths = [name for name in case.names if name.startswith("@")]
    is_at_path = all(hints[0].startswith(f"{path} ") for path in paths)
    return is_at_path and all(name in hint for name in names for hint in hints)


def fix_of(case: Malformed, folder: Path) -> str:
    """Return what `rui check --fix` makes of a text: ``document``, ``unchanged``, or ``other``."""
    file = folder / "text.rui.json"
    file.write_text(case.text, "utf-8", newline="")
    rui("check", "--fix", file)
    text = file.read_bytes().decode()
    if text == case.text:
        return "unchanged"
    try:
        return "document" if case.fixed is not None and is_same_json(json.loads(text), case.fixed) else "other"
    except ValueError:
        return "other"


# Valid documents ----------------------------------------------------------------------------------------------------------


def _texts(value: Json) -> list[str]:
    """Return the texts of a document that people read."""
    pending, found = [value], []
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            found += [inner for name, inner in current.items() if name in PROSE and isinstance(inner, str)]
            pending += current.values()
        elif isinstance(current, list):
            pending += current
    return found


PROSE = ("content", "label", "title", "description")


def odd_text(chance: Random) -> str:
    """Return a text that looks like what is around a document, like a document, or like a part of one."""
    document = sample(900, seed=chance.randrange(10_000))
    make = chance.choice((
        lambda: json.dumps(document), lambda: json.dumps(json.dumps(document)), lambda: f"```json\n{json.dumps(document)}\n```",
        lambda: json.dumps(document["pages"]), lambda: json.dumps({"rui": document}), lambda: f"<think>{sentence(chance)}</think>",
        lambda: "\n".join(f"{number:6}\t{sentence(chance)}" for number in range(1, 4)), lambda: f"> {sentence(chance)}\n> {sentence(chance)}",
        lambda: f"data: {json.dumps({'pages': []})}\ndata: x", lambda: '"' * chance.randint(1, 5), lambda: "{" * chance.randint(1, 9),
        lambda: "}" * chance.randint(1, 9) + "]", lambda: "rui = {\"pages\": []};", lambda: 'He said "pages": [see below].', lambda: "version: 0.1, meta: {}",
        lambda: "{'pages': [], 'navigation': {}}", lambda: "\\\"pages\\\": []", lambda: "+ added\n- removed", lambda: "1: one\n2: two", lambda: "<|channel|>final",
        lambda: "[{\"id\": \"a\", \"type\": \"Page\"}]", lambda: paragraph(chance), lambda: "... the rest stays as it is", lambda: "<<<<<<< HEAD", lambda: "// {a}",
    ))  # fmt: skip
    return make()


def odd_document(number: int) -> str:
    """Return the valid document with a number: its texts, keys and extensions look like documents."""
    chance = random.Random(f"odd {number}")
    document: Json = sample(chance.choice((900, 2_000)), seed=number, further=True)
    document["meta"]["notes"] = chance.choice(
        (odd_text(chance), {"rui": odd_text(chance)}, sample(900, seed=1), [odd_text(chance)])
    )
    pending = [document]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            for name in PROSE:
                if isinstance(current.get(name), str) and chance.random() < 0.5:
                    current[name] = odd_text(chance)
            pending += [inner for inner in current.values() if isinstance(inner, dict | list)]
        else:
            pending += [inner for inner in current if isinstance(inner, dict | list)]
    return written(document, chance) + chance.choice(("", "\n"))


MEANT = {"MARKUP", "TEMPLATE"}
"""The warnings that texts with braces, code fences and Markdown are meant to have."""


def findings_of(text: str) -> list[str]:
    """Return the codes of the errors and warnings of a text, except those that are meant."""
    return [diagnostic.code for diagnostic in Analysis(read(text)).diagnostics if diagnostic.code not in MEANT]


def main() -> None:
    """Print the figures; the exit code is 1 if a text is changed wrongly, or a valid one has a finding."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--valid", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    count, named, fixes, found = Counter[str](), Counter[str](), Counter[tuple[str, str]](), Counter[str]()
    numbers = range(arguments.first, arguments.first + arguments.texts)
    with tempfile.TemporaryDirectory() as folder:
        for kind, case in map(malformed, numbers):
            count[kind] += 1
            fixes[kind, fix_of(case, Path(folder))] += 1
            if is_named(case):
                named[kind] += 1
            else:
                print(f"{kind}: {case.names} are not in: {first_hint(case.text)[:300]}")
    for kind in count:
        outcomes = ", ".join(f"{fixes[kind, what]} {what}" for what in ("document", "unchanged", "other"))
        print(f"{kind:18} {count[kind]:4} texts, {named[kind]:4} named; after --fix: {outcomes}")
    wrong = sum(number for (_, what), number in fixes.items() if what == "other")
    print(f"{'all':18} {count.total():4} texts, {named.total():4} named, {wrong} changed wrongly")
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in range(arguments.first, arguments.first + arguments.valid):
            text = odd_document(number)
            found.update(findings_of(text))
            files.append((Path(folder) / f"{number}.rui.json", text))
            files[-1][0].write_bytes(text.encode())
        rui("check", "--fix", "--quiet", folder)
        changed = sum(file.read_bytes() != text.encode() for file, text in files)
    print(f"{arguments.valid:,} valid documents: findings {dict(found)}, {changed} changed")
    sys.exit(bool(wrong or changed or found))


if __name__ == "__main__":
    main()
