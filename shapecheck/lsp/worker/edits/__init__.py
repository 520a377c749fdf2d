"""Edits that may remove a finding, one kind per file: `CODES`, and `candidates(found)`.

They are tried before they are offered. This directory is scanned for the files.
"""
