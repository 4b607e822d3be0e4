"""What becomes of a Markdown text when people send it on, in mails, editors and chats."""

import re
import textwrap
from collections.abc import Callable


def wrapped(text: str) -> str:
    """Wrap lines as a mail program does it, which knows no Markdown."""
    lines = [
        textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False) or [""] for line in text.split("\n")
    ]
    return "\n".join(part for wrapped_line in lines for part in wrapped_line)


def with_answers(text: str) -> str:
    """Quote notes, and answer each below it."""
    return re.sub(r"(?m)^> \n(?=> \d)", "\nI did that.\n\n", textwrap.indent(text, "> ", lambda _: True))


SENDERS: dict[str, Callable[[str], str]] = {
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "a byte-order mark": lambda text: f"\ufeff{text}",
    "spaces at the ends": lambda text: text.replace("\n", "  \n"),
    "no-break spaces": lambda text: text.replace("   ", "\u00a0\u00a0 ").replace(". ", ".\u00a0"),
    "tabs": lambda text: text.replace("\n   ", "\n\t"),
    "round bullets": lambda text: text.replace("- ", "• "),
    "plus": lambda text: text.replace("- ", "+ "),
    "brackets": lambda text: re.sub(r"(?m)^(\d)\.", r"\1)", text),
    "boxes that are ticked": lambda text: re.sub(r"(?m)^(\d\.|   -)", r"\1 [x]", text),
    "wrapped in a mail": wrapped,
    "wrapped and quoted": lambda text: textwrap.indent(wrapped(text), "> ", lambda _: True),
    "answers between": with_answers,
    "in a fence": lambda text: f"Please:\n```md\n{text}```\nThanks",
    "indented as code": lambda text: textwrap.indent(text, "    "),
    "a list before": lambda text: "1. Run `make`.\n2. Read on.\n\n" + textwrap.indent(text, "> "),
    "curly quotes": lambda text: text.replace('["', "[“").replace('"]', "”]"),
    "a letter around it": lambda text: f"Dear all,\n\n{text}\n\nRegards\n",
}  # fmt: skip
