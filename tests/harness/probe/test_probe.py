"""What a probe says of modules, and that the model never notices it."""

from __future__ import annotations

import copy
import gc
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torchinfo
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.modules import module as torch_module
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
from torch.utils.flop_counter import FlopCounterMode

from shapecheck.harness.probe import Probe, Profiled
from shapecheck.harness.results import ModuleRecord
from tests.harness.probe.models import CASES
from tests.steps import steps
from tests.versions import since


def probed(model: nn.Module, *args: Any, **kwargs: Any) -> dict[str, ModuleRecord]:
    with Probe(model) as probe:
        model(*args, **kwargs)
    return {one.path: one for one in probe.modules()}


@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients_are_those_without_a_probe(name: str) -> None:
    case = CASES[name]
    torch.manual_seed(0)
    model, x = case.make().eval(), case.inputs()
    twin = copy.deepcopy(model)
    expected = twin(x)
    expected.sum().backward()
    with Probe(model):
        found = model(x)
        found.sum().backward()
    assert torch.equal(found, expected)
    assert all(
        torch.equal(one.grad, other.grad) for one, other in zip(model.parameters(), twin.parameters(), strict=True)
    )


CONTEXTS: dict[str, Callable[[], Any]] = {
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
}


def result_of_torch(model: nn.Module, x: Tensor) -> Any:
    """The result without a probe; skips the test where torch has no kernel for this processor."""
    try:
        return model(x)
    except RuntimeError as refusal:
        if "could not create a primitive" in str(refusal):
            pytest.skip(f"torch cannot run it on this processor: {str(refusal).partition('.')[0]}")
        raise


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", CASES)
def test_results_in_a_context_are_those_without_a_probe(name: str, context: str) -> None:
    case = CASES[name]
    model, x = case.make().eval(), case.inputs()
    with CONTEXTS[context]():
        expected = result_of_torch(model, x)
        with Probe(model) as probe:
            found = model(x)
    with Probe(model) as plain:
        model(x)
    # On some processors any dispatch mode, an empty one too, makes torch take other kernels in inference mode.
    torch.testing.assert_close(found, expected)
    assert probe.flops == plain.flops


def counted_by_torch(model: nn.Module, x: Tensor) -> None:
    with FlopCounterMode(display=False):
        model(x)


def logged_by_torch(model: nn.Module, x: Tensor) -> None:
    from torch.utils._debug_mode import DebugMode  # noqa: PLC0415 - new in torch 2.9

    with DebugMode():
        model(x)


RIVALS: dict[str, Callable[[nn.Module, Tensor], Any]] = {
    "torchinfo": lambda model, x: torchinfo.summary(model, input_data=[x], verbose=0, depth=99),
    "FlopCounterMode": counted_by_torch,
    "DebugMode": logged_by_torch,
}


def with_tables(model: nn.Module, x: Tensor) -> None:
    with Probe(model) as probe:
        model(x)
    probe.modules()
    probe.lines()


@pytest.mark.parametrize(
    "rival",
    [
        "torchinfo",
        "FlopCounterMode",
        pytest.param("DebugMode", marks=since(2, 9, "there is no DebugMode")),
    ],
)
@pytest.mark.parametrize("name", ["GPT", "ResNet", "ViT"])
def test_a_probe_does_less_than_others_that_report_less(name: str, rival: str) -> None:
    case = CASES[name]
    model, x = case.make(), case.inputs()
    plain = steps(lambda: model(x))
    for warm in (with_tables, RIVALS[rival]):
        warm(model, x)
    assert steps(lambda: with_tables(model, x)) - plain < 0.7 * (steps(lambda: RIVALS[rival](model, x)) - plain)


@pytest.mark.parametrize("name", CASES)
def test_totals_are_those_of_the_model_and_of_its_parts(name: str) -> None:
    case = CASES[name]
    model, x = case.make(), case.inputs()
    with Probe(model) as probe:
        model(x)
    records = probe.modules()
    leaves = [one for one in records if not list(model.get_submodule(one.path).children())]
    assert [one.path for one in records] == [path for path, _ in model.named_modules()]
    assert records[0].flops == probe.flops
    assert records[0].moved_bytes == probe.moved_bytes > 0
    assert records[0].parameters == sum(one.numel() for one in model.parameters())
    assert sum(one.parameters for one in leaves) <= records[0].parameters
    assert sum(one.flops for one in leaves) <= records[0].flops


