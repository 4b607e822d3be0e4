"""Two roads to one page: by functions made from the vocabulary, and property by property. They agree on everything."""

import copy
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.sample import sample
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_inspector.escape import Written
from rui_inspector.html import json_listing as listing
from rui_inspector.html import values
from rui_inspector.html.compiled import Functions
from rui_inspector.html.pages import Query, Side, comparison_page, document_page
from rui_inspector.model import shape_layouts as plans
from rui_inspector.model.view import view_of
from tests.rui_inspector.pages import BROKEN, HOST, HOSTILE, check_spec, with_text_everywhere

DESK = json.loads((Path(__file__).parents[2] / "examples" / "order-desk.rui.json").read_text())
ODD = [None, 1, True, 1.5, "", " ", [], {}, ["a", 2], {"x": {"y": "z"}}, "<>&'\"" * 99, "x" * 400, "é\n\t\u2028",
       "%s{}", [[1], {"a": "b"}], *HOSTILE]  # fmt: skip
NAMES = ["mine", "<b>", "type", "id", "title", "label", "key", "%s{}", "é'", "__proto__"]


def spoilt(value: object, chance: random.Random) -> object:
    """A copy in which some properties are odd, gone, elsewhere, or too many."""
    value = copy.deepcopy(value)
    waiting = [value]
    while waiting:
        it = waiting.pop()
        for key in [*it] if isinstance(it, dict) else range(len(it)):
            fate = chance.random()
            if fate < 0.03:
                it[key] = copy.deepcopy(chance.choice(ODD))
            elif fate < 0.06 and isinstance(it, dict):
                old = it.pop(key)
                if fate > 0.04:
                    it[key if fate > 0.05 else chance.choice(NAMES)] = old
            elif isinstance(it[key], dict | list):
                waiting.append(it[key])
    return value


def spoilt_documents(count: int) -> Iterator[dict[str, object]]:
    for seed in range(count):
        chance = random.Random(seed)
        yield spoilt(chance.choice([full_example(), DESK, sample(4_000)]), chance)


@contextmanager
def the_long_way() -> Iterator[None]:
    """Nothing is usual: no function is made, nothing is remembered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Functions, "__missing__", lambda *_: None)
        for functions in (listing._lines, values._usual_pieces, values._usual_requests):
            patch.setattr(functions, "_made", {})
        patch.setattr(Written, "prepare", lambda *_: None)
        patch.setattr(plans, "are_few", lambda _: False)
        plans.plans_of.cache_clear()
        yield
    plans.plans_of.cache_clear()


def pages(document: dict[str, object]) -> list[str]:
    text = json.dumps(document, indent=1)
    return [
        *(check_spec(document, query=query).html for query in (Query(), Query("or e"), Query("<b"), Query("", "none"))),
        document_page(text, HOST),
        comparison_page(Side(document, "a", "/a"), Side(full_example(), "b", "/b"), HOST),
    ]


def check(document: dict[str, object]) -> None:
    fast = pages(document)
    with the_long_way():
        assert pages(document) == fast


@pytest.mark.parametrize(
    "document",
    [minimal_example(), full_example(), DESK, sample(30_000), *BROKEN, *map(with_text_everywhere, HOSTILE[:20])],
    ids=lambda it: ascii(json.dumps(it))[:60],
)
def test_both_roads_lead_to_one_page(document: dict[str, object]) -> None:
    check(document)


def test_both_roads_lead_to_one_page_of_spoilt_documents() -> None:
    for document in spoilt_documents(25):
        check(document)


def test_what_is_usual_takes_the_short_road() -> None:
    document = sample(30_000)
    check_spec(document)
    for node in view_of(document).nodes:
        assert node.plan.is_usual
        assert node.plan.lines is not None
        assert node.plan.rows is not None


def test_made_up_names_are_not_remembered_for_ever() -> None:
    long, many = {"x" * 1_000: 1}, {f"n{number}": 1 for number in range(100)}
    for value in (long, many):
        assert not plans.are_few(tuple(value))
    kept = plans.Plans(VOCABULARY)
    for number in range(2 * plans.MOST_KEPT):
        kept.plan(None, (f"made-up-{number}",))
    assert len(kept._kept) <= plans.MOST_KEPT
