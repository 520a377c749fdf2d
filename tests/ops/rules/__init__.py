"""Operator rules, one file per family."""
