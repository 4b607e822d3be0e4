"""Check the bindings of documents against an OpenAPI description, and derive a description from documents."""
