"""Texts that are no RUI, as people have them beside their RUIs: programs, prose, logs, pages, tables, answers of models.

None of them has the keys of a RUI: no `pages` or `navigation`, and only one other key of the root. One of five has
`version` or `meta`. Each text is composed of random parts; the same seed gives the same text.

`python -m tests.inputs.other_texts --texts 1000` counts what `rui check --fix`, the language server and the playground
change in them, which is nothing.
"""

# ruff: noqa: E501  tables of texts

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rui_api.playground.answers import answer_editor
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.rui_cli.running import rui
from tests.rui_lsp.marked import actions, done, opened

Json = Any
Random = random.Random

KEYS = ("", "", "", "", "version", "", "", "", "", "meta")
"""The key of a RUI that a text has, by the number of the text."""

NOUNS = "order bed row user job page ticket patient invoice region sensor card shipment branch room policy".split()
VERBS = "loads sorts merges reads shows drops counts renders caches retries".split()
FIELDS = (
    "id name title label status count total bed ward url path email type kind enabled items children rows columns tags "
    "routes views menu info metadata tabs settings schema owner created description scripts dependencies body data"
).split()
STRINGS = ("open", "A1", "Late orders", "/api/orders", "2024-05-01", "ops@example.org", "nightly \"full\" run", "Größe", "a: b", "x, y", "{id}", "100 %", "https://example.org/a?b=c#d", "")  # fmt: skip
SENTENCES = (
    "The {noun} {verb} the {other} before anything else.", "Each {noun} has one `{field}`, see [{other}](docs/{other}.md).",
    "We moved \"{noun}\" behind a flag (see #{number}).", "Use {{{field}}} in the address; {{{{ {field} }}}} is for templates.",
    "Nothing {verb} here: the {noun} is {number} days old, e.g. `{field}: {number}`.", "Call `{noun}.{verb}({number})`; it returns [1, 2, {number}].",
    "Why does it {verb}? Because of the {other}; that's why.", "It isn't the {noun}'s fault — it's \"{other}\".",
    "Dear {noun} team,", "TODO: {noun} [ ] {other} [x] {field}", "> {noun}: {other}?", "See {{a, b}} and <{noun}@example.org>.",
)  # fmt: skip


# Parts ----------------------------------------------------------------------------------------------------------------


def sentence(chance: Random) -> str:
    return chance.choice(SENTENCES).format(
        noun=chance.choice(NOUNS), other=chance.choice(NOUNS), verb=chance.choice(VERBS),
        field=chance.choice(FIELDS), number=chance.randrange(1, 900),
    )  # fmt: skip


def paragraph(chance: Random) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(1, 5)))


def scalar(chance: Random) -> Json:
    return chance.choice((chance.choice(STRINGS), chance.randrange(9999), round(chance.random() * 90, 2), True, None))


def value_of(chance: Random, depth: int) -> Json:
    """Return a value of another format; of its objects, none is a RUI."""
    kind = chance.random()
    if depth == 0 or kind < 0.6:
        return scalar(chance)
    if kind < 0.8:
        return [value_of(chance, depth - 1) for _ in range(chance.randint(0, 3))]
    return object_of(chance, depth - 1)


def object_of(chance: Random, depth: int = 2, key: str = "") -> Json:
    """Return an object with a key of a RUI, if one is given, in any place."""
    names = chance.sample(FIELDS, chance.randint(1, 5))
    members = [(name, value_of(chance, depth)) for name in names]
    if key:
        of_version = ("0.1", "1.4.2", 3, 0.1, "v2")
        of_meta: tuple[Json, ...] = ({}, {"page": 2, "total": 40}, {"title": "x"}, None)
        members.insert(
            chance.randrange(len(members) + 1), (key, chance.choice(of_version if key == "version" else of_meta))
        )
    return dict(members)


def json_text(chance: Random, key: str = "", depth: int = 2) -> str:
    return json.dumps(object_of(chance, depth, key), indent=chance.choice((None, 2, 4)), ensure_ascii=False)


