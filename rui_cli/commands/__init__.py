"""The commands of `rui`, one module each: ``COMMAND`` declares the options, ``main(argv) -> int`` runs it."""
