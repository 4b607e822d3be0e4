"""The requests of documents, from which the next one is completed: its path and value path, the most recent first."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from rui_common.nodes.node import Node
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.schema import Prop, Role

MAX_REQUESTS = 50  # Maximum number of requests that are kept of a document
MAX_TEXT = 300  # Maximum length of a path or value path that is kept


class KnownRequest(NamedTuple):
    """What is known about a request of a document, which may lack its method."""

    endpoint: str  # its path
    select: str  # the part of the response that is used; `""` for all of it, or if it is not known
    owner: str  # the name of the shape of the object that makes it
    source: str = ""  # the name of the document, if it is another one; or `""`


def known_requests(analysis: Analysis, name: str) -> list[KnownRequest]:
    """Return the first different requests of another document, by its name."""
    return [request._replace(source=name) for request in islice(dict.fromkeys(_requests(analysis.tree)), MAX_REQUESTS)]


def suggested_requests(
    analysis: Analysis, node: Node, prop: Prop, other_requests: Iterable[KnownRequest]
) -> list[KnownRequest]:
    """Return the requests whose text may be that of a property of a request, the likeliest first.

    The nearest request above comes first, then those below, then `other_requests`, which other documents have. For a
    value path, requests with the same path come before all others, and those of the same shape before the rest.
    """
    nodes = list(analysis.tree)
    index = nodes.index(node) if node in nodes else len(nodes)
    found = [*_requests(reversed(nodes[:index])), *_requests(nodes[index + 1 :]), *other_requests]
    if prop.role is Role.SELECT:
        own_request = _request(node)
        found.sort(key=lambda request: (request.endpoint != own_request.endpoint, request.owner != own_request.owner))
    by_text: dict[str, KnownRequest] = {}
    for request in found:
        by_text.setdefault(text_of(request, prop), request)
    by_text.pop("", None)
    return list(by_text.values())


def text_of(request: KnownRequest, prop: Prop) -> str:
    """Return the path of a request, or its value path, by the role of a property."""
    if prop.role is Role.ENDPOINT:
        return request.endpoint
    return request.select


def _requests(nodes: Iterable[Node]) -> Iterator[KnownRequest]:
    for node in nodes:
        if _text(node, Role.ENDPOINT):
            yield _request(node)


def _request(node: Node) -> KnownRequest:
    owner = ""
    if node.parent is not None and node.parent.shape is not None:
        owner = node.parent.shape.name
    return KnownRequest(_text(node, Role.ENDPOINT), _text(node, Role.SELECT), owner)


def _text(node: Node, role: Role) -> str:
    """Return the text of the property with a role; ``""`` if there is none, or one that is not set yet."""
    if node.shape is not None:
        for prop in node.shape.props_with_role(role):
            text = node.members.get(prop.name)
            if (
                isinstance(text, str)
                and len(text) <= MAX_TEXT
                and prop.kind.accepts(text)
                and not prop.is_placeholder(text)
            ):
                return text
    return ""
