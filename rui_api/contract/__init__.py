"""Descriptions of the HTTP endpoints: `GET /llms.txt`, `GET /api/docs`, and the parts of `GET /api/schema`.

The package imports none of its modules: `rui_common.client` only needs `endpoints`.
"""
