"""Reports as a run makes them: a GPT that passes, a U-Net with faults, cases that were not built or were ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from shapecheck.diagnostics import Diagnostic, Note, Severity
from shapecheck.harness.results import CaseResult, CheckResult, Cost, LineRecord, ModuleRecord, RunReport, Status

ROOT = Path(__file__).parents[3]
GPT_FILE = "tests/data/show/gpt.py"
UNET_FILE = "tests/data/show/unet.py"
GPT_CASE = f"{GPT_FILE}:GPT"
UNET_CASE = f"{UNET_FILE}:UNet"
HOSTILE = "</script><script>window.broken = 1</script>"
"""Text that a page must show as it is."""

ENVIRONMENT = {
    "shapecheck": "0.1.0",
    "python": "3.12.7",
    "torch": "2.13.0+cu130",
    "device": "cuda",
    "driver": "580.82.07",
    "gpu": "NVIDIA H200",
    "topology": {"world_size": 2, "backend": "nccl", "wrap": "ddp"},
    "seed": 0,
    "flags": {"allow_tf32": False, "deterministic": True, "matmul_precision": "highest"},
}
PASSED, FAILED, SKIPPED = Status.PASSED, Status.FAILED, Status.SKIPPED


def report() -> RunReport:
    """All there is to show, in six cases."""
    trouble = Diagnostic(
        "examples/old.py",
        3,
        1,
        3,
        20,
        "unreadable-file",
        Severity.ERROR,
        "importing it raised ImportError: no flash_attn",
    )
    return RunReport(ENVIRONMENT, (gpt(), unet(), *not_run(), hostile()), (trouble,), 42.5)


def gpt(depth: int = 6, name: str = GPT_CASE) -> CaseResult:
    """A case in which all is well, but for a note."""
    modules = tuple(_gpt_modules(depth))
    whole = modules[0]
    note = Diagnostic(
        GPT_FILE, 19, 25, 19, 63, "hidden-copy", Severity.NOTE, "reshape copies 67,584 bytes", case=name,
        module="blocks.0.attention",
    )  # fmt: skip
    return CaseResult(
        name=name,
        path=GPT_FILE,
        line=35,
        outcome=PASSED,
        device="cuda",
        sizes={"b": 2, "t": 11, "vocabulary": 50_257},
        learnt={"t": "11"},
        inputs={"ids": "torch.int64 (2, 11)"},
        outputs=("torch.float32 (2, 11, 50257)",),
        checks=tuple(_checks({"autocast": (SKIPPED, "no bfloat16 on this device")})),
        modules=modules,
        lines=(
            LineRecord(GPT_FILE, 19, "copy", "aten.clone", depth, depth * 67_584, "blocks.0", _source(GPT_FILE, 19)),
        ),
        cost=Cost(
            flops=whole.flops, moved_bytes=whole.moved_bytes, intensity=whole.flops / whole.moved_bytes,
            device_intensity=206.2, bound="memory", expected_flops=2 * whole.parameters * 22,
            backward_flops=2 * whole.flops, seconds=0.00123, mfu=0.0213,
            memory={
                "parameters": {"float32": whole.parameters * 4},
                "buffers": {"float32": 4096},
                "activations": {"float32": 6_700_000, "int64": 176},
                "gradients": {"float32": whole.parameters * 4},
                "optimizer": {"float32": whole.parameters * 8},
            },
            peak_bytes=560_000_000,
            misaligned=("tokens: 50257 is no multiple of 8", "t: 11 rows of the product in blocks.0.feed.0"),
        ),
        diagnostics=(note,),
        seconds=6.25,
    )  # fmt: skip


def unet(name: str = UNET_CASE) -> CaseResult:
    """A case with violations in several places."""
    modules = tuple(_unet_modules())
    whole = modules[0]
    return CaseResult(
        name=name,
        path=UNET_FILE,
        line=19,
        outcome=FAILED,
        detail="the output is not what its annotation says",
        device="cuda",
        seed=7,
        sizes={"b": 2, "h": 24, "w": 40},
        learnt={"h": "a multiple of 8", "w": "a multiple of 8"},
        inputs={"image": "torch.float32 (2, 3, 24, 40)", "weight": "torch.float32 (2, 24, 40)"},
        outputs=("torch.float32 (2, 24, 40)",),
        checks=tuple(
            _checks(
                {
                    "contract": (FAILED, "the output has 3 axes, b 1 h w has 4"),
                    "sizes": (FAILED, "fails at b=1"),
                    "compile": (SKIPPED, "the case fails in eager"),
                }
            )
        ),
        modules=modules,
        lines=(
            LineRecord(UNET_FILE, 37, "copy", "aten.clone", 3, 430_080, "", _source(UNET_FILE, 37)),
            LineRecord(UNET_FILE, 42, "sync", "aten._local_scalar_dense", 1, 4, "", _source(UNET_FILE, 42)),
            LineRecord(UNET_FILE, 43, "broadcast", "aten.mul", 1, 23040, "", _source(UNET_FILE, 43)),
        ),
        cost=Cost(
            flops=whole.flops, moved_bytes=whole.moved_bytes, intensity=whole.flops / whole.moved_bytes,
            device_intensity=206.2, bound="memory", backward_flops=2 * whole.flops, seconds=0.00412, mfu=0.112,
            memory={
                "parameters": {"float32": whole.parameters * 4},
                "buffers": {"float32": 1792, "int64": 40},
                "activations": {"float32": 12_300_000},
            },
            peak_bytes=31_000_000,
        ),
        diagnostics=(
            Diagnostic(
                UNET_FILE, 43, 16, 43, 55, "shape-mismatch", Severity.ERROR,
                "the output is torch.float32 (2, 24, 40), and the annotation says Float[Tensor, 'b 1 h w']: "
                "3 axes where 4 are due",
                (
                    Note(UNET_FILE, 32, 10, "the annotation: Float[Tensor, 'b 1 h w']"),
                    Note(UNET_FILE, 43, 16, "squeeze() took the axis of size 1"),
                ), name,
            ),
            Diagnostic(
                UNET_FILE, 43, 16, 43, 38, "squeeze-batch", Severity.WARNING,
                "squeeze() takes the batch too where it is one sample", case=name,
            ),
            Diagnostic(
                UNET_FILE, 37, 26, 37, 56, "hidden-copy", Severity.NOTE, "contiguous copies 430,080 bytes", case=name,
            ),
        ),
        seconds=11.5,
    )  # fmt: skip


def not_run() -> Iterator[CaseResult]:
    """A class that could not be built, a case that was ended, one that does not apply."""
    how = "`config` has no default: give one with @shapecheck.case(kwargs={'config': ...})"
    yield CaseResult("examples.vit:Encoder", "examples/vit.py", 9, Status.UNBUILT, how)
    loop = Diagnostic(
        "examples/loop.py",
        8,
        9,
        8,
        20,
        "internal-error",
        Severity.ERROR,
        "took longer than 60 s",
        case="examples.loop:Loop",
    )
    yield CaseResult(
        "examples.loop:Loop", "examples/loop.py", 4, Status.ENDED, "took longer than 60 s, in blocks.3",
        device="cuda", inputs={"x": "torch.float32 (2, 3)"}, sizes={"n": 2, "d": 3}, diagnostics=(loop,), seconds=60.0,
    )  # fmt: skip
    yield CaseResult(
        "examples.llama:Llama[70B]", "examples/llama.py", 88, SKIPPED, "141 GB of parameters: run it with --device fake"
    )


def hostile() -> CaseResult:
    """A case whose texts are not what a page, a table or XML expects."""
    found = Diagnostic(
        "no/such/file.py", 1, 1, 1, 1, "wrong-call", Severity.ERROR, f"{HOSTILE} & [red]x[/red] \x1b[31m", case="odd:é"
    )
    return CaseResult(
        "odd:é", "no/such/file.py", 1, FAILED, HOSTILE, sizes={"n": 5}, inputs={HOSTILE: "torch.float32 (5,)"},
        outputs=("torch.float32 (5,)",), checks=(CheckResult("contract", FAILED, HOSTILE),),
        modules=(ModuleRecord("", HOSTILE, annotation=HOSTILE, calls=1),), diagnostics=(found,), seconds=0.5,
    )  # fmt: skip


def large(cases: int = 50, depth: int = 100) -> RunReport:
    """The cases and modules of a large repository: about 1,000 modules a case."""
    first = gpt(depth)
    many = (_renamed(first, f"zoo.model_{number:02}:GPT") for number in range(cases))
    return RunReport(ENVIRONMENT, tuple(many), (), 600.0)


def _source(path: str, line: int) -> str:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()[line - 1].strip()


def _renamed(case: CaseResult, name: str) -> CaseResult:
    return replace(case, name=name, diagnostics=tuple(replace(one, case=name) for one in case.diagnostics))


_CHECKS = "contract boundaries sizes layouts modes autocast backward determinism batch compile fake operators".split()


def _checks(other: dict[str, tuple[Status, str]]) -> Iterator[CheckResult]:
    for name in _CHECKS:
        outcome, detail = other.get(name, (PASSED, ""))
        yield CheckResult(name, outcome, detail, 2e-6 if outcome is SKIPPED else 0.25)


def _gpt_modules(depth: int, width: int = 384, batch: int = 2, time: int = 11) -> Iterator[ModuleRecord]:
    tokens = batch * time
    flow = f"torch.float32 ({batch}, {time}, {width})"
    blocks = [one for number in range(depth) for one in _block(f"blocks.{number}", flow, tokens, width)]
    tops = [one for one in blocks if one.path.count(".") == 1]
    words = 50_257 * width
    below = [
        _leaf("tokens", "Embedding", f"torch.int64 ({batch}, {time})", flow, words, 0, tokens * width * 8),
        _leaf("positions", "Embedding", "", "", 1024 * width, 0, 0, calls=0),
        _over("blocks", "ModuleList", "", "", tops, calls=0),
        *blocks,
        _leaf("norm", "LayerNorm", flow, flow, 2 * width, 0, tokens * width * 8),
    ]
    top = [one for one in below if "." not in one.path]
    whole = _over("", "GPT", f"torch.int64 ({batch}, {time})", f"torch.float32 ({batch}, {time}, 50257)", top)
    logits = 2 * tokens * words
    yield replace(
        whole,
        flops=whole.flops + logits,
        moved_bytes=whole.moved_bytes + words * 4,
        file=GPT_FILE,
        line=43,
        annotation='(ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]',
        seconds=0.00123,
    )
    yield from below


def _block(path: str, flow: str, tokens: int, width: int) -> Iterator[ModuleRecord]:
    wide = flow.replace(str(width), str(4 * width))
    triple = flow.replace(str(width), str(3 * width))
    said = '(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]'
    qkv = _linear(f"{path}.attention.qkv", flow, triple, tokens, width, 3 * width)
    out = _linear(f"{path}.attention.out", flow, flow, tokens, width, width)
    attention = replace(
        _over(f"{path}.attention", "Attention", flow, flow, [qkv, out]), file=GPT_FILE, line=15, annotation=said
    )
    up = _linear(f"{path}.feed.0", flow, wide, tokens, width, 4 * width)
    gelu = _leaf(f"{path}.feed.1", "GELU", wide, wide, 0, 0, tokens * width * 32)
    down = _linear(f"{path}.feed.2", wide, flow, tokens, 4 * width, width)
    feed = _over(f"{path}.feed", "Sequential", flow, flow, [up, gelu, down])
    first = _leaf(f"{path}.before_attention", "LayerNorm", flow, flow, 2 * width, 0, tokens * width * 8)
    second = replace(first, path=f"{path}.before_feed")
    block = _over(path, "Block", flow, flow, [first, attention, second, feed])
    yield replace(block, file=GPT_FILE, line=30, annotation=said, seconds=0.00015)
    yield from (first, attention, qkv, out, second, feed, up, gelu, down)


def _unet_modules() -> Iterator[ModuleRecord]:
    said = '(x: Float[Tensor, "b i h w"]) -> Float[Tensor, "b o h w"]'
    pairs = [
        ("down.0", 3, 16, 1),
        ("down.1", 16, 32, 2),
        ("down.2", 32, 64, 4),
        ("up.0", 32, 16, 1),
        ("up.1", 64, 16, 2),
        ("up.2", 128, 32, 4),
    ]
    below: list[ModuleRecord] = []
    for path, inside, outside, shrink in pairs:
        height, width = 24 // shrink, 40 // shrink
        start, end = (f"torch.float32 (2, {channels}, {height}, {width})" for channels in (inside, outside))
        first = _conv(f"{path}.first", start, end, inside, outside, 3, height * width)
        norm = _leaf(f"{path}.norm", "BatchNorm2d", end, end, 2 * outside, 0, 16 * outside * height * width)
        second = _conv(f"{path}.second", end, end, outside, outside, 3, height * width)
        double = _over(path, "Double", start, end, [first, norm, second])
        below += [replace(double, file=UNET_FILE, line=15, annotation=said), first, norm, second]
    for parent in ("down", "up"):
        inner = [one for one in below if one.path.startswith(f"{parent}.") and one.path.count(".") == 1]
        position = below.index(inner[0])
        below.insert(position, _over(parent, "ModuleList", "", "", inner, calls=0))
    below.append(
        _leaf(
            "pool",
            "MaxPool2d",
            "torch.float32 (2, 16, 24, 40)",
            "torch.float32 (2, 16, 12, 20)",
            0,
            0,
            500_000,
            calls=3,
        )
    )
    below.append(_conv("head", "torch.float32 (2, 16, 24, 40)", "torch.float32 (2, 1, 24, 40)", 16, 1, 1, 24 * 40))
    top = [one for one in below if "." not in one.path]
    whole = _over("", "UNet", "torch.float32 (2, 3, 24, 40)", "torch.float32 (2, 24, 40)", top)
    annotation = '(image: Float[Tensor, "b 3 h w"], weight: Float[Tensor, "b h w"]) -> Float[Tensor, "b 1 h w"]'
    yield replace(
        whole, file=UNET_FILE, line=28, annotation=annotation, seconds=0.00412,
        inputs=("torch.float32 (2, 3, 24, 40)", "torch.float32 (2, 24, 40)"),
    )  # fmt: skip
    yield from below


def _linear(path: str, start: str, end: str, rows: int, inside: int, outside: int) -> ModuleRecord:
    moved = 4 * (rows * (inside + outside) + inside * outside)
    return _leaf(path, "Linear", start, end, inside * outside, 2 * rows * inside * outside, moved)


def _conv(path: str, start: str, end: str, inside: int, outside: int, kernel: int, area: int) -> ModuleRecord:
    weights = inside * outside * kernel**2
    moved = 4 * (2 * area * (inside + outside) + weights)
    return _leaf(path, "Conv2d", start, end, weights + outside, 4 * area * weights, moved)


def _leaf(
    path: str, kind: str, start: str, end: str, parameters: int, flops: int, moved: int, calls: int = 1
) -> ModuleRecord:
    return ModuleRecord(
        path, kind, calls=calls, inputs=(start,) if start else (), outputs=(end,) if end else (),
        parameters=parameters, flops=flops, moved_bytes=moved,
    )  # fmt: skip


def _over(path: str, kind: str, start: str, end: str, children: Iterable[ModuleRecord], calls: int = 1) -> ModuleRecord:
    children = list(children)
    total = (sum(getattr(one, name) for one in children) for name in ("parameters", "flops", "moved_bytes"))
    parameters, flops, moved = total
    return _leaf(path, kind, start, end, parameters, flops, moved, calls)
