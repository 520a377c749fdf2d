"""The machinery of a run, whatever is being run: state, dispatch, journal, memoization, path constraints, loading.

`dispatch` is the table of operations through which packages reach what is implemented above them. Not here: what a
piece of Python or torch means; that is in the packages above, which register themselves.
"""
