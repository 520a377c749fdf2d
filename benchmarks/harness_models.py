"""What `shapecheck run` finds in models that people use: the 26 of benchmarks.guard_models, none of which is wrong.

pip install transformers
python -m benchmarks.harness_models [--only NAME ...] [--compile] [--save]

Each model is wrapped in a forward with shapes, so that all checks are asked, at sizes 1 and others for every axis that
is free. One violation is expected, a true one: T5 takes `.view` of its labels, which fails if they are strided.
Without --compile torch.compile is left out, which takes minutes.
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from pathlib import Path
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn

from benchmarks import store
from benchmarks.guard_models import MODELS, pixels
from benchmarks.ratios import Ratio
from shapecheck.diagnostics import Severity
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case
from shapecheck.harness.examine import examined
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run_options import RunOptions

TRUE = 1
"""Reports that are so: T5's."""


class Model(nn.Module):
    """One of them, its output the tensors alone."""

    def __init__(self, name: str) -> None:
        super().__init__()
        import transformers  # noqa: PLC0415 - not among the dependencies

        config, options, self.inputs = MODELS[name]
        self.model = getattr(transformers, name)(getattr(transformers, config)(**options))
        self.vocabulary = 100
        self.image = options.get("image_size", 64 if "ConvNext" in name else 32)

    def run(self, **given: Tensor) -> tuple[Tensor, ...]:
        out = self.model(**given, return_dict=True)
        return tuple(one for one in out.values() if isinstance(one, Tensor))


class Text(Model):
    def forward(self, input_ids: Int[Tensor, "b t"]) -> tuple[Tensor, ...]:
        return self.run(input_ids=input_ids)


class Labelled(Model):
    def forward(self, input_ids: Int[Tensor, "b t"], labels: Int[Tensor, "b s"]) -> tuple[Tensor, ...]:
        return self.run(input_ids=input_ids, labels=labels)


class Images(Model):
    def forward(self, pixel_values: Float[Tensor, "b 3 {self.image} {self.image}"]) -> tuple[Tensor, ...]:
        return self.run(pixel_values=pixel_values)


class Audio(Model):
    def forward(self, input_values: Float[Tensor, "b 800"]) -> tuple[Tensor, ...]:
        return self.run(input_values=input_values)


class Speech(Model):
    def forward(
        self, input_features: Float[Tensor, "b 8 40"], decoder_input_ids: Int[Tensor, "b t"]
    ) -> tuple[Tensor, ...]:
        return self.run(input_features=input_features, decoder_input_ids=decoder_input_ids)


def kind_of(name: str) -> type[Model]:
    inputs: Any = MODELS[name][2]
    if inputs.__qualname__ == pixels(1).__qualname__:
        return Images
    kinds: dict[str, type[Model]] = {"ids": Text, "with_labels": Labelled, "audio": Audio, "spectrum": Speech}
    return kinds[inputs.__name__]


def examine(name: str, skip: tuple[str, ...]) -> CaseResult:
    kind = kind_of(name)
    case = Case(name, kind, Path(__file__), 1, Declared(kwargs={"name": name}))
    return examined(case, RunOptions(skip=skip))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", nargs="+", default=list(MODELS), choices=list(MODELS), metavar="NAME")
    parser.add_argument("--compile", action="store_true", help="also check torch.compile")
    store.add_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    counts: dict[str, int] = {}
    for name in options.only:
        began = time.perf_counter()
        result = examine(name, () if options.compile else ("compiled",))
        wrong = [one for one in result.diagnostics if one.severity is not Severity.NOTE]
        skipped = [f"{one.name}: {one.detail}" for one in result.checks if one.outcome.value == "skipped"]
        counts[name] = len(wrong)
        print(f"{name}: {result.outcome.value} {result.detail} {dict(result.sizes)} {dict(result.learnt)} "
              f"in {time.perf_counter() - began:.1f} s; skipped {skipped}")  # fmt: skip
        for one in wrong:
            print(f"    {one.path}:{one.line}: {one.code}: {one.message}")
    print(f"{len(counts)} models: {sum(counts.values())} violations")
    said = Ratio(f"findings of `shapecheck run` in {len(counts)} models", sum(counts.values()), TRUE)
    store.keep(options.save, "harness_models", {"violations": counts}, ("torch", "transformers"), [said])


if __name__ == "__main__":
    main()
