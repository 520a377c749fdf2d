"""Twins of the examples with one mistake each, on the line that says `# planted: CODE`."""
