"""The rules of guards: each file enters its own into `table` for the functions it wants to hear of."""
