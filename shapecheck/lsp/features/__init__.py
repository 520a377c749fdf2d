"""The capabilities of the server, one per file: `register(server)` adds it. This directory is scanned for them."""
