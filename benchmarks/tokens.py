"""The number of tokens that a model reads to learn the vocabulary.

The tokenizer is o200k_base of the npm package `gpt-tokenizer`, which the first run installs from the registry. The
compact form has a limit; the others are printed for comparison.
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
    """Return the number of tokens of each text."""
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
    """Print the sizes; return whether the compact form keeps its limit."""
    texts = {
        "/api/schema?form=compact": as_sent(compact_payload()),
        "/llms.txt": llms_txt(BASE),
        "/api/schema?type=Table": as_sent(slice_payload(["Table"])),
        "/api/schema": as_sent(vocabulary_payload()),
        "/api/docs as Markdown": docs_markdown(BASE),
        "/api/docs": as_sent(docs_payload(BASE)),
    }
    print("\nDocumentation for agents, in tokens of o200k_base")
    tokens = dict(zip(texts, count(list(texts.values())), strict=True))
    for name, number in tokens.items():
        print(f"  {name:<28}{number:7,}")
    is_kept = tokens["/api/schema?form=compact"] <= LIMIT
    print(f"  limit of the compact form: {LIMIT:,}: {'ok' if is_kept else 'MISSED'}")
    return is_kept


if __name__ == "__main__":
    main()
