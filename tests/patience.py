"""How long tests wait before they fail: machines that run tests are shared, and most of them are busy."""

PATIENCE = 600.0
"""Seconds: only what hangs takes longer."""
AT_ONCE = 120.0
"""Seconds for what does not wait for anything, if what it must not wait for takes longer."""
