"""From the annotations of forward to arguments that satisfy them.

`specification` says what is required, `primes` and `sizes` choose the sizes to try first, `plan` holds the sizes and
ranges of one call, `values` makes tensors of them, and `tensor_map` changes them within records.
"""
