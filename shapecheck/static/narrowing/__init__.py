"""What a condition, an assert or an unpacking teaches of the values that it reads.

`narrow` is the way in. `views` says what of a tensor an expression reads, `tensor_rules` and `value_rules` hold a small
rule for each comparison, `tensor_facts` what a fact makes of a tensor, `readable` reads places and writes them back.
`asserts` reports what never holds, `shape_names` learns from `b, t, c = x.shape`.
"""
