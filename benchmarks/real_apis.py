"""Bindings compared with real OpenAPI descriptions: false warnings, misspelt names and their hints, and time.

The descriptions are npm packages: GitHub's, and the collection of ReadMe. Without npm, only times are measured.
"""

from __future__ import annotations

import gc
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.api_samples import document_of, misspell, samples
from rui_openapi.comparison.check import Mismatch, mismatches
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError

PACKAGES = {"@octokit/openapi": "23.0.2", "@readme/oas-examples": "8.2.2"}
FOLDER = Path(__file__).parent.parent / "build" / "openapi"
GITHUB = "@octokit/openapi/generated/api.github.com.json"
EXAMPLES = "@readme/oas-examples"
OTHERS = {"Star Trek": f"{EXAMPLES}/3.0/json/star-trek.json", "ReadMe": f"{EXAMPLES}/3.1/json/readme.json"}

SAMPLES = 200
SEED = 18
MIN_REPAIRED = 0.95
OPERATIONS = 1_000
BINDINGS = 100
MAX_INDEX_SECONDS = 1.0
MAX_CHECK_SECONDS = 0.002
ROUNDS = 20


def main() -> bool:
    """Print the results; return whether all limits are kept."""
    kept = print_times()
    modules = install()
    if modules is None:
        print("  (npm is not there, so there are no real descriptions)")
        return kept
    kept &= print_examples(modules / EXAMPLES)
    for name, path in {"GitHub": GITHUB, **OTHERS}.items():
        kept &= print_names(name, modules / path)
    return kept


def install() -> Path | None:
    """Install the packages once; return the folder of modules, or None without npm."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    modules = FOLDER / "node_modules"
    if not (modules / GITHUB).exists() or not (modules / EXAMPLES).exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
        command = [npm, "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
        subprocess.run([*command, *wanted], check=True)
    return modules


def print_limit(name: str, text: str, is_kept: bool) -> bool:
    """Print one result and its verdict."""
    print(f"  {name:52}{text:>24}  {'ok' if is_kept else 'MISSED'}")
    return is_kept


def print_examples(folder: Path) -> bool:
    """Print how many descriptions load, or end in one sentence."""
    print("\nThe collection of ReadMe")
    loaded = 0
    sentences = 0
    failures = []
    for path in sorted([*folder.glob("*.*/json/*.json"), *folder.glob("*.*/yaml/*.yaml")]):
        try:
            api = read_api(str(path))
            for operation in api.readable():
                api.response(operation)
            loaded += 1
        except OpenApiError as error:
            sentences += 1
            if "\n" in str(error) or "/2.0/" not in str(path):
                failures.append(str(error))
        except Exception as error:
            failures.append(f"{path}: {error!r}")
    for failure in failures:
        print(f"    {failure}")
    return print_limit("load, or one sentence (Swagger 2.0)", f"{loaded} + {sentences}", not failures)


def print_names(name: str, path: Path) -> bool:
    """Print false warnings, warnings for misspelt names, and repairs by hints."""
    start = time.perf_counter()
    api = read_api(str(path))
    seconds = time.perf_counter() - start
    print(f"\n{name}: {len(api.readable())} GET operations, {path.stat().st_size:,} bytes, {seconds:.2f} s")
    chance = random.Random(SEED)
    chosen = samples(api, chance, SAMPLES)
    wrong = [found for sample in chosen for found in check(api, sample.block())]
    kept = print_limit(
        f"false warnings of {len(chosen)} bindings", str(len(wrong)), not wrong and len(chosen) == SAMPLES
    )
    singles = repaired = total = 0
    for sample in chosen:
        misspelt = misspell(api, sample, chance)
        if misspelt is None:
            continue
        total += 1
        found = check(api, misspelt.sample.block())
        singles += len(found) == 1
        is_repaired = len(found) == 1 and found[0].advice.replacement == misspelt.before
        repaired += is_repaired
        if not is_repaired:
            print(f"    {misspelt}: {[one.hint()[:150] for one in found]}")
    kept &= print_limit("misspelt, with exactly one warning", f"{singles} of {total}", singles == total)
    return kept & print_limit("… whose hint repairs it", f"{repaired} of {total}", repaired >= MIN_REPAIRED * total)


def check(api: Api, block: dict[str, object]) -> list[Mismatch]:
    """Return the differences of a document with one block."""
    return list(mismatches(document_of([block]), api))


def print_times() -> bool:
    """Print the times of an index and of checks next to their limits."""
    print(f"\nA description with {OPERATIONS:,} operations")
    value = description(OPERATIONS)
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        texts = {
            "api.json": json.dumps(value),
            "api.yaml": yaml.dump(value, Dumper=getattr(yaml, "CDumper", yaml.Dumper)),
        }
        for name, text in texts.items():
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            seconds = best(lambda path=path: read_api(str(path)), 3)
            size = f"{path.suffix[1:].upper()}, {len(text):,} bytes"
            kept &= print_limit(f"index, {size}", f"{seconds:.3f} s", seconds <= MAX_INDEX_SECONDS)
        api = read_api(str(Path(folder) / "api.json"))
    chosen = samples(api, random.Random(SEED), BINDINGS)
    document = document_of([sample.block() for sample in chosen])
    assert not list(mismatches(document, api))
    seconds = best(lambda: list(mismatches(document, api)), ROUNDS)
    shown = f"{seconds * 1e3:.2f} ms"
    return print_limit(f"check of {len(chosen)} bindings", shown, seconds <= MAX_CHECK_SECONDS) & kept


def best(function: object, rounds: int) -> float:
    """Return the shortest time of a call."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        function()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return min(times)


def description(operations: int) -> dict[str, object]:
    """Return a description with envelopes, references, alternatives and parameters."""
    paths: dict[str, object] = {}
    schemas: dict[str, object] = {}
    for number in range(operations):
        name = f"Thing{number}"
        row = {f"field{index}": {"type": ("string", "integer", "boolean")[index % 3]} for index in range(12)}
        row["parent"] = {"oneOf": [{"$ref": f"#/components/schemas/Thing{number // 2}"}, {"type": "null"}]}
        schemas[name] = {"allOf": [{"type": "object", "properties": row}, {"properties": {"note": {"type": "string"}}}]}
        items = {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}
        envelope = {"type": "object", "properties": {"items": items, "total": {"type": "integer"}}}
        responses = {"200": {"description": "The data.", "content": {"application/json": {"schema": envelope}}}}
        parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
        paths[f"/group{number % 40}/{{id}}/things{number}"] = {
            "parameters": [parameter],
            "get": {"summary": f"List things {number}", "responses": responses},
        }
    return {"openapi": "3.1.0", "info": {"title": "Things", "version": "1"}, "paths": paths,
            "components": {"schemas": schemas}}  # fmt: skip


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
