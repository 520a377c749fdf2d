"""`python -m shapecheck` is the `shapecheck` command."""

from shapecheck.cli import main

if __name__ == "__main__":
    main()
