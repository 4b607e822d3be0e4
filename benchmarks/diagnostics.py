"""What diagnostics are worth: values kept in broken texts, rounds until a document is valid, false and missed warnings.

The peer for broken texts is the parser of VS Code, jsonc-parser.
"""

import json
import random
import statistics
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import filterfalse
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import ROOT, Row, in_turns, installed, median_ratio, timed
from rui_common.syntax.document import read
from rui_common.texts import shorten
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError
from rui_openapi.ground import MAX_EXAMPLE, describe_data
from tests.inputs import convergence, text_rounds
from tests.inputs.api_samples import document_of, misspell, own_examples, samples, suggested_texts
from tests.inputs.sample import sample_text
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, cases, leaves, single_breaks

Leaf = tuple[tuple[str | int, ...], str]

PACKAGES = ("@octokit/openapi@23.0.2", "@readme/oas-examples@8.2.2")
EXAMPLES = "@readme/oas-examples"
DESCRIPTIONS = {
    "GitHub": "@octokit/openapi/generated/api.github.com.json",
    "Star Trek": f"{EXAMPLES}/3.0/json/star-trek.json",
    "ReadMe": f"{EXAMPLES}/3.1/json/readme.json",
}
WITH_EXAMPLES = {
    "GitHub": DESCRIPTIONS["GitHub"],
    "Train Travel": f"{EXAMPLES}/3.1/json/train-travel.json",
    "USPTO": f"{EXAMPLES}/3.0/json/uspto.json",
}
BINDINGS = 200
LARGE = 250_000


def rows(options: list[str]) -> Iterator[Row]:
    """Yield shares and counts."""
    assert not options
    yield from _analysis()
    yield from _broken_texts("corpus of broken documents", _corpus(), min_one_error=None)
    yield from _broken_texts("one wrong character", _breaks(), min_one_error=0.97)
    yield from _rounds()
    yield from _bindings()


