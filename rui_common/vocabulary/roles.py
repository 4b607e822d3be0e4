"""DATA: what a property may be to somebody who reads a document, whatever it is called (`Prop.role`)."""

from __future__ import annotations

LABEL, DESCRIPTION, CONTENT = "label", "description", "content"
METHOD, ENDPOINT, SELECT = "method", "endpoint", "select"
LAYOUT = "layout"
ROLES = {
    LABEL: "What the object is called on the screen.",
    DESCRIPTION: "What the object is for, in a sentence.",
    CONTENT: "The words that the object is there for.",
    METHOD: "How data is asked for; with an endpoint it is a request, such as `GET /api/orders`.",
    ENDPOINT: "Where data is asked for.",
    SELECT: "What is taken from the answer.",
    LAYOUT: "How the nodes in the object are laid out.",
}
"""The roles, each with what a property of that role says."""
