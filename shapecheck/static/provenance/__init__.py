"""Where values come from: asked when a finding is reported, to say so in its notes.

`trace` follows a size back through the recorded origins and the source (`sources`), with `reevaluation` of plain
arithmetic; `conflicts` makes the notes of a refused call. Not here: recording origins while a program is run
(`engine.origins`).
"""