def test_flops_of_leaves_add_up_where_leaves_do_all_products() -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.Sequential(nn.ReLU(), nn.Linear(5, 2)))
    found = probed(model, torch.zeros(7, 3))
    assert {path: one.flops for path, one in found.items()} == {
        "": 2 * 7 * (15 + 10),
        "0": 2 * 7 * 15,
        "1": 2 * 7 * 10,
        "1.0": 0,
        "1.1": 2 * 7 * 10,
    }


@pytest.mark.parametrize("name", CASES)
def test_fake_tensors_cost_what_real_ones_do(name: str) -> None:
    case = CASES[name]
    torch.manual_seed(0)
    model, x = case.make(), case.inputs()
    real = probed(model, x)
    with FakeTensorMode(allow_non_fake_inputs=True):
        fake = probed(model, torch.empty(x.shape, dtype=x.dtype))
    if "LSTM" in name:  # with data, oneDNN does a layer at once
        real, fake = ({path: one.flops for path, one in found.items()} for found in (real, fake))
    assert fake == real


class Several(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(3, 4), nn.Identity()

    def forward(self, x: Tensor, more: list[Tensor], *, by_name: dict[str, Tensor] | None = None) -> dict[str, Any]:
        return {"a": (self.first(x), more[0] > 0), "b": 3}


def test_tensors_of_the_first_call() -> None:
    model = Several()
    with Probe(model) as probe:
        for size in (2, 5):
            model(torch.zeros(size, 3), [torch.ones(size)])
    whole, first, second = probe.modules()
    assert (whole.inputs, whole.outputs) == (
        ("torch.float32 (2, 3)", "torch.float32 (2,)"),
        ("torch.float32 (2, 4)", "torch.bool (2,)"),
    )
    assert (first.calls, first.inputs, first.outputs) == (2, ("torch.float32 (2, 3)",), ("torch.float32 (2, 4)",))
    assert (second.calls, second.inputs, second.outputs) == (0, (), ())


@pytest.mark.skipif(
    not hasattr(torch_module, "_global_forward_hooks_with_kwargs"),
    reason=f"torch {torch.__version__} keeps keywords from hooks of all modules",
)
def test_tensors_that_go_in_by_name() -> None:
    whole, *_ = probed(Several(), torch.zeros(2, 3), [torch.ones(2)], by_name={"c": torch.zeros(1)}).values()
    assert whole.inputs == ("torch.float32 (2, 3)", "torch.float32 (2,)", "torch.float32 (1,)")


def test_where_forward_stands() -> None:
    whole, first, _ = probed(Several(), torch.zeros(2, 3), [torch.ones(2)]).values()
    assert whole.file == __file__
    assert whole.line == Several.forward.__code__.co_firstlineno
    assert (first.file, first.line) == ("", 0)


class Pair(nn.Module):
    def __init__(self, shared: nn.Module) -> None:
        super().__init__()
        self.left, self.right = nn.Sequential(shared), nn.Sequential(shared, nn.Linear(3, 3))

    def forward(self, x: Tensor) -> Tensor:
        return self.right(self.left(x))


def test_a_shared_module_is_told_at_each_path_by_its_caller() -> None:
    model = Pair(nn.Linear(3, 3, bias=False))
    found = probed(model, torch.zeros(5, 3))
    once = 2 * 5 * 9
    assert {path: (one.calls, one.flops) for path, one in found.items()} == {
        "": (1, 3 * once),
        "left": (1, once),
        "left.0": (1, once),
        "right": (1, 2 * once),
        "right.0": (1, once),
        "right.1": (1, once),
    }
    assert found[""].parameters == 9 + 12
    assert found["left.0"].parameters == found["right.0"].parameters == 9


class Again(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Tensor, depth: int = 2) -> Tensor:
        return self.linear(x if not depth else self(x, depth - 1))


def test_a_module_that_calls_itself_counts_once() -> None:
    found = probed(Again(), torch.zeros(5, 3))
    assert (found[""].calls, found[""].flops, found["linear"].flops) == (3, 3 * 90, 3 * 90)


class Fails(nn.Module):
    def __init__(self, depth: int, catches: bool = False) -> None:
        super().__init__()
        self.inner = Fails(depth - 1) if depth else nn.Linear(4, 4)
        self.catches = catches

    def forward(self, x: Tensor) -> Tensor:
        try:
            return self.inner(x)
        except RuntimeError:
            if not self.catches:
                raise
        raise ValueError("something else")


FAILURES: dict[str, tuple[Callable[[], nn.Module], type[Exception], str]] = {
    "in a layer": (lambda: Fails(2), RuntimeError, "inner.inner.inner"),
    "after one that was caught": (lambda: Fails(1, catches=True), ValueError, ""),
    "in the second of two": (
        lambda: nn.Sequential(nn.Identity(), nn.Linear(4, 4)),
        RuntimeError,
        "1",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_where_an_exception_came_from(name: str) -> None:
    make, kind, path = FAILURES[name]
    model = make()
    probe = Probe(model)
    with pytest.raises(kind), probe:
        model(torch.zeros(2, 3))
    assert probe.where == path
    assert_unwatched()


def test_an_interrupt_leaves_the_innermost_module_that_ran() -> None:
    model = nn.Sequential(nn.Identity(), nn.Sequential(nn.Identity()))

    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    model[1][0].register_forward_hook(interrupt)
    probe = Probe(model)
    with pytest.raises(KeyboardInterrupt), probe:
        model(torch.zeros(2, 3))
    assert probe.where in {"1", "1.0"}
    assert_unwatched()


def assert_unwatched() -> None:
    assert not {**torch_module._global_forward_hooks, **torch_module._global_forward_pre_hooks}
    assert not {"cpu", "numpy", "tolist"} & set(vars(Tensor))
    assert torch.utils._python_dispatch._get_current_dispatch_mode() is None


def test_nothing_is_left_behind_and_probes_nest() -> None:
    model = nn.Linear(3, 3)
    with Probe(model) as outer:
        with Probe(model) as inner:
            model(torch.zeros(2, 3))
        model(torch.zeros(2, 3)).tolist()
    assert_unwatched()
    assert (inner.modules()[0].calls, outer.modules()[0].calls) == (1, 2)
    assert [one.operator for one in outer.lines()] == ["tolist"]


def test_other_threads_are_let_through() -> None:
    model = nn.Linear(3, 3)
    with Probe(model) as probe:
        thread = threading.Thread(target=lambda: model(torch.zeros(2, 3)).tolist())
        thread.start()
        thread.join()
    assert (probe.modules()[0].calls, probe.flops, probe.lines()) == (0, 0, ())


def test_what_is_no_part_of_the_model_counts_in_the_total_alone() -> None:
    model, other = nn.Linear(3, 3), nn.Linear(3, 3)
    with Probe(model) as probe:
        model(other(torch.zeros(2, 3)))
    assert probe.flops == 2 * probe.modules()[0].flops


def test_backward_counts_apart_and_runs_no_module_again() -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.Linear(5, 2))
    x = torch.zeros(7, 3)
    plain = probed(model, x)
    with Probe(model) as probe, set_checkpoint_early_stop(False):
        checkpoint(model, x.requires_grad_(), use_reentrant=False).sum().backward()
    assert {one.path: one for one in probe.modules()} == plain
    assert probe.backward_flops == 3 * probe.flops  # forward once more, and two gradients


def test_no_tensor_of_the_run_is_kept() -> None:
    model = Fails(1)
    x = torch.zeros(2, 3)
    gone = weakref.ref(x)
    with pytest.raises(RuntimeError), Probe(model) as probe:
        model(x)
    del x
    gc.collect()
    assert gone() is None
    assert probe.where == "inner.inner"


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("watching", [Probe, Profiled])
def test_a_compiled_model_runs(backend: str, watching: type[Any]) -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
    compiled = torch.compile(model, backend=backend)
    for sizes in ((2, 3), (5, 3), (2, 7, 3)):  # a new rank has Dynamo at work inside the block
        x = torch.randn(sizes)
        with watching(compiled):
            found = compiled(x)
        assert torch.equal(found, model(x))
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of hooks that are left
            assert torch.equal(compiled(x), model(x))


def flex_attention(q: Tensor) -> Tensor:
    from torch.nn.attention import flex_attention as module  # noqa: PLC0415 - new in torch 2.5

    result: Tensor = module.flex_attention(q, q, q)
    return result


HIGHER_ORDER: dict[str, Callable[[Tensor], Tensor]] = {
    "cond": lambda q: torch.cond(q.sum() > 0, torch.sin, torch.cos, (q,)),
    "flex attention": flex_attention,
}


@pytest.mark.parametrize(
    "name",
    ["cond", pytest.param("flex attention", marks=since(2, 5, "there is no flex attention"))],
)
@pytest.mark.parametrize("watching", [Probe, Profiled])
def test_operators_of_a_higher_order_run(name: str, watching: type[Any]) -> None:
    torch.compiler.reset()
    q = torch.randn(1, 2, 16, 8)
    expected = HIGHER_ORDER[name](
        q
    )  # first: what torch has passed over under a mode, any mode, it never compiles again
    with watching(nn.Identity()):
        assert torch.allclose(HIGHER_ORDER[name](q), expected)


def test_a_scripted_model_runs() -> None:
    model = torch.jit.trace(nn.Sequential(nn.Linear(3, 4), nn.ReLU()), torch.zeros(2, 3))
    with Probe(model) as probe:
        model(torch.zeros(2, 3))
    assert probe.flops == 2 * 2 * 12


@pytest.mark.parametrize("transform", [torch.vmap, torch.func.jacrev], ids=["vmap", "jacrev"])
def test_transforms_run(transform: Callable[..., Any]) -> None:
    model = nn.Linear(3, 3)
    with Probe(model):
        found = transform(model)(torch.ones(3, 3))
    assert torch.equal(found, transform(model)(torch.ones(3, 3)))


def test_sparse_nested_and_quantized_tensors_are_let_through() -> None:
    with Probe(nn.Identity()):
        torch.sparse.mm(torch.eye(3).to_sparse(), torch.ones(3, 2))
        (torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]) * 2).unbind()
        torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8).dequantize()


