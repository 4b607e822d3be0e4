"""How many tokens does a model read to learn the vocabulary?

Counted with o200k_base, a public tokenizer, as the npm package `gpt-tokenizer` carries it (installed from the registry
on the first run). The compact form has a limit; the others are printed to choose by.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from rui_common.describe import vocabulary_payload
from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.docs_page import docs_markdown
from rui_common.http_contract.llms_txt import llms_txt
from rui_common.http_contract.schema_slices import compact_payload, slice_payload

LIMIT = 2_500
BASE = "http://127.0.0.1:8000"
HOME = Path(__file__).parents[1] / ".venv" / "peers"
PACKAGE = "gpt-tokenizer@3"

COUNT = """
const { encode } = require("gpt-tokenizer/encoding/o200k_base");
let text = "";
process.stdin.on("data", part => text += part);
process.stdin.on("end", () => console.log(JSON.stringify(JSON.parse(text).map(one => encode(one).length))));
"""


def count(texts: list[str]) -> list[int]:
    """The tokens of each text."""
    if not (HOME / "node_modules" / "gpt-tokenizer").exists():
        HOME.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(HOME), PACKAGE]
        subprocess.run(command, check=True)
    done = subprocess.run(
        ["node", "-e", COUNT], input=json.dumps(texts), capture_output=True, text=True, check=True, cwd=HOME
    )
    counted: list[int] = json.loads(done.stdout)
    return counted


def as_sent(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> bool:
    """Print the sizes; whether the compact form keeps its limit."""
    texts = {
        "/api/schema?form=compact": as_sent(compact_payload()),
        "/llms.txt": llms_txt(BASE),
        "/api/schema?type=Table": as_sent(slice_payload(["Table"])),
        "/api/schema": as_sent(vocabulary_payload()),
        "/api/docs as Markdown": docs_markdown(BASE),
        "/api/docs": as_sent(docs_payload(BASE)),
    }
    print("\nWhat an agent reads, in tokens of o200k_base")
    tokens = dict(zip(texts, count(list(texts.values())), strict=True))
    for name, number in tokens.items():
        limit = f"  limit {LIMIT:,}: {'ok' if number <= LIMIT else 'MISSED'}" if name.endswith("compact") else ""
        print(f"  {name:<28}{number:7,}{limit}")
    return tokens["/api/schema?form=compact"] <= LIMIT


if __name__ == "__main__":
    main()
