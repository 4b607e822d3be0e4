"""The core: vocabulary, reader, validator, normal form. It imports the standard library alone."""
