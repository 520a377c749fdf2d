"""Worker processes for code that may hang, die or exhaust memory: one for each task, ended in time.

`pool` starts them and yields the result of each task, without importing torch; `child` runs inside one; `preload`
is what they import in advance; `limits` is how much each may use, `usage` how much it uses; `traces`
finds the line at which one was ended. `tasks` are the functions that run in them.
"""
