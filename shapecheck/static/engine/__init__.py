"""The machinery of a run: session, dispatch, journal, memoization, path constraints, loading."""
