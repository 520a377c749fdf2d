"""Every benchmark of this folder: what it stands for, how it is run, and what it needs beside the repository."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`python -m benchmarks.MODULE ARGUMENTS`, and the claim that it measures."""

    name: str
    claim: str
    minutes: float
    """On two cores, roughly."""
    arguments: tuple[str, ...] = ()
    """`{repos}`, `{jaxtyping}`, `{rivals}` and `{scratch}` are folders of the run."""
    quick: tuple[str, ...] = ()
    """Instead of or beside the arguments: the least that still runs all of the code."""
    packages: tuple[str, ...] = ()
    """What must be importable and is not in the extra `test`."""
    gpu: bool = False
    module: str = ""
    """Where it is not the name."""

    @property
    def command(self) -> str:
        return " ".join(["python -m", f"benchmarks.{self.module or self.name}", *self.arguments])


REPOSITORIES = (
    *("nanoGPT", "minGPT", "vit-pytorch", "x-transformers"),
    *("segment-anything", "examples", "torchvision", "timm"),
)
BENCHMARKS = (
    Benchmark("start", "The command starts as fast as Python lets it.", 0.5, quick=("--rounds", "2")),
    Benchmark(
        "fix",
        "`fix` is faster than a pass of LibCST, and 20 times as fast as TorchFix.",
        6,
        ("{repos}/transformers", *"--rounds 2 --torchfix-rounds 1 --torchfix-sample 286 --rivals {rivals}".split()),
        quick=("--rounds", "1", "--torchfix-sample", "20"),
    ),
    Benchmark(
        "real_repos",
        "A second `fix` changes nothing, and what it writes compiles.",
        2,
        tuple(f"{{repos}}/{name}" for name in REPOSITORIES),
    ),
    Benchmark(
        "check",
        "Time and memory of `check` beside pyrefly and mypy.",
        8,
        ("{repos}/nanoGPT/model.py", "{repos}/torchvision", "{repos}/timm", "--rounds", "2"),
        quick=("--rounds", "1"),
    ),
    Benchmark(
        "saving",
        "What an editor waits for when a file was saved, beside the first check of its folder.",
        2,
        ("{repos}/nanoGPT", "{repos}/vit-pytorch", "{repos}/torchvision/models"),
        quick=("--edits", "1"),
    ),
    Benchmark(
        "memory_after_edits",
        "A process that checks a file after every edit does not grow.",
        15,
        ("{repos}/timm/models/vision_transformer.py", "--alone"),
        quick=("--early", "2", "--edits", "4"),
    ),
    Benchmark(
        "mypy_plugin",
        "What the plugin adds to mypy's time.",
        5,
        ("{repos}/nanoGPT/model.py", "{repos}/torchvision", "--rounds", "2"),
        quick=("--rounds", "1", "--warm-rounds", "1"),
    ),
    Benchmark("ops", "`infer` takes at most a fifth of FakeTensor's time.", 0.5, quick=("--rounds", "50")),
    Benchmark(
        "op_db",
        "`infer` answers PyTorch's operator database as torch does, and is never wrong.",
        15,
        ("--part", "all"),
        quick=("--only", "nn.functional.linear,outer,cat,nn.Linear"),
    ),
    Benchmark(
        "runtime",
        "A checked call costs 1/20 of `jaxtyped(beartype)`'s, and compiles to the same graph.",
        1,
        quick=("--rounds", "2"),
    ),
    Benchmark(
        "jaxtyping_suite",
        "`checked` passes jaxtyping's own test-suite but for what is listed.",
        2,
        ("{jaxtyping}",),
        packages=("jax", "equinox", "cloudpickle", "typeguard"),
    ),
    Benchmark("guards", "What a guard adds to a forward, beside empty modes of torch's.", 2, quick=("--rounds", "2")),
    Benchmark(
        "guard_models_float32",
        "The default rules have nothing to say of 26 models in float32.",
        2,
        module="guard_models",
        packages=("transformers",),
    ),
    Benchmark(
        "guard_models_bfloat16",
        "... nor in bfloat16.",
        2,
        ("--dtype", "bfloat16"),
        module="guard_models",
        packages=("transformers",),
    ),
    Benchmark(
        "harness",
        "`run` watches a forward cheaper than torchinfo, FlopCounterMode and DebugMode.",
        2,
        quick=("--rounds", "2"),
    ),
    Benchmark(
        "harness_models",
        "`run` has one thing to say of 26 models, and that is so.",
        15,
        ("--compile",),
        quick=("--only", "BertModel"),
        packages=("transformers",),
    ),
    Benchmark("mutations", "Of 100 mistakes planted in the examples 95 are found.", 8, quick=("--limit", "4")),
    Benchmark(
        "rivals",
        "Beside the other tools: what each finds, what it reports of correct programs, what it takes.",
        25,
        ("--rivals", "{rivals}"),
        quick=("--limit", "4"),
    ),
    Benchmark("gpu", "Tests and examples give on a GPU what they give on a CPU.", 8, ("{scratch}/gpu",), gpu=True),
)
