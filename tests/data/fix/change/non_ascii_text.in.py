"""Größe, 大小, 🙂: text before every position."""

from typing import TYPE_CHECKING

from torch import Tensor, nn

EMOJI = "🙂🙂"; GRÖSSE = 3  # noqa: E702


class Übertragung(nn.Module):
    def forward(self, größe: Tensor, 名: str = "é🙂)") -> Tensor: return größe


netz = Übertragung(); ergebnis = "🙂", netz(größe=Tensor())  # noqa: E702
