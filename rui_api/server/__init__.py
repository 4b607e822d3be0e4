"""The HTTP/1.1 server: a hardened uvicorn protocol with limits and timeouts. It contains no RUI-specific code."""
