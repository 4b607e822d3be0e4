"""Workflow commands, read as the runner of GitHub reads them."""

import re

COMMAND = re.compile(r"::(error|warning) ([^\n]*?)::([^\n]*)\n")


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Return the workflow commands, parsed as by the runner of GitHub."""
    read_back = []
    for severity, properties, data in COMMAND.findall(text):
        pairs = (pair.split("=", 1) for pair in properties.split(","))
        read_back.append((severity, {name: unescaped(value) for name, value in pairs}, unescaped(data)))
    return read_back


def unescaped(text: str) -> str:
    for character in ":,\r\n%":
        text = text.replace(f"%{ord(character):02X}", character)
    return text
