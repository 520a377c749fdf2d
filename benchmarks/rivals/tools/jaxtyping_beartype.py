"""jaxtyping with beartype: the program is imported under `install_import_hook`, and run."""

from __future__ import annotations

from benchmarks.rivals.tool import Tool
from benchmarks.rivals.tools.driven import under

TOOL = Tool(
    "jaxtyping + beartype",
    under("jaxtyping"),
    ("jaxtyping==0.3.11", "beartype", "jax", "torch", "numpy", "einops"),
    runs=True,
    every=3,
)
