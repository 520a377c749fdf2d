"""Processes that do what may hang, die or fill the memory: one for each task, ended in time.

`pool` starts them and gives what each came to, without importing torch; `child` is the inside of one; `warm` is what
they have imported before they begin; `limits` is how much each may take, `usage` how much it took; `traces` finds the
line at which one was ended. `tasks` are the things that a run has done in them.
"""
