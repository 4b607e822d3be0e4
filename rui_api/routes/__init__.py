"""The endpoints: each reads the request, calls the core or the store, and returns a response."""
