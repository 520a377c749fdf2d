"""Every benchmark of this directory: its claim, its command, and what it needs in addition to the repository."""

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
    """`{repos}`, `{jaxtyping}`, `{rivals}` and `{scratch}` are directories of the run."""
    quick: tuple[str, ...] = ()
    """Instead of or in addition to the arguments: the least that still runs all of the code."""
    packages: tuple[str, ...] = ()
    """What must be importable and is not in the extra `test`."""
    gpu: bool = False
    module: str = ""
    """If it differs from the name."""

    @property
    def command(self) -> str:
        return " ".join(["python -m", f"benchmarks.{self.module or self.name}", *self.arguments])


REPOSITORIES = (
    *("nanoGPT", "minGPT", "vit-pytorch", "x-transformers"),
    *("segment-anything", "examples", "torchvision", "timm"),
)
BENCHMARKS = (
    Benchmark("start", "`shapecheck --help` takes at most 0.15 CPU seconds.", 0.5, quick=("--rounds", "2")),
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
        "Time and memory of `check`, compared with Pyrefly and mypy.",
        8,
        ("{repos}/nanoGPT/model.py", "{repos}/torchvision", "{repos}/timm", "--rounds", "2"),
        quick=("--rounds", "1"),
    ),
    Benchmark(
        "speed",
        "Time and memory of `check` in the packages of the primer, compared with Pyrefly; evaluations per line.",
        60,
        quick=("--quick",),
    ),
    Benchmark(
        "primer",
        "`check` in 58 public packages, which are downloaded: false findings, internal errors, known ranks.",
        120,
        quick=("--quick",),
    ),
    Benchmark(
        "real_bugs",
        "`check` before and after public repositories fixed a bug: found before, silent after.",
        20,
        quick=("--only", "avspeech-mask-view"),
    ),
    Benchmark(
        "annotate",
        "`annotate`: the share of forwards that get shapes, and agreement with what authors wrote.",
        3,
        tuple("--coverage nanoGPT={repos}/nanoGPT minGPT={repos}/minGPT --authors examples=examples".split()),
    ),
    Benchmark(
        "saving",
        "Time to check a directory after a file was saved, compared with the first check.",
        2,
        ("{repos}/nanoGPT", "{repos}/vit-pytorch", "{repos}/torchvision/models"),
        quick=("--edits", "1"),
    ),
    Benchmark(
        "editor",
        "A keystroke in an editor leads to new diagnostics and hints within 0.3 s.",
        3,
        (
            *("{repos}/nanoGPT/model.py", "{repos}/timm/models/regnet.py", "{repos}/timm/models/vision_transformer.py"),
            *("--rivals", "{rivals}"),
        ),
        quick=("--edits", "2"),
        packages=("pygls",),
    ),
    Benchmark(
        "editor_answers",
        "What language servers show of ten lines of a model without annotations.",
        2,
        ("--rivals", "{rivals}"),
    ),
    Benchmark(
        "playground",
        "Time until the playground is ready, and from a keystroke in it to its answer.",
        1,
        quick=("--loads", "1", "--edits", "2"),
    ),
    Benchmark(
        "memory_after_edits",
        "The memory of a process that checks a file after every edit does not grow.",
        15,
        ("{repos}/timm/models/vision_transformer.py", "--alone"),
        quick=("--early", "2", "--edits", "4"),
    ),
    Benchmark(
        "mypy_plugin",
        "Time that the plugin adds to mypy.",
        5,
        ("{repos}/nanoGPT/model.py", "{repos}/torchvision", "--rounds", "2"),
        quick=("--rounds", "1", "--warm-rounds", "1"),
    ),
    Benchmark("ops", "`infer` takes at most a fifth of FakeTensor's time.", 0.5, quick=("--rounds", "50")),
    Benchmark(
        "op_db",
        "`infer` gives the results of torch for PyTorch's operator database, and is never wrong.",
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
        "`checked` passes jaxtyping's own test suite, except for the listed items.",
        2,
        ("{jaxtyping}",),
        packages=("jax", "equinox", "cloudpickle", "typeguard"),
    ),
    Benchmark("recording", "`shapecheck record` costs at most 1.3 times eager.", 2, quick=("--rounds", "2")),
    Benchmark(
        "guards",
        "Time that a guard adds to a forward pass, compared with empty modes of torch.",
        2,
        quick=("--rounds", "2"),
    ),
    Benchmark(
        "guard_models_float32",
        "The default rules report nothing in 26 models in float32.",
        2,
        module="guard_models",
        packages=("transformers",),
    ),
    Benchmark(
        "guard_models_bfloat16",
        "They report nothing in bfloat16 either.",
        2,
        ("--dtype", "bfloat16"),
        module="guard_models",
        packages=("transformers",),
    ),
    Benchmark(
        "harness",
        "`run` observes a forward pass with less overhead than torchinfo, FlopCounterMode and DebugMode.",
        2,
        quick=("--rounds", "2"),
    ),
    Benchmark(
        "harness_models",
        "`run` has one finding in 26 models, a true one.",
        15,
        ("--compile",),
        quick=("--only", "BertModel"),
        packages=("transformers",),
    ),
    Benchmark(
        "zoo",
        "`run` runs 95 % of 100 models of timm, 50 of torchvision and 60 of transformers, without false findings.",
        60,
        quick=("--only", "timm:test_resnet", "--device", "fake"),
        packages=("timm", "torchvision", "transformers"),
    ),
    Benchmark(
        "zoo_mutations",
        "At least 95 % of 200 errors planted in models of timm and transformers are found.",
        30,
        quick=("--limit", "4", "--model", "modeling_llama"),
        packages=("timm", "transformers"),
    ),
    Benchmark("mutations", "At least 95 of 100 errors planted in the examples are found.", 8, quick=("--limit", "4")),
    Benchmark(
        "rivals",
        "Each tool: errors found, correct programs reported, time per program.",
        25,
        ("--rivals", "{rivals}"),
        quick=("--limit", "4"),
    ),
    Benchmark(
        "gpu",
        "On a GPU, tests and models give the results of a CPU; speed, memory and waiting lines are as reported.",
        8,
        ("{scratch}/gpu",),
        gpu=True,
    ),
)
