"""`shapecheck lsp`: findings, shapes and fixes in editors, over the language server protocol.

Two processes. The server (`server`, `features/`) talks to the editor and is always ready to answer: it keeps the text
of the open documents and the last report about each. The worker (`worker/`) has the engine; it can take its time, be
interrupted, and crash. `messages` is what they send to each other.
"""
