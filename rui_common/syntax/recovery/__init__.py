"""The error-tolerant parser. Only broken texts load it."""
