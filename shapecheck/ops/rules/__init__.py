"""One file per family of operators. A new operator is one decorated function in its family's file."""
