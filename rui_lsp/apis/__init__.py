"""The OpenAPI descriptions of documents: which one applies, read in a process of its own."""