def test_a_lazy_module_is_told_once_it_is_made() -> None:
    model = nn.LazyLinear(4)
    assert Probe(model).modules()[0].parameters == 0
    assert probed(model, torch.zeros(2, 3))[""].parameters == 16


def test_moved_bytes() -> None:
    big, small, table, which = torch.ones(1000), torch.ones(1), torch.ones(100, 5), torch.tensor([3, 4])
    rows: list[tuple[Callable[[], Any], int]] = [
        (lambda: torch.zeros(10), 40),
        (lambda: torch.empty(10), 0),
        (lambda: big.view(5, 200).T, 0),
        (lambda: big + big, 3 * 4000),
        (lambda: big.add_(big), 3 * 4000),
        (big.zero_, 4000),
        (lambda: torch.zeros_like(big), 4000),
        (lambda: big.copy_(small.expand(1000)), 4000 + 4000),
        (lambda: nn.functional.embedding(which, table), 16 + 2 * 40),
        (lambda: table[which], 16 + 2 * 40),
        (lambda: torch.cat([big, big]), 4 * 4000),
        (lambda: table.index_put_((which,), table[:2].clone()), 4 * 40 + 16),
    ]
    for call, expected in rows:
        with Probe(nn.Identity()) as probe:
            call()
        assert probe.moved_bytes == expected


def test_work_is_linear_in_the_calls() -> None:
    def run(count: int) -> int:
        model = nn.Sequential(*(nn.Linear(2, 2) for _ in range(count)))
        x = torch.zeros(1, 2)

        def probe() -> None:
            with Probe(model) as probe:
                model(x)
            probe.modules()

        return steps(probe)

    run(1)
    assert run(400) < 2.5 * run(200)


class Builds(nn.Module):
    """Makes its layer when it knows the width, as some do by hand."""

    def forward(self, x: Tensor) -> Tensor:
        if not hasattr(self, "layer"):
            self.layer = nn.Linear(x.shape[-1], 4)
        return self.layer(x)


def test_a_module_that_forward_builds_is_told() -> None:
    model = Builds()
    probe = Probe(model)
    assert [one.path for one in probe.modules()] == [""]
    with probe:
        model(torch.zeros(2, 3))
    assert [(one.path, one.calls) for one in probe.modules()] == [("", 1), ("layer", 1)]
