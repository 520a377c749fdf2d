"""What is run: entry points, isolated analysis, several processes, serving."""