def _analysis() -> Iterator[Row]:
    """Yield what the analysis of a large text, with its warnings, takes beside reading its JSON alone."""
    valid = sample_text(LARGE)
    middle = valid.index('"type": "', len(valid) // 2)
    broken = f"{valid[:middle]}'type{valid[middle + 5 :]}"
    assert not read(broken).valid
    measures = {
        "json": timed(lambda: json.loads(valid)),
        "valid": timed(lambda: Analysis(read(valid)).diagnostics),
        "broken": timed(lambda: Analysis(read(broken)).diagnostics),
    }
    seconds = in_turns(measures, 25)
    limits = {"valid": 9, "broken": 12}  # with all warnings
    for name, limit in limits.items():
        ratio = median_ratio(seconds[name], seconds["json"])
        detail = f"{1e3 * statistics.median(seconds[name]):.1f} ms"
        yield Row(f"diagnostics of a {name} text of 250 KB, beside json.loads", ratio, limit, detail=detail)


class Text(NamedTuple):
    """A broken text, and the values that it still contains."""

    text: str
    wanted: set[Leaf]


class Outcome(NamedTuple):
    """The result of a parser: the number of errors, and the values with their paths."""

    errors: int
    found: set[Leaf]


def _corpus() -> list[Text]:
    texts = []
    for case in cases():
        original = read(case.original)
        there = ((path, original.find(path)) for path, _ in leaves(original.value))
        left = {path for path, member in there if member is not None and member.end <= case.cut}
        texts.append(Text(case.broken, {leaf for leaf in leaves(original.value) if leaf[0] in left}))
    return texts


def _breaks() -> list[Text]:
    text = (FOLDER / "desk.json").read_text(encoding="utf-8")
    wanted = set(leaves(json.loads(text)))
    broken = (broken for _, broken in single_breaks(text, random.Random(1), 400))
    return [Text(text, wanted) for text in broken if not read(text).valid]


def _broken_texts(title: str, texts: list[Text], min_one_error: float | None) -> Iterator[Row]:
    documents = [read(text.text) for text in texts]
    ours = [Outcome(len(document.syntax), set(leaves(document.value))) for document in documents]
    peer = _jsonc([text.text for text in texts])
    shares = [_kept(texts, ours), _kept(texts, peer)]
    detail = f"of {len(texts):,} texts; jsonc-parser {shares[1]:.3f}"
    yield Row(f"{title}: share of the values kept", shares[0], 0.98, is_minimum=True, detail=detail)
    means = [statistics.mean(outcome.errors for outcome in outcomes) for outcomes in (ours, peer)]
    yield Row(f"{title}: errors per text", means[0], 1.1, detail=f"jsonc-parser {means[1]:.2f}")
    share = [outcome.errors for outcome in ours].count(1) / len(ours)
    yield Row(f"{title}: share with exactly one error", share, min_one_error, is_minimum=True)
    yield Row(f"{title}: texts without an error", [outcome.errors for outcome in ours].count(0), 0)


def _kept(texts: list[Text], outcomes: list[Outcome]) -> float:
    pairs = zip(texts, outcomes, strict=True)
    return sum(len(text.wanted & outcome.found) for text, outcome in pairs) / sum(len(text.wanted) for text in texts)


def _jsonc(texts: list[str]) -> list[Outcome]:
    modules = installed("jsonc", "jsonc-parser@3.3.1")
    command = ["node", str(ROOT / "benchmarks" / "jsonc.mjs"), str(modules)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [
        Outcome(outcome["faults"], {_leaf(*leaf) for leaf in outcome["leaves"]}) for outcome in json.loads(done.stdout)
    ]


def _leaf(path: list[str | int], value: Any) -> Leaf:
    return tuple(path), json.dumps(value)


def _rounds() -> Iterator[Row]:
    by_number = convergence.measure(range(500))
    total = sum(by_number.values(), Counter())
    several = total - by_number[1]
    what = "2 to 8 broken places: share valid after one round of fixes"
    share = convergence.share(several)
    yield Row(what, share, convergence.TARGET, is_minimum=True, detail=f"of {several.total():,} documents")
    yield Row("1 to 8 broken places: most rounds", max(total), 2)
    counts = text_rounds.trials(range(3_000))
    share = convergence.share(counts[text_rounds.ALL])
    detail = f"of {counts[text_rounds.ALL].total():,} texts; a client that follows the hints"
    yield Row("one change of the text: share that is JSON after one round", share, text_rounds.TARGET, True, detail)
    most = max(*counts[text_rounds.ALL], *counts[text_rounds.LOST])
    yield Row("one change of the text: most rounds", most, text_rounds.MAX_ROUNDS)


def _bindings() -> Iterator[Row]:
    """Compare bindings with real OpenAPI descriptions, and the same bindings with a misspelt name."""
    modules = installed("openapi", *PACKAGES)
    yield _readable(modules / EXAMPLES)
    for name, path in DESCRIPTIONS.items():
        yield from _names(name, read_api(str(modules / path)))
    for name, path in WITH_EXAMPLES.items():
        yield from _grounded(name, modules / path)


def _readable(folder: Path) -> Row:
    """Count the descriptions that can neither be read nor end in one sentence, as Swagger 2.0 does."""
    failures = []
    paths = sorted([*folder.glob("*.*/json/*.json"), *folder.glob("*.*/yaml/*.yaml")])
    for path in paths:
        try:
            api = read_api(str(path))
            for operation in api.operations.values():
                api.response(operation)
        except OpenApiError as error:
            if "\n" in str(error) or "/2.0/" not in str(path):
                failures.append(path.name)
        except Exception as error:  # a crash is what is counted
            failures.append(f"{path.name}: {error!r}")
    return Row(
        f"descriptions of ReadMe that cannot be read, of {len(paths)}", len(failures), 0, detail=str(failures[:3])
    )


def _names(name: str, api: Api) -> Iterator[Row]:
    chance = random.Random(18)
    chosen = samples(api, chance, BINDINGS)
    assert len(chosen) == BINDINGS
    false = sum(len(_check(api, sample.block())) for sample in chosen)
    yield Row(f"{name}: false warnings of {BINDINGS} bindings", false, 0)
    found = []
    for sample in chosen:
        misspelt = misspell(api, sample, chance)
        if misspelt is not None:
            wrong, before = misspelt
            warnings = _check(api, wrong.block())
            is_single = len(warnings) == 1
            found.append((is_single, is_single and suggested_texts(warnings[0]) == [before]))
    singles = sum(is_single for is_single, _ in found)
    yield Row(f"{name}: {len(found)} misspelt names without exactly one warning", len(found) - singles, 0)
    share = sum(is_repaired for _, is_repaired in found) / len(found)
    yield Row(f"{name}: share that the hint repairs", share, 0.95, is_minimum=True)


def _grounded(name: str, path: Path) -> Iterator[Row]:
    """Count the values in grounded wireframes that no example or enum of the description has."""
    api = read_api(str(path))
    blocks = [sample.block() for sample in samples(api, random.Random(18), BINDINGS)]
    found = describe_data(Analysis(read(json.dumps(document_of(blocks)))), api)
    examples = {*own_examples(json.loads(path.read_text(encoding="utf-8")))}
    examples |= {shorten(text, MAX_EXAMPLE) for text in examples}
    shown = [text for value in found.values.values() for text in value.examples if text]
    yield Row(
        f"{name}: {len(shown)} examples shown, of them invented", len([*filterfalse(examples.__contains__, shown)]), 0
    )
    yield Row(f"{name}: bindings that are not in the description, of {BINDINGS}", found.bindings - found.found, 0)
    share = sum(any(value.examples) for value in found.values.values()) / len(found.values)
    yield Row(f"{name}: share of shown values with an example", share)


def _check(api: Api, block: dict[str, object]) -> list[Diagnostic]:
    return api_diagnostics(Analysis(read(json.dumps(document_of([block])))), api)
