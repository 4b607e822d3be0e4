"""`rui.toml`: what a project decides about its documents, in the same way on the command line and in editors."""
