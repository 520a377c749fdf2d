"""Arrays of numpy's: their shapes and dtypes on the way into torch. Nothing is reported of numpy itself."""
