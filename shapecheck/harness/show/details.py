"""One case in detail, for terminals and files: its checks, the constraints of its axes, its module tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from shapecheck.harness.results import CaseResult, CheckResult, ModuleRecord, ShardRecord, Status
from shapecheck.harness.show import figures
from shapecheck.harness.show.table import Column, print_table


def show_details(case: CaseResult, console: Console) -> None:
    """Print the details that the table of cases omits."""
    if not (case.checks or case.modules or case.cost):
        return
    console.print()
    for text in (Text(case.name, style="bold underline"), *map(Text, _facts(case))):
        console.print(text, soft_wrap=True, highlight=False)
    if case.checks:
        console.print()
        print_table(_checks(case), console)
    if case.modules:
        console.print()
        print_table(_modules(case.modules), console)
    divided = [one for one in case.shards if one.placements]
    if divided:
        console.print()
        print_table(_shards(divided), console)


def _facts(case: CaseResult) -> Iterator[str]:
    if case.constructor:
        yield f"built from {case.constructor}"
    if case.inputs_from:
        yield f"inputs from {case.inputs_from}"
    yield from (f"input {name}: {spec}" for name, spec in case.inputs.items())
    yield from (f"output: {spec}" for spec in case.outputs)
    yield from (f"axis {name}: {asked}" for name, asked in case.learnt.items())
    if case.cost is None:
        return
    cost = case.cost
    unit = f"{figures.count(cost.flops)} FLOPs, {figures.size(cost.moved_bytes)} moved"
    bound = f", limited by {cost.bound}" if cost.bound else ""
    device = f" (the device: {figures.ratio(cost.device_intensity)})" if cost.device_intensity is not None else ""
    yield f"cost: {unit}, {figures.ratio(cost.intensity)} FLOPs per byte{device}{bound}"
    if cost.mfu is not None:
        yield f"MFU: {figures.share(cost.mfu)}"
    for what, by_dtype in cost.memory.items():
        if by_dtype:
            yield f"memory, {what}: {', '.join(f'{figures.size(n)} {dtype}' for dtype, n in by_dtype.items())}"
    yield from (f"misses tensor cores: {one}" for one in cost.misaligned)
    yield from (f"{one.path}:{one.line}: {one.kind}: {one.count} times {one.operator}, "
                f"{figures.size(one.moved_bytes)}" for one in case.lines)  # fmt: skip


def _checks(case: CaseResult) -> list[Column]:
    return [
        Column("check", [check.name for check in case.checks]),
        Column("outcome", [check.outcome.value for check in case.checks]),
        Column("time", [_time(check) for check in case.checks], rank=1, right=True),
        Column("detail", [" ".join(check.detail.split()) for check in case.checks]),
    ]


def _time(check: CheckResult) -> str:
    return "" if check.outcome is Status.SKIPPED else figures.duration(check.seconds)


def _modules(modules: Sequence[ModuleRecord]) -> list[Column]:
    times = ["" if one.seconds is None else figures.duration(one.seconds) for one in modules]
    return [
        Column("module", [_indented(one) for one in modules]),
        Column("calls", [str(one.calls) for one in modules], rank=5, right=True),
        Column("inputs", [", ".join(one.inputs) for one in modules], rank=3),
        Column("outputs", [", ".join(one.outputs) for one in modules], rank=1),
        Column("parameters", [figures.count(one.parameters) for one in modules], rank=4, right=True),
        Column("FLOPs", [figures.count(one.flops) for one in modules], rank=1, right=True),
        Column("moved", [figures.size(one.moved_bytes) for one in modules], rank=2, right=True),
        Column("time", times, rank=6, right=True),
    ]


def _shards(shards: Sequence[ShardRecord]) -> list[Column]:
    """The tensors that several processes divide among them."""
    local = [Column(f"rank {rank}", [one.local[rank] for one in shards]) for rank in range(len(shards[0].local))]
    return [
        Column("tensor", [one.name for one in shards]),
        Column("placements", [one.placements for one in shards], rank=1),
        Column("global", [one.whole for one in shards]),
        *local,
    ]


def _indented(module: ModuleRecord) -> str:
    """`    attention: Attention`, indented by its depth."""
    if not module.path:
        return module.kind
    depth = module.path.count(".") + 1
    return f"{'  ' * depth}{module.path.rpartition('.')[2]}: {module.kind}"
