"""The configurations in editors/README.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "editors" / "README.md").read_text(encoding="utf-8")


def configurations(section: str, language: str) -> list[str]:
    """Return the code blocks of a language in a section of the page."""
    part = re.split(r"^#{2,3} ", README.split(f"# {section}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", part, flags=re.MULTILINE | re.DOTALL)
