"""From the annotations of forward to arguments that fit them.

`demands` is what is asked for, `primes` the sizes that are tried first, `plan` the sizes and ranges of one call,
`values` makes tensors of them, `meeting` notes what integers are used for, `attempt` is one try, `search` finds the
plan that a model takes.
"""
