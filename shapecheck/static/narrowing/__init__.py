"""What a condition, an assert or an unpacking says about the values that it reads.

`narrow` is the way in. `tensor_reads` says which part of a tensor an expression reads, `tensor_rules` and `value_rules`
hold a small rule for each comparison, `tensor_facts` puts a fact into a tensor, `references` reads places and writes
them back; `asserts` reports what never holds, `shape_names` learns from `b, t, c = x.shape`. Not here: running the
branches (`statements`), what is known of sizes on a path (`engine.path_constraints`).
"""
