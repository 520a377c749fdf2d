"""`check` on public packages drawn at random, which are new to us."""
