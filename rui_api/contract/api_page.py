"""The endpoints as Markdown, from the body of ``GET /api/docs``."""

from collections.abc import Iterator
from typing import Any

from rui_common.describe.markdown import block, bullets, code, code_list, page, pretty, table


def api_markdown(payload: dict[str, Any]) -> str:
    """Return the page of the endpoints; `payload` is the body of ``GET /api/docs``."""
    base_url = payload["baseUrl"]
    limits: dict[str, int] = {}
    for name, limit in payload["limits"].items():
        if isinstance(limit, dict):
            limits |= {f"{code(name)} of {code(place)}": number for place, number in limit.items()}
        else:
            limits[code(name)] = limit
    return page(
        "# The API",
        f"The endpoints of the service at {base_url}.",
        "## Conventions",
        bullets(payload["conventions"]),
        *(part for endpoint in payload["endpoints"] for part in _endpoint(endpoint, base_url)),
        "## Any endpoint",
        *_answers(payload["anyEndpoint"], "any endpoint"),
        "## Limits",
        table(["Limit", "Value"], [[name, f"{number:,}"] for name, number in limits.items()]),
    )


def _endpoint(endpoint: dict[str, Any], base_url: str) -> Iterator[str]:
    name = f"{endpoint['method']} {endpoint['path']}"
    yield f"## {name}"
    yield endpoint["summary"]
    yield endpoint.get("request", "")
    if "requestExample" in endpoint:
        address = f"{base_url}{endpoint['path']}"
        yield block(f"curl {address} -H 'Content-Type: application/json' --data-binary @app.rui.json", "sh")
    for parameter, about in endpoint.get("query", {}).items():
        values = f" Values: {code_list(about['values'])}." if "values" in about else ""
        yield f"Query parameter {code(parameter)}: {about['description']}{values}"
    yield from _answers(endpoint["answers"], name)


def _answers(answers: list[dict[str, Any]], name: str) -> Iterator[str]:
    """Yield the table of the responses, then their examples."""
    rows = [[str(answer["status"]), answer["when"], answer.get("mediaType", "—"), answer["body"]] for answer in answers]
    yield table(["Status", "When", "Media type", "Body"], rows)
    for answer in answers:
        title = f"{answer['status']} of {name}: {answer['when'].replace('`', '')}"
        if "toBody" in answer:
            yield block(answer["toBody"], f"json Request for {title}")
        if "example" in answer:
            yield block(pretty(answer["example"]), f"json Response {title}")
