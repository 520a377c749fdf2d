"""Where values come from: for the notes of findings.

`trace` follows a size back through the recorded origins and the source (`sources`), and re-evaluates plain arithmetic
(`reevaluation`); `conflicts` makes the notes of a call that a finding is about. Not here: recording origins during a
run (`engine.origins`).
"""
