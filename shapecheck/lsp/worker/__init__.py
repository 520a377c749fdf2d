"""The worker process: the engine, and what it finds in the open documents.

`loop` reads requests and answers them in order; an edit interrupts the report about its document. `project` has the
files and what is kept from one report to the next, `report` and `hints` make reports. Each module of `questions/`
answers questions about one topic. Nothing here knows the language server protocol.
"""
