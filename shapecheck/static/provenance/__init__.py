"""Where values come from: noted while a program runs, and told when a finding is.

`origins` holds what was written where. `trace` follows a size back through them and the source (`sources`), asking
plain arithmetic `again`; `conflicts` makes the notes of a refused call of it, `call_notes` those on how a run came to
a place.
"""
