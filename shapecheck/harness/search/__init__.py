"""Looking for arguments that a model takes.

`search` is the way in: `attempt` is one try, `meeting` notes what integers are used for and how far a call got,
`changes` says what to try next, and `learnt` which of the sizes the model asks for.
"""
