"""A comparison as HTML: its parts, a page of the service, and a file of its own."""
