"""Calls of anything: functions, classes, methods, built-ins and wrappers; attributes; decorators.

`call` dispatches by the kind of the called value, `functions` runs bodies in a frame of their own, `classes` makes
instances, `attributes` reads what a value has. Not here: what a library function computes (`models`), what an operator
of torch gives (`operators`), what a call expression looks like in the source (`expressions`).
"""
