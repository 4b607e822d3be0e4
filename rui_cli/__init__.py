"""The `rui` command line: checks, fixes, formats and publishes RUI documents."""
