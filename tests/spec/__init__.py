"""The vocabulary: sizes, shapes, dtypes, specs, broadcasting, annotations."""
