"""Where values come from: for the notes of findings, and for their causes.

`trace` follows a size back through the recorded origins and the source (`sources`), and re-evaluates plain arithmetic
(`reevaluation`); `conflicts` makes the notes of a call that a finding is about. `value_sources` finds the source of a
tensor, and `causes` the changes of it that would make a refused call work. Not here: recording origins during a run
(`engine.origins`), and combining findings (`project.same_cause`).
"""
