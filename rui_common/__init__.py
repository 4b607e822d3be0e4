"""The core of the RUI toolkit: vocabulary, parser, validator, fixes, editing, documentation, HTTP client."""
