"""Values for required arguments of constructors, for models that are not prepared: `run --infer`.

`names` chooses numbers by the names of parameters, `hints` values by their annotations, `usage` says what a constructor
does with a parameter, `parts` finds the classes of modules that it expects, `configuration` makes objects with the
attributes that a module reads, `argument` combines them. `widths` lists the sizes that are tried in turn.
"""
