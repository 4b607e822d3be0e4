"""The commands of `rui`, one module each: ``COMMAND`` declares its options, ``main(argv) -> int`` runs it."""
