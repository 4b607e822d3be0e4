"""Fast decoding and checking of request bodies with msgspec."""
