"""The rules of guards: each module registers its rule in `table` for the functions it observes."""
