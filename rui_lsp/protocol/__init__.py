"""Messages of the client, errors and the server log. It imports no other part of the server."""
