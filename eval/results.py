"""The result of a run: a file by model and date, so that models and versions of the hints can be compared."""

import json
import re
from collections import Counter
from datetime import date
from itertools import count
from pathlib import Path
from typing import NamedTuple

from eval.loss import loss
from eval.scoring import Report
from eval.transcripts import Exchange, effort_of
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error


class Result(NamedTuple):
    """What a model needed for a task, and how good its RUI is.

    Attributes:
        date: the day of the run, in ISO 8601.
        score: the share of the checks that passed, 0 to 1.
        rounds: the number of RUIs that were sent, up to the first valid one.
        sent, received: bytes of all bodies.
        first_answer: bytes of the answer to the first RUI; 0 if none was sent.
        errors: how often each error code was answered.
        warnings: how often the final document has each warning.
        lost: what the final document does not show of the first draft, although RUI can express it.
    """

    task: str
    model: str
    date: str
    score: float
    rounds: int
    requests: int
    sent: int
    received: int
    first_answer: int
    errors: dict[str, int]
    warnings: dict[str, int]
    lost: list[str]


def result_of(task: str, model: str, day: date, exchanges: list[Exchange], report: Report, final: object) -> Result:
    """Return the result of a run.

    Args:
        final: the stored RUI; None if none was stored: then nothing is compared.
    """
    sent = [exchange for exchange in exchanges if exchange.is_rui]
    warnings: Counter[str] = Counter()
    lost: list[str] = []
    if final is not None:
        text = json.dumps(final).encode()
        warnings = Counter(
            diagnostic.code for diagnostic in Analysis(read(text)).diagnostics if not is_error(diagnostic)
        )
        lost = [f"{content.line().strip()}" for content in loss(sent[0].body.encode(), text).lost]
    return Result(
        task, model, day.isoformat(), round(report.share, 3), *effort_of(exchanges),
        first_answer=sent[0].response_bytes if sent else 0,
        errors=dict(Counter(code for exchange in exchanges for code in exchange.errors)),
        warnings=dict(warnings), lost=lost,
    )  # fmt: skip


def write(result: Result, folder: Path) -> Path:
    """Write a result to a new file, such as ``model-2026-01-31-task.json``; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", f"{result.model}-{result.date}-{result.task}")
    names = (f"{name}{'' if number == 1 else f'-{number}'}.json" for number in count(1))
    path = next(folder / candidate for candidate in names if not (folder / candidate).exists())
    path.write_text(json.dumps(result._asdict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
