"""Everything that needs a GPU, in one call and one JSON file.

`__main__` runs the steps of `commands` within their time. `measuring` runs one measurement in a process of its own,
because an error of CUDA ends all further work of its process. Each measurement is a function of a device that returns
its figures and what is wrong: `speed`, `alignment`, `training`, `formats`, `graphs`, `places`.
"""
