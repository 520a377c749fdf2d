"""The search for arguments that a model accepts.

`search` is the entry point: `attempt` is one call, `call_recorder` records what integers index and how far the call
got, `changes` proposes what to try next, and `size_constraints` decides which of the sizes the model requires.
"""