def with_comments(text: str, chance: Random) -> str:
    """Return JSON as programs accept it, with comments and a comma before a bracket."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        line_number = chance.randrange(len(lines))
        lines[line_number] += chance.choice((f" // {sentence(chance)}", " /* see below */"))
    joined = "\n".join(lines)
    if joined.rstrip().endswith(('"\n}', "]\n}", "}\n}")):
        joined = f"{joined.rstrip()[:-2]},\n}}"
    return joined


def script_object(chance: Random, key: str = "", depth: int = 2, indent: str = "") -> str:
    """Return an object of JavaScript: names without quotes, other quotes, functions, commas at the end."""
    members = []
    for name, value in object_of(chance, 0, key).items():
        written = json.dumps(value, ensure_ascii=False)
        if isinstance(value, str) and "'" not in value and "\\" not in written:
            written = f"'{value}'"
        members.append(f"{name}: {written}")
    members += chance.sample(
        [
            "plugins: [vue(), checker({ typescript: true })]",
            "...defaults",
            "setup() { return {} }",
            "env: process.env.NODE_ENV",
            "test: /\\.[jt]s$/",
        ],
        2,
    )
    if depth:
        members.append(f"{chance.choice(FIELDS)}: {script_object(chance, '', depth - 1, indent + '  ')}")
    chance.shuffle(members)
    lines = "".join(f"{indent}  {member},\n" for member in members)
    return f"{{\n{lines}{indent}}}"


def fenced(text: str, chance: Random) -> str:
    return f"```{chance.choice(('json', '', 'js', 'jsonc'))}\n{text}\n```"


# Sorts ----------------------------------------------------------------------------------------------------------------


def code(chance: Random, key: str) -> str:
    makers = (_python, _python, _script, _script, _jsonc, _shell, _rust)
    return chance.choice(makers)(chance, key)


def _python(chance: Random, key: str) -> str:
    literal = repr(object_of(chance, 2, key))
    if chance.random() < 0.5:
        literal = json.dumps(object_of(chance, 2, key), indent=4).replace("null", "None").replace("true", "True")
    parts = [
        f'"""{sentence(chance)}"""', "import json\nfrom typing import Any", f"{chance.choice(NOUNS).upper()} = {literal}",
        f"def {chance.choice(NOUNS)}(rows: list[str], *, limit: int = {chance.randrange(99)}) -> dict[str, Any]:\n"
        f'    """{sentence(chance)}"""\n    return {{"{chance.choice(FIELDS)}": [row for row in rows if row], **extra}}',
        f"# {sentence(chance)}", f"print(f\"{{{chance.choice(NOUNS)}!r}}: {{len(rows)}}\")", "if __name__ == '__main__':\n    main()",
    ]  # fmt: skip
    head, tail = parts[:2], parts[2:]
    chance.shuffle(tail)
    return (
        "\n\n".join(chance.sample(head, chance.randint(0, 2)) + tail[: chance.randint(2, 5)] + [f"data = {literal}"])
        + "\n"
    )


def _script(chance: Random, key: str) -> str:
    start = chance.choice((
        "import { defineConfig } from 'vite'\n\nexport default defineConfig(", "module.exports = ", "const config: Config = ", "export default ",
        "/** @type {import('tailwindcss').Config} */\nexport default ", "// https://example.org/config\nmodule.exports = ", "export const handler = async () => (",
    ))  # fmt: skip
    end = ")\n" if start.endswith("(") else chance.choice((";\n", "\n", "\nexport type A = { a: string[] }\n"))
    return start + script_object(chance, key) + end


def _jsonc(chance: Random, key: str) -> str:
    text = with_comments(json.dumps(object_of(chance, 2, key), indent=2), chance)
    return chance.choice(("", f"// {sentence(chance)}\n", "/* eslint */\n")) + text + "\n"


def _shell(chance: Random, key: str) -> str:
    lines = ["#!/bin/sh", "set -eu", f"# {sentence(chance)}", f"curl -s -X POST \"$URL/{chance.choice(NOUNS)}\" -d '{json.dumps(object_of(chance, 1, key))}' | jq '.items[] | {{id, name}}'", "[ -n \"$1\" ] && exit 1"]  # fmt: skip
    return "\n".join(lines[: 2 if chance.random() < 0.3 else 0] + lines[2:]) + "\n"


def _rust(chance: Random, key: str) -> str:
    return (
        f"use serde_json::json;\n\n/// {sentence(chance)}\nfn main() {{\n    let row = json!({json_text(chance, key)});\n"
        f'    println!("{{}} {{row:?}}", {chance.randrange(9)});\n}}\n'
    )


def prose(chance: Random, key: str) -> str:
    parts = [paragraph(chance) for _ in range(chance.randint(1, 6))]
    parts.insert(0, f"# {chance.choice(NOUNS).title()} {chance.choice(('guide', 'notes', '[draft]'))}")
    parts.append("\n".join(f"{chance.choice(('-', '*', '1.'))} {sentence(chance)}" for _ in range(3)))
    if chance.random() < 0.4:
        parts.append(
            f"| {chance.choice(FIELDS)} | {chance.choice(FIELDS)} |\n|---|---|\n| `{{{chance.choice(FIELDS)}}}` | {scalar(chance)} |"
        )
    if key or chance.random() < 0.3:
        snippet = json_text(chance, key, 1)
        parts.insert(
            chance.randint(1, len(parts)), fenced(snippet, chance) if chance.random() < 0.7 else f"`{snippet}`"
        )
    if chance.random() < 0.3:
        chance.shuffle(parts)
    return chance.choice(("\n\n", "\n\n", "\n")).join(parts) + "\n"


def log(chance: Random, key: str) -> str:
    kind = chance.choice(("lines", "bracketed", "plain", "mixed"))
    lines = []
    for number in range(chance.choice((1, 3, 8, 40))):
        stamp = f"2024-05-{number % 28 + 1:02} 10:{number % 60:02}:0{number % 10}"
        level = chance.choice(("INFO", "WARN", "ERROR"))
        row = json.dumps(object_of(chance, 1, key if number % 3 == 0 else ""), ensure_ascii=False)
        if kind == "lines":
            lines.append(row)
        elif kind == "bracketed":
            lines.append(f"[{stamp}] [{level}] {sentence(chance)} {row}")
        elif kind == "plain":
            lines.append(f"{stamp},{number:03} {level} {chance.choice(NOUNS)}: {chance.choice(VERBS)} {row}")
        else:
            lines.append(
                chance.choice(
                    (
                        f"{stamp} {level} {sentence(chance)}",
                        row,
                        f'  File "{chance.choice(NOUNS)}.py", line {number}',
                        f'10.0.0.{number} - - [{stamp}] "GET /api/{chance.choice(NOUNS)} HTTP/1.1" 200 {number}',
                    )
                )
            )
    if kind == "lines" and len(lines) == 1:
        lines.append("{}")
    if key and not any(f'"{key}"' in line for line in lines):
        lines.append(json.dumps(object_of(chance, 1, key)))
    if len(lines) == 1:
        lines.insert(0, f"==> {chance.choice(NOUNS)}.log <==")
    return "\n".join(lines) + chance.choice(("\n", ""))


def html(chance: Random, key: str) -> str:
    data = json_text(chance, key, 1)
    parts = [
        f"<p>{sentence(chance)}</p>", f"<style>body {{ margin: {chance.randrange(9)}px }} .{chance.choice(NOUNS)} {{ color: red }}</style>",
        f'<script type="application/ld+json">\n{data}\n</script>', f"<script>const a = {data}; render(a, [1, 2]);</script>",
        f"<div v-for=\"{chance.choice(NOUNS)} in rows\" :style=\"{{ width: '{chance.randrange(90)}%' }}\">{{{{ {chance.choice(FIELDS)} }}}}</div>",
        f"<!-- {sentence(chance)} -->", f'<a href="/{chance.choice(NOUNS)}">{chance.choice(STRINGS)}</a>',
    ]  # fmt: skip
    body = [parts[chance.choice((2, 3))], *chance.sample(parts, 3)]
    chance.shuffle(body)
    start, end = chance.choice((
        ("<!DOCTYPE html>\n<html><body>\n", "\n</body></html>\n"), ("", "\n"), ("<template>\n", "\n</template>\n"),
        ('<?xml version="1.0"?>\n<root>\n' if key == "version" else "<svg>\n", "\n</root>\n" if key == "version" else "\n</svg>\n"),
    ))  # fmt: skip
    return start + "\n".join(body) + end


def csv(chance: Random, key: str) -> str:
    mark = chance.choice((",", ";", "\t", " | "))
    names = chance.sample(FIELDS, 4)
    rows = [mark.join(names)]
    for number in range(chance.randint(2, 30)):
        cells = [str(scalar(chance)) for _ in names[:-1]]
        cell = json.dumps(object_of(chance, 0, key if number == 0 else ""), ensure_ascii=False)
        cells.insert(chance.randrange(4), chance.choice((cell, '"' + cell.replace('"', '""') + '"', cell)))
        rows.append(mark.join(cells))
    return chance.choice(("", f"# {sentence(chance)}\n", "sep=;\n")) + "\n".join(rows) + "\n"


def yaml(chance: Random, key: str) -> str:
    lines = [chance.choice(("---", f"# {sentence(chance)}", "%YAML 1.2\n---", ""))]
    if key == "version":
        lines.append(f"version: {chance.choice(('0.1', '3.8', '2'))}")
    elif key:
        lines.append(chance.choice(("meta:\n  total: 4", "meta: {page: 1}")))
    for name in chance.sample(FIELDS, chance.randint(2, 5)):
        lines.append(chance.choice((
            f"{name}: {chance.choice(NOUNS)}", f"{name}:\n  - {chance.choice(NOUNS)}\n  - [{chance.choice(NOUNS)}, 2]", f"{name}: {{a: [1, 2], b: \"{chance.choice(NOUNS)}\"}}",
            f"{name}:\n  {chance.choice(FIELDS)}: '{chance.choice(NOUNS)}'  # {sentence(chance)}", f"{name}: |\n  {sentence(chance)}\n  {json.dumps(object_of(chance, 0))}",
            f"{name}: {json.dumps(object_of(chance, 1))}",
        )))  # fmt: skip
    if chance.random() < 0.3:
        lines += ["---", "", f"# {chance.choice(NOUNS)}", "", paragraph(chance)]
    return "\n".join(lines).lstrip("\n") + "\n"


PARTS = (
    lambda chance: {"title": chance.choice(STRINGS)},
    lambda chance: {"id": "home", "type": "Page", "title": "Home", "children": [{"id": "s", "type": "Section", "direction": "row", "children": []}]},
    lambda chance: {"id": chance.choice(NOUNS), "type": "Text", "content": sentence(chance)},
    lambda chance: {"id": "t", "type": "Table", "binding": {"type": "read", "method": "get", "path": "api"}, "columns": [{"key": chance.choice(FIELDS)}]},
    lambda chance: {"op": "replace", "path": f"/{chance.choice(FIELDS)}/0", "value": chance.choice(STRINGS)},
    lambda chance: {"items": [{"pageId": "home"}, {"pageId": chance.choice(NOUNS)}]},
    lambda chance: {"name": "store_spec", "arguments": object_of(chance, 1)},
)  # fmt: skip
"""Parts of a RUI, and calls, as models answer with them: (chance) → value."""


def chat(chance: Random, key: str) -> str:
    value = chance.choice(PARTS)(chance)
    if key:
        value = object_of(chance, 1, key) | {name: value[name] for name in value.keys() - VOCABULARY.root.props.keys()}
    text = json.dumps(value, indent=chance.choice((None, 2)), ensure_ascii=False)
    if chance.random() < 0.3:
        text = with_comments(text, chance).replace("}", chance.choice((", ... }", "}", "}")), 1)
    start = chance.choice((
        "I only changed the title:", "Here is the part that changes.", f"<think>{sentence(chance)} {{{chance.choice(FIELDS)}}}</think>", "Sure! The new block:", f"**{chance.choice(NOUNS).title()}**", f"{sentence(chance)}\n\n{sentence(chance)}", "<|channel|>final<|message|>",
    ))  # fmt: skip
    end = chance.choice(
        (
            "The rest stays as it is.",
            "Shall I go on?",
            f"{sentence(chance)}",
            'Let me know if the "rest" needs changes!',
            "",
            f"And then:\n\n{fenced(json_text(chance, '', 1), chance)}",
        )
    )
    block = chance.choice(
        (
            fenced(text, chance),
            fenced(text, chance),
            text,
            f"`{text}`",
            fenced("- " + text.replace("\n", "\n- "), chance),
        )
    )
    return "\n\n".join(part for part in (start, block, end) if part) + "\n"


def json_in_prose(chance: Random, key: str) -> str:
    text = json_text(chance, key, 1)
    short = json.dumps(object_of(chance, 0, key), ensure_ascii=False)
    return chance.choice((
        f"a {chance.choice(NOUNS)} looks like {short}\n", f"The response is:\n\n{text}\n\n{paragraph(chance)}\n", f"{short} is what I get, why?\n", f"{paragraph(chance)}\n\n{text}\n",
        f"HTTP/1.1 200 OK\nContent-Type: application/json\nDate: Wed, 01 May 2024 10:00:00 GMT\n\n{text}\n", f"$ curl -s https://example.org/api/{chance.choice(NOUNS)}\n{text}\n$ echo $?\n0\n", f">>> {short.replace('null', 'None')}\n{{'a': 1}}\n",
        f"## GET /{chance.choice(NOUNS)}\n\nRequest:\n\n{fenced(short, chance)}\n\nResponse:\n\n{fenced(text, chance)}\n", f"From: a@example.org\nSubject: {chance.choice(NOUNS)}\n\n> {text.replace(chr(10), chr(10) + '> ')}\n\n{sentence(chance)}\n", f"var x = {short}; // {sentence(chance)}\n",
        f"{short}\n{sentence(chance)}\n", f"Expected [{chance.randrange(9)}, {short}] but got {short}.\n",
    ))  # fmt: skip


def other_json(chance: Random, key: str) -> str:
    """Return a whole JSON text: a file of another program, or a part of a RUI."""
    names = {key: "0.1" if key == "version" else {"total": 3}} if key else {}
    value = chance.choice((
        lambda: {"name": "shop", "private": True, "scripts": {"build": "vite"}, "dependencies": {"vue": "^3.4.0"}, "files": None},
        lambda: {"compilerOptions": {"strict": True, "paths": {"@/*": ["src/*"]}}, "include": ["src"], "extends": None},
        lambda: {"cells": [{"cell_type": "code", "source": ["a = 1"], "outputs": []}], "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4},
        lambda: {"openapi": "3.1.0", "info": {"title": "Orders", "description": "x"}, "paths": {"/orders": {"get": {}}}},
        lambda: {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "shop"}, "spec": {"replicas": 2}},
        lambda: {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}]},
        lambda: {"data": [object_of(chance, 1)], "links": {"next": None}}, lambda: {"routes": [{"src": "/a", "dest": "/b"}], "cleanUrls": True},
        lambda: {"menu": {"id": "file", "value": "File", "popup": {"menuitem": [{"value": "New"}]}}}, lambda: chance.choice(PARTS)(chance), lambda: {},
        lambda: object_of(chance, 2), lambda: {"views": [], "name": None}, lambda: {"tabs": [{"url": "/a"}]},
    ))()  # fmt: skip
    value = {**value, **names} if chance.random() < 0.5 else {**names, **value}
    whole: Json = value
    if chance.random() < 0.15:
        whole = [value, value]
    return json.dumps(whole, indent=chance.choice((None, 2)), ensure_ascii=False) + chance.choice(("", "\n"))


SORTS: dict[str, Callable[[Random, str], str]] = {
    "code": code, "prose": prose, "logs": log, "HTML": html, "CSV": csv, "YAML": yaml, "answers of models": chat,
    "JSON in prose": json_in_prose, "other JSON": other_json,
}  # fmt: skip
"""The sorts of texts by name: (chance, key of a RUI or ``""``) → text."""


def other_text(number: int) -> tuple[str, str]:
    """Return the sort and the text with a number."""
    chance = random.Random(f"other {number}")
    sort = [*SORTS][number % len(SORTS)]
    key = KEYS[(number // len(SORTS)) % len(KEYS)]
    text = SORTS[sort](chance, key)
    if chance.random() < 0.03:  # a long one
        text += "".join(SORTS[sort](chance, "") if sort != "other JSON" else " \n" for _ in range(60))
    if chance.random() < 0.05:
        text = text.replace("\n", "\r\n")
    return sort, text


def keys_of_a_rui(text: str) -> set[str]:
    """Return the properties of the root that a text has, however they are written."""
    names = "|".join(VOCABULARY.root.props)
    return set(re.findall(rf"\b({names})\b[\"'\\]*\s*(?:[:=]|=>)", text))


# What the surfaces do with them ---------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What the surfaces make of a text."""

    changed: list[str]  # the surfaces that change it, or offer a fix as safe
    first_error: str  # the message of its first error


