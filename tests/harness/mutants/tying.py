"""Weights that are meant to be one parameter, but only share memory."""

from types import SimpleNamespace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class LanguageModel(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)
        # mutant head_of_another_size: self.head = nn.Linear(dim, 2 * vocabulary, bias=False)
        self.head.weight = self.embed.weight
        # mutant data: self.head.weight.data = self.embed.weight.data
        # mutant parameter_of_parameter: self.head.weight = nn.Parameter(self.embed.weight)
        # mutant parameter_of_data: self.head.weight = nn.Parameter(self.embed.weight.data)
        # mutant parameter_of_detached: self.head.weight = nn.Parameter(self.embed.weight.detach())
        # mutant parameter_of_view: self.head.weight = nn.Parameter(self.embed.weight.view(vocabulary, dim))
        # mutant parameter_of_array: self.head.weight = nn.Parameter(torch.from_numpy(self.embed.weight.data.numpy()))
        # mutant buffer_of_data: self.head.register_buffer("table", self.embed.weight.data)

    def forward(self, tokens: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]:
        return self.head(self.embed(tokens))


class TransposedHead(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.decoder = nn.Parameter(torch.zeros(dim, vocabulary))
        # mutant transposed: self.decoder = nn.Parameter(self.embed.weight.data.t())
        self.bias = nn.Parameter(torch.zeros(dim))
        # mutant row_of_table: self.bias = nn.Parameter(self.embed.weight.data[3])

    def forward(self, tokens: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]:
        return (self.embed(tokens) + self.bias) @ self.decoder


class SharedLayers(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.layers[1].weight = self.layers[0].weight
        # mutant shared_layers: self.layers[1].weight.data = self.layers[0].weight.data
        self.small = nn.Linear(dim, 4)
        # mutant first_rows: self.small = nn.Linear(dim, 4); self.small.weight.data = self.layers[0].weight.data[:4]

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b 4"]:
        return self.small(self.layers[1](self.layers[0](x).relu()))


class Configured(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.config = SimpleNamespace(tie_word_embeddings=True)
        self.embed = nn.Embedding(vocabulary, dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)
        self.head.weight = self.embed.weight
        # mutant not_tied: self.tied = {"head.weight": "embed.weight"}
        # mutant tied_before_it_is_made: self.head = nn.Linear(dim, vocabulary, bias=False)

    def get_input_embeddings(self) -> nn.Module:
        return self.embed

    def get_output_embeddings(self) -> nn.Module:
        return self.head

    def forward(self, tokens: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]:
        return self.head(self.embed(tokens))
