"""Random policies: the command line and the language server report the same documents, places, codes and severities.

python -m tests.inputs.policies --policies 50
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rui_common.problems.lints import WARNINGS
from rui_common.project.policy import places_of
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.session.uris import path_from_uri
from tests.rui_lsp.conversation import REFRESHES, Conversation
from tests.support.corpus import read_cases
from tests.support.strategies import Random

_ROOT = Path(__file__).parent.parent.parent

Found = Counter[tuple[str, int, int, str, str]]
"""Name, line, column, severity and code of diagnostics."""

_LINE = re.compile(r"(?P<name>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning)\[(?P<code>[^\]]+)\].*")
_SEVERITIES = {1: "error", 2: "warning", 4: "error"}  # that of an empty document is a hint while it is open
_GLOBS = ("*", "./0*", "b/*", "**/*7.rui.json", "a/**", "[0-4]*.rui.json", "*.json", "none/*", "??3*")


def write_corpus(folder: Path, every: int = 1) -> None:
    """Write the texts of the corpus as files of three folders; one of some."""
    for number, case in enumerate(read_cases()[::every]):
        inner = folder / ("", "a", "b/c")[number % 3]
        inner.mkdir(parents=True, exist_ok=True)
        (inner / f"{number}.rui.json").write_bytes(case.source)


def random_policy(folder: Path, chance: Random) -> str:
    """Return the text of a `rui.toml` for the documents of a folder."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.rui.json")]
    codes = [*WARNINGS]
    lines = [f"exclude = {json.dumps(chance.sample([*_GLOBS[1:], *names, 'c', 'a/'], chance.randrange(4)))}", "[rules]"]
    lines += [f'{code} = "{chance.choice(("error", "warning", "off"))}"' for code in chance.sample(codes, 8)]
    lines.append("[per-file-ignores]")
    for glob in chance.sample([*_GLOBS, *names], len(names) // 3):
        entries = {chance.choice(codes)}
        if glob in names:
            analysis = Analysis(read((folder / glob).read_bytes()))
            for diagnostic in analysis.diagnostics:
                if diagnostic.code in WARNINGS:
                    place = chance.choice([*places_of(analysis, diagnostic.path), "meta", "home"])
                    entries.add(f"{diagnostic.code} at {place}" if place else diagnostic.code)
        lines.append(f"{json.dumps(glob)} = {json.dumps(sorted(entries), ensure_ascii=False)}")
    return "\n".join([*lines, ""])


def by_command_line(folder: Path) -> Found:
    ran = subprocess.run(
        [sys.executable, "-m", "rui_cli", "check", "--format", "concise"],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(_ROOT)}, check=False,
    )  # fmt: skip
    assert ran.returncode in (0, 1), ran.stderr
    found: Found = Counter()
    for line in ran.stdout.splitlines():
        match = _LINE.fullmatch(line)
        assert match is not None, line
        code = match["code"].rpartition(" ")[2]
        found[match["name"], int(match["line"]), int(match["column"]), match["severity"], code] += 1
    return found


def by_language_server(folder: Path, *, are_open: bool) -> Found:
    client = Conversation({**REFRESHES, "general": {"positionEncodings": ["utf-32"]}}, rootUri=folder.as_uri())
    if are_open:
        for path in sorted(folder.rglob("*.rui.json")):
            client.open(path.read_bytes().decode("utf-8-sig"), uri=path.as_uri())
    report = client.request("workspace/diagnostic", {"previousResultIds": []})
    found: Found = Counter()
    for document in report["items"]:
        name = Path(path_from_uri(document["uri"]) or "")
        for item in document["items"]:
            start = item["range"]["start"]
            severity = _SEVERITIES[item["severity"]]
            place = (start["line"] + 1, start["character"] + 1)
            found[name.relative_to(folder).as_posix(), *place, severity, item["code"]] += 1
    assert not client.shown(), client.shown()
    client.server.end_session()
    client.settle()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policies", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_corpus(folder)
        total = 0
        for seed in range(args.seed, args.seed + args.policies):
            (folder / "rui.toml").write_text(random_policy(folder, random.Random(seed)))
            found = by_command_line(folder)
            total += found.total()
            assert by_language_server(folder, are_open=seed % 2 == 0) == found, seed
    print(f"{args.policies} policies, {total:,} diagnostics: equal")


if __name__ == "__main__":
    main()
