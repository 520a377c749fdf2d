"""What `shapecheck doctor` finds out, without importing torch or anything else that it reports about.

`packages` is what is installed, `configured` is which front ends the project configures, and `front_ends` decides which
of them work.
"""
