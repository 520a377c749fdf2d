"""The cache of calls under a FakeTensorMode gives the results of torch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from shapecheck.harness.fake_dispatch import use_quick_dispatch

Program = Callable[[Tensor], Any]

PROGRAMS: dict[str, Program] = {
    "linear": lambda x: F.linear(x, x.new_ones(6, 4)),
    "view": lambda x: x.transpose(0, 1),
    "slice": lambda x: x[1:, ..., 2:],
    "reshape": lambda x: x.mT.reshape(2, -1),
    "unsafe view": lambda x: torch.ops.aten._unsafe_view.default(x, (6, 4)),
    "in place": lambda x: x.add_(1),
    "view in place": lambda x: x.unsqueeze_(0),
    "after a view in place": lambda x: x.t_() * 2 if x.dim() == 2 else x[0].t_() * 2,
    "integer": lambda x: x.long() + 1,
    "float": lambda x: x.long() + 1.0,
    "bool": lambda x: x.long() + True,
    "sum": lambda x: x.sum(),
    "sum to double": lambda x: x.sum(0, dtype=torch.float64),
    "tuple": lambda x: x.max(0),
    "split": lambda x: x.chunk(2, -1),
    "complex": lambda x: torch.complex(x, x).conj() * 1j,
    "new tensor": lambda x: torch.arange(5, device=x.device),
    "constant": lambda x: x * torch.tensor(2.0),
    "gradient": lambda x: x.requires_grad_().exp(),
    "no gradient": lambda x: x.requires_grad_().exp().detach(),
    "inference": torch.inference_mode()(torch.exp),
    "expanded": lambda x: x[:, None].expand(-1, 3, -1, -1),
    "out": lambda x: torch.exp(x, out=x.new_empty(x.shape)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_call_gives_what_torch_gives(name: str) -> None:
    expected = _repeated(FakeTensorMode(), PROGRAMS[name])
    assert _repeated(use_quick_dispatch(FakeTensorMode()), PROGRAMS[name]) == expected


def test_default_dtype_is_part_of_a_call() -> None:
    with use_quick_dispatch(FakeTensorMode()):
        assert {torch.ones(2).dtype for _ in range(4)} == {torch.float32}
        torch.set_default_dtype(torch.float64)
        try:
            assert torch.ones(2).dtype == torch.float64
        finally:
            torch.set_default_dtype(torch.float32)


def test_results_do_not_share_memory() -> None:
    with use_quick_dispatch(FakeTensorMode()):
        x = torch.ones(2, 3)
        made = [x + 1 for _ in range(5)]
    assert len({_storage(one) for one in made}) == 5


def test_tensors_of_another_mode_are_rejected_as_by_torch() -> None:
    with use_quick_dispatch(FakeTensorMode()):
        x = torch.ones(2)
        for _ in range(3):
            x = x + x
    with use_quick_dispatch(FakeTensorMode()), pytest.raises(AssertionError, match="Mixing fake modes"):
        x + x


def test_values_are_still_unknown() -> None:
    with use_quick_dispatch(FakeTensorMode()):
        x = torch.ones(())
        for _ in range(4):
            with pytest.raises(DataDependentOutputException):
                bool(x + 1 > 0)


def test_repeated_calls_do_not_reach_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[Any] = []
    dispatch: Any = FakeTensorMode.dispatch

    def recorded(mode: FakeTensorMode, func: Any, *rest: Any) -> Any:
        reached.append(func)
        return dispatch(mode, func, *rest)

    monkeypatch.setattr(FakeTensorMode, "dispatch", recorded)
    with use_quick_dispatch(FakeTensorMode()):
        model, x = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)]), torch.ones(2, 3, 4)
        for _ in range(3):
            model(x).mT.contiguous()
        assert reached
        reached.clear()
        model(x).mT.contiguous()
    assert not reached


def _repeated(mode: FakeTensorMode, program: Program) -> list[Any]:
    """What is known about the results of several calls, by fresh arguments of equal metadata."""
    found = []
    with mode:
        for sizes in [(2, 3, 4)] * 4 + [(3, 2, 4)] + [(2, 3, 4)]:
            x = torch.ones(sizes)
            result = program(x)
            found.append([_about(one, x) for one in (result if isinstance(result, tuple) else (result,))])
    return found


def _about(one: Tensor, x: Tensor) -> tuple[Any, ...]:
    return (
        type(one),
        *(one.shape, one.stride(), one.storage_offset(), one.untyped_storage().nbytes()),
        *(one.dtype, one.device, one.requires_grad, one.is_leaf, one.is_conj(), one.is_neg(), one.is_inference()),
        *(None if one.is_inference() else one._version, one._is_view(), one is x, _storage(one) == _storage(x)),
        sorted(vars(one)),
        repr(torch._C._dispatch_keys(one)),
    )


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def test_parameters_can_be_copied() -> None:
    with use_quick_dispatch(FakeTensorMode()):
        layers = [nn.LayerNorm(3) for _ in range(3)]
        assert [copy.deepcopy(one).weight.shape for one in layers] == [(3,)] * 3
