"""The OpenAPI descriptions of documents: which one applies, and its digest, which a process of its own makes."""
