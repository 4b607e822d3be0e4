"""Run the commands that a page shows, and compare their output with the page."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

ELIDED = "…"
MARK = "--- command"


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page, each with the output that it shows."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def matches(output: str, expected: str) -> bool:
    """Return whether the output matches the page; an ellipsis there matches any text."""
    pattern = ".*".join(map(re.escape, expected.strip().split(ELIDED)))
    return re.fullmatch(pattern, output.strip(), re.DOTALL) is not None


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Replace each key of `names` by its value."""
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def run_in_one_shell(
    page: Path, folder: Path, environment: Mapping[str, str], names: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Run all commands of a page in one shell, so that background commands continue.

    Args:
        page: in Markdown.
        folder: working directory of the shell.
        environment: of the shell.
        names: replacements for names in the page, such as another port.

    Returns:
        Each command as in the page, its output with the names of the page, and the output that the page shows.
    """
    shown = list(commands(page))
    script = "set -m\n"
    for number, (command, _) in enumerate(shown):
        script += f"echo '{MARK} {number}'\n{renamed(command, names)}\n"
    # Kill background commands, also after an error.
    script = f"trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n{script}"
    done = subprocess.run(
        ["bash"], input=script, cwd=folder, env=dict(environment), check=False, text=True, timeout=1200,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    printed = re.split(rf"^{MARK} \d+\n", done.stdout, flags=re.MULTILINE)[1:]
    back = {here: there for there, here in names.items()}
    return [
        (command, renamed(output, back), expected) for (command, expected), output in zip(shown, printed, strict=True)
    ]
