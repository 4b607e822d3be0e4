"""Descriptions of the HTTP endpoints: `GET /llms.txt`, `GET /api/docs`, and the parts of `GET /api/schema`."""
