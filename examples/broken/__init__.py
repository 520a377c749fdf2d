"""Variants of the examples with one error each, on the line with the comment `# planted: CODE`."""
