"""The capabilities of the server, one per file: `register(server)` adds it. They are found by scanning this directory."""
