"""`check` on public packages drawn at random, which nobody has looked at."""
