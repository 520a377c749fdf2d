"""Small programs for one rule each: what it reports, at the line that ends in `# HERE`, and what it leaves alone."""
