"""From the annotations of forward to arguments that fit them.

`demands` is what is asked for, `primes` and `sizes` the sizes that are tried first, `plan` the sizes and ranges of one
call, `values` makes tensors of them, and `mapped` changes them within records.
"""
