"""From the annotations of forward to arguments that fit them.

`demands` is what is asked for, `primes` and `sizes` the sizes that are tried first, `plan` the sizes and ranges of one
call, `values` makes tensors of them, `mapped` changes them within records, `meeting` notes what integers are used for,
`attempt` is one try, `changes` says what to try next, `search` finds the plan that a model takes, and `learnt` which of
its sizes the model asks for.
"""
