"""Settings of the client, and values as the protocol writes them."""
