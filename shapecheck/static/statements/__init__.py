"""What a statement does: `table` says which function stands for which kind of node."""
