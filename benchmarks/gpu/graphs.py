"""A forward is captured as a CUDA graph, and replayed with other inputs: the results of eager mode."""

from __future__ import annotations

import torch

from benchmarks.gpu.figures import Figures, NeedsGPU, is_gpu
from benchmarks.gpu.workloads import gpt
from shapecheck.harness.check_context import differ, tolerance
from shapecheck.harness.cost.timing import seconds_of

_WARM = 3


def graphs(device: torch.device) -> Figures:
    if not is_gpu(device):
        raise NeedsGPU("CUDA graphs need a GPU")
    found = Figures()
    model, tokens = gpt(device)
    with torch.no_grad():
        graph, result = _captured(model, tokens)
        for shift in (1, 7):
            changed = (tokens + shift) % 100
            expected = model(changed)
            tokens.copy_(changed)
            graph.replay()
            words = differ([expected], [result], *tolerance(torch.float32))
            found.expect(not words, f"a replay with changed inputs differs: {words}")
        found.measured = {
            "eager seconds": seconds_of(lambda: model(tokens), device),
            "replay seconds": seconds_of(graph.replay, device),
        }
    return found


def _captured(model: torch.nn.Module, tokens: torch.Tensor) -> tuple[torch.cuda.CUDAGraph, torch.Tensor]:
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(_WARM):
            model(tokens)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = model(tokens)
    return graph, result
