"""Plants mistakes in models of timm and transformers, and counts those that `check`, guards and `run` find.

`models` lists the models; `library_copy` copies their libraries; `watching` runs them and keeps what expressions were;
`mutators` makes the mistakes; `observing` tells which of them are bugs; `parts` asks shapecheck; `report` prints.
"""
