"""A package in the src layout."""
