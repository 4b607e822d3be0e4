"""`python -m eval.api_transcripts [TASK …]`: how an agent corrects bindings by the output of `rui check --openapi`.

`apis/NAME/task.md` is a task in the words of a user. `draft.json` was written from the task and the vocabulary alone,
with names guessed from the words of the task. `agent-1.json` and `agent-2.json` follow only the output of `rui check`
for the document before. The command checks them again and writes `transcript.md`.

`apis/github.json` is an excerpt of GitHub's OpenAPI description (npm `@octokit/openapi`, MIT): all paths, and the
responses of those that the documents use. `--excerpt FILE` writes it from the whole description.

The exit code is 1 if the last document of a task has differences, or comes after more than `MAX_RUNS` runs.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_openapi.bindings import bindings_of
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api, read_api
from rui_openapi.reading.references import References

FOLDER = Path(__file__).parent / "apis"
DESCRIPTION = FOLDER / "github.json"
EXCERPT = "--excerpt"

MAX_RUNS = 3
"""Maximum number of runs of `rui check`; the last one reports nothing."""

Json = Any


class Run(NamedTuple):
    """One run of `rui check` and the document that it checks."""

    document: Json
    found: list[Diagnostic]


def names() -> list[str]:
    """Return the names of all tasks."""
    return sorted(path.parent.name for path in FOLDER.glob("*/draft.json"))


def paths(name: str) -> list[Path]:
    """Return the documents of a task, the draft first."""
    return [FOLDER / name / "draft.json", *sorted((FOLDER / name).glob("agent-*.json"))]


def runs(name: str, api: Api) -> list[Run]:
    """Check the documents of a task again."""
    done = []
    for path in paths(name):
        document = read(path.read_bytes())
        done.append(Run(document.value, [*diagnose(document), *api_diagnostics(document, api)]))
    return done


def is_within_limit(done: list[Run]) -> bool:
    """Return whether the last run reports nothing, the others do, and `MAX_RUNS` sufficed."""
    return not done[-1].found and all(run.found for run in done[:-1]) and len(done) <= MAX_RUNS


def markdown(name: str, done: list[Run]) -> str:
    """Return a transcript as a page."""
    task = (FOLDER / name / "task.md").read_text(encoding="utf-8").strip()
    lines = [f"# {name}", "", *[f"> {line}" for line in task.split("\n")], "", f"{len(done)} runs.", ""]
    for number, (run, path) in enumerate(zip(done, paths(name), strict=True), 1):
        lines += [f"## Run {number}: `rui check --openapi github.json {path.name}`", ""]
        lines += [f"- {one.code} {one.message} {one.hint}" for one in run.found] or ["No differences."]
        lines.append("")
        if number < len(done):
            lines += ["```diff", *changes(run.document, done[number].document), "```", ""]
    return "\n".join(lines)


def excerpt(description: str) -> Json:
    """Return what the documents need of GitHub's description: every path, and the responses that they use."""
    api = read_api(description)
    whole = json.loads(Path(description).read_text(encoding="utf-8"))
    used = {found[0].path for found in map(api.find, _endpoints(api)) if found is not None}
    schemas: dict[str, Json] = {}
    items = {}
    for operation in api.operations.values():
        source = whole["paths"][operation.path]
        item: Json = {method.lower(): {} for method in operation.others}
        if operation.is_readable:
            item["get"] = {"parameters": _parameters(whole, source["get"])}
        schema = operation.schema
        if operation.path in used and schema is not None:
            value = _kept(schema.value, schema.base, api.references, schemas)
            item["get"]["responses"] = {"200": {"content": {"application/json": {"schema": value}}}}
        items[operation.path] = item
    info = {"title": "Excerpt of GitHub's REST API", "version": whole["info"]["version"], "license": {"name": "MIT"}}
    return {"openapi": whole["openapi"], "info": info, "paths": items, "components": {"schemas": schemas}}


def _endpoints(api: Api) -> list[str]:
    """Return the paths of all documents, and those that their hints propose."""
    endpoints = []
    for name in names():
        for path in paths(name):
            for binding in bindings_of(json.loads(path.read_text(encoding="utf-8"))):
                endpoint = binding.endpoint.value
                endpoints += [endpoint, api.closest(endpoint) or endpoint]
    return endpoints


def _parameters(whole: Json, operation: Json) -> list[Json]:
    """Return the parameters of a path that matter for matching it."""
    found = []
    for parameter in operation.get("parameters", ()):
        if "$ref" in parameter:
            parameter = whole["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]  # noqa: PLW2901
        kept = {"name": parameter["name"], "in": parameter["in"]}
        is_integer = parameter.get("schema", {}).get("type") == "integer"
        if parameter["in"] == "path" and (is_integer or parameter.get("x-multi-segment")):
            kept |= {"schema": {"type": "integer"}} if is_integer else {"x-multi-segment": True}
            found.append(kept)
    return found


def _kept(value: Json, base: str, references: References, schemas: dict[str, Json]) -> Json:
    """Return a schema without texts; add those that it refers to."""
    if isinstance(value, list):
        return [_kept(inner, base, references, schemas) for inner in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        target = references.target(reference, base)
        if name not in schemas and target is not None:
            schemas[name] = {}
            schemas[name] = _kept(target.value, target.base, references, schemas)
    texts = {key for key in ("description", "title") if isinstance(value.get(key), str)}
    return {key: _kept(inner, base, references, schemas) for key, inner in value.items() if key not in texts}


def changes(before: Json, after: Json) -> list[str]:
    """Return the lines that differ, without their surroundings."""
    return [*difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0)][2:]


def _lines(value: Json) -> list[str]:
    return json.dumps(value, indent=1, ensure_ascii=False).split("\n")


def main(arguments: list[str]) -> int:
    """Write the transcripts and print their figures; return the exit code."""
    if arguments[:1] == [EXCERPT]:
        DESCRIPTION.write_text(json.dumps(excerpt(arguments[1]), indent=1) + "\n", encoding="utf-8")
        return 0
    unknown = set(arguments) - set(names())
    if unknown:
        print(f"unknown task: {', '.join(sorted(unknown))}; known: {', '.join(names())}", file=sys.stderr)
        return 2
    api = read_api(str(DESCRIPTION))
    all_within_limit = True
    for name in arguments or names():
        done = runs(name, api)
        (FOLDER / name / "transcript.md").write_text(markdown(name, done), encoding="utf-8")
        print(f"{name:<20}{len(done)} runs, {', '.join(str(len(run.found)) for run in done)} differences")
        all_within_limit &= is_within_limit(done)
    return 0 if all_within_limit else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
