"""Runs models of timm, torchvision and transformers with `shapecheck run`, and compares findings with their verdicts.

`models` reads the list; `running` runs it; `report` prints the results. Verdicts are those of `benchmarks.primer`.
"""
