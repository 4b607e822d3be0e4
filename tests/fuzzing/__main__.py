"""Fuzz a part of the core, guided by its coverage: inputs that reach new code are changed further.

python -m tests.fuzzing read|fix|format|merge [FOLDER] [options of libFuzzer, such as -max_total_time=600]

It needs the package atheris: `pip install --group fuzzing`. The folder keeps the inputs of earlier runs. A failure
writes its input to the file `crash-…`, and `python -m tests.fuzzing TARGET crash-…` repeats it. Add it to `FOUND` of
tests/fuzzing/test_invariants.py.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rui_common"]):
    from tests.fuzzing.invariants import CHECKS, SEPARATOR

from tests.inputs.sample import sample_text
from tests.support.corpus import read_cases

MAX_LENGTH = 4_000
"""Maximum length of an input in bytes: longer ones take longer, and reach no other code."""

WORDS = (
    '"id"', '"type"', '"children"', '"pages"', '"navigation"', '"items"', '"pageId"', '"version"', '"0.1"', '"meta"',
    '"Page"', '"Section"', '"Table"', '"Metric"', '"Text"', '"columns"', '"key"', '"filter"', '"binding"',
    '"valuePath"', "```", "<<<<<<<", "=======", ">>>>>>>", "null", "true", "//", "/*", "...", "\\u", SEPARATOR,
)  # fmt: skip


def seeds(target: str) -> list[str]:
    """Return the texts from which the fuzzer begins: those of the corpus, or three versions of a document."""
    if target == "merge":
        text = sample_text(1_000)
        return [SEPARATOR.join((text, text.replace("a", "b"), text)), SEPARATOR.join([sample_text(600)] * 3)]
    return [case.text for case in read_cases()]


def main(arguments: list[str]) -> None:
    check = CHECKS[arguments[0]]

    def run(data: bytes) -> None:
        check(data.decode("utf-8", "replace"))

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for number, text in enumerate(seeds(arguments[0])):
            (folder / f"seed-{number}").write_text(text, encoding="utf-8", newline="")
        words = folder / "words"
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS))
        options = [f"-dict={words}", f"-max_len={MAX_LENGTH}", *arguments[1:]]
        if not any(Path(argument).is_file() for argument in arguments[1:]):
            options.append(temporary)
        atheris.Setup([sys.argv[0], *options], run)
        atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
