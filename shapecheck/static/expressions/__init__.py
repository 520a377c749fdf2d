"""What an expression gives: `table` says which function stands for which kind of node."""
