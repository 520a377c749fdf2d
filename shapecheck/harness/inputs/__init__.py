"""From the annotations of forward to arguments that satisfy them.

`specification` is what is required, `primes` and `sizes` choose the sizes to try first, `plan` contains the sizes and
ranges of one call, `values` generates tensors from them, and `tensor_map` changes them within records.
"""