def outcome(text: str, folder: Path) -> Outcome:
    """Send a text through every surface that may change it."""
    changed = []
    file = folder / "text.rui.json"
    file.write_bytes(text.encode())
    rui("check", "--fix", file)
    if file.read_bytes() != text.encode():
        changed.append("rui check --fix")
    if rui("check", "--fix", "-", stdin=text).out != text:
        changed.append("rui check --fix -")
    editor = opened(text)
    on_save = actions(editor, only=["source.fixAll"])
    if on_save and done(editor, on_save[0]) != text:
        changed.append("source.fixAll")
    if json.loads(answer_editor("fix-all", text, (0, 0), (0, 0)))["edits"]:
        changed.append("playground")
    analysis = Analysis(read(text))
    fixes = [fix for diagnostic in analysis.diagnostics[:100] for fix in find_fixes(analysis, diagnostic)]
    if any(fix.is_safe for fix in fixes):
        changed.append("a fix is safe")
    return Outcome(changed, analysis.diagnostics[0].message if analysis.diagnostics else "")


def main() -> None:
    """Print how many texts of each sort are changed, and their first errors; the exit code is 1 if one is changed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    count, size, with_key, changed = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    first_errors = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.texts):
            sort, text = other_text(number)
            result = outcome(text, Path(folder))
            count[sort] += 1
            size[sort] += len(text.encode())
            with_key[sort] += bool(keys_of_a_rui(text))
            first_errors[re.sub(r'".*"|\d+', "…", result.first_error)] += 1
            if result.changed:
                changed[sort] += 1
                print(f"text {number}, {sort}: {', '.join(result.changed)}")
    for sort in count:
        print(
            f"{sort:18} {count[sort]:6,} texts, {size[sort]:9,} bytes, {with_key[sort]:4,} with a key of a RUI: {changed[sort]} changed"
        )
    print(
        f"{'all':18} {count.total():6,} texts, {size.total():9,} bytes, {with_key.total():4,} with a key of a RUI: {changed.total()} changed"
    )
    for message, number in first_errors.most_common(12):
        print(f"{number:6,} {message}")
    sys.exit(changed.total() > 0)


if __name__ == "__main__":
    main()
