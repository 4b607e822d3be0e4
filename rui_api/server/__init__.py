"""The HTTP/1.1 server: a hardened uvicorn protocol with limits and timeouts. `docs/http-server.md` explains it."""
