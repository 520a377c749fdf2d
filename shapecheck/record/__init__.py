"""Records the shapes and dtypes of the calls of a running program, for `shapecheck annotate --from`.

`instrument` adds two calls to each function of the project: one with its arguments, one with its result. `hook` does so
for modules that are imported, `loaded` for those that are imported already, `__main__` for a script. `calls` describes
the values and counts equal calls, `session` starts and ends a recording, also in child processes. `store` is the data
file, `command` the environment of a recorded command.
"""

from shapecheck.record.session import recording

__all__ = ["recording"]
