"""axis-order: a reshape across an axis."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.spec import Size, unknown
from shapecheck.static.rules._axis_moves import moved
from tests.static.rules.programs import place, reported

HEADS = 'def f(x: Float[Tensor, "b h t d"]):\n    b, h, t, d = x.shape\n'

TOKENS = "def f(x: Tensor, h: int, w: int, heads: int):\n    b, n, c = x.shape\n"
IMAGES = "def f(x: Tensor):\n    b, c, h, w = x.shape\n"

FOUND = {
    "pairs of the items of two arguments, both of which have a name": """
        def similar(x, y):
            (_, num, dim), (_, most, _) = x.size(), y.size()
            return x.bmm(y.permute(0, 2, 1)).view(-1, num)  # HERE
        """,
    "a number of tokens behind that of the heads": """
        def f(x: Float[Tensor, "b 197 768"]):
            return x.view(x.size(0), 12, 197, 64)  # HERE
        """,
    "frames behind the parts of a mask": """
        class Mask(nn.Module):
            def __init__(self, people: int = 2):
                super().__init__()
                self.people, self.out = people, nn.Linear(600, 2 * 257 * people)

            def forward(self, x: Float[Tensor, "b 298 600"]):
                y = self.out(x)
                return y.view(y.size(0), 2, 298, 257, self.people)  # HERE
        """,
    "a dimension that the function names": """
        class Expanding(nn.Module):
            def __init__(self, heads: int, dim: int, rank: int):
                super().__init__()
                self.dim, self.proj = dim, nn.Linear(rank, heads * dim)

            def forward(self, latents):
                b, h, t, _ = latents.shape
                return self.proj(latents).view(b, t, -1, self.dim).transpose(1, 2)  # HERE
        """,
    "heads merged across tokens": HEADS + "    return x.reshape(b, t, h * d)  # HERE\n",
    "batch and tokens merged across heads": HEADS + "    return x.reshape(b * t, h, d)  # HERE\n",
    "tokens to a map": TOKENS + "    return x.reshape(b, c, h, w)  # HERE\n",
    "tokens to a map behind contiguous": TOKENS + "    return x.contiguous().view(b, c, h, w)  # HERE\n",
    "a function": TOKENS + "    return torch.reshape(x, (b, c, h, w))  # HERE\n",
    "two dimensions exchanged": TOKENS + "    return x.view(b, c, n)  # HERE\n",
    "two dimensions exchanged, one of them inferred": TOKENS + "    return x.view(b, -1, n)  # HERE\n",
    "batch and tokens exchanged": TOKENS + "    return x.reshape(n, b, c)  # HERE\n",
    "behind operators that keep the dimensions": TOKENS + "    return torch.relu(x * 2).view(b, c, n)  # HERE\n",
    "heads split before the tokens": TOKENS + "    return x.view(b, heads, n, c // heads)  # HERE\n",
    "heads before tokens, which were split from a layer": """
        class Attention(nn.Module):
            def __init__(self, heads: int, dim: int):
                super().__init__()
                self.heads, self.width, self.q = heads, dim // heads, nn.Linear(dim, dim)

            def forward(self, x):
                b, t, _ = x.shape
                q = self.q(x).view(b, t, self.heads, self.width)
                return q.view(b, self.heads, t, self.width)  # HERE
        """,
    "an image to tokens": IMAGES + "    return x.view(b, h * w, c)  # HERE\n",
    "an image to tokens, one size inferred": IMAGES + "    return x.reshape(b, -1, c)  # HERE\n",
    "an image with channels last, and a new dimension of one": IMAGES + "    return x.view(1, h * w, c, -1)  # HERE\n",
    "a dimension of one beside exchanged dimensions": TOKENS + "    return x.view(b, 1, c, h)  # HERE\n",
    "an image with channels last": IMAGES + "    return x.reshape(b, h, w, c)  # HERE\n",
    "the directions of a recurrent layer": """
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.GRU(8, 16, bidirectional=True, batch_first=True)

            def forward(self, x):
                b, t, c = x.shape
                _, state = self.rnn(x)
                return state.view(b, -1)  # HERE
        """,
    "a size that is a number": """
        class Map(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(32, 64)

            def forward(self, x, h: int, w: int):
                x = self.proj(x)
                b, n, c = x.shape
                return x.view(b, c, h, w)  # HERE
        """,
    "heads that a loop fills": """
        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(64, 8) for _ in range(8)])

            def forward(self, x):
                b, n, c = x.shape
                heads = x.new_zeros(8, b, n, 8)
                for index, layer in enumerate(self.layers):
                    heads[index] = layer(x)
                return heads.view(b, n, -1)  # HERE
        """,
    "heads of an attention without a transpose": """
        class Attention(nn.Module):
            def __init__(self, dim: int, heads: int):
                super().__init__()
                self.heads, self.size = heads, dim // heads
                self.qkv = nn.Linear(dim, 3 * heads * self.size)

            def forward(self, x):
                b, n, c = x.size()
                q, k, v = self.qkv(x).reshape(b, n, self.heads, 3 * self.size).permute(0, 2, 1, 3).chunk(3, dim=-1)
                values = F.scaled_dot_product_attention(q, k, v)
                return values.reshape(b, n, c)  # HERE
        """,
    "heads merged after the wrong transpose": """
        class Attention(nn.Module):
            def __init__(self, dim: int, heads: int):
                super().__init__()
                self.heads, self.size = heads, dim // heads
                self.qkv = nn.Conv2d(dim, 3 * heads * self.size, 1)

            def forward(self, x):
                b, c, h, w = x.shape
                x = self.qkv(x).reshape(b, 3 * self.heads, self.size, h * w).transpose(-1, -2)
                q, k, v = x.chunk(3, dim=1)
                out = (q @ k.transpose(-1, -2)).softmax(-1) @ v
                return out.transpose(1, 2).reshape(b, -1, h, w)  # HERE
        """,
}

QUIET = {
    "heads merged into the batch, of a square whose size the function names once": """
        def merged(x: Float[Tensor, "b 4 96 96"]):
            batch, heads, tokens, _ = x.shape
            return x.reshape(batch * heads, tokens, tokens), x.reshape(batch, heads * tokens, tokens)
        """,
    "a dimension that a loop halves until it is 1": """
        def last(x, levels: int, batch: int, n: int, k: int, c: int):
            chart = x.view(-1, batch, n, k * c, k * c)
            for level in range(levels):
                chart = torch.matmul(chart[:, :, 1::2], chart[:, :, 0::2])
            return chart.view(-1, batch, k, c, k, c)
        """,
    "a size that the result lacks, and that was 1 when the shape was last known": """
        def doubled(images: Tensor) -> Tensor:
            _, channels, h, w = images.shape
            images = images.reshape(-1, h, w, 1)
            _, h, w, minor = images.shape
            out = images.view(-1, h, w, minor).permute(0, 3, 1, 2)
            out = out.reshape(-1, minor, h, w).permute(0, 2, 3, 1)
            return out.view(-1, channels, h, w)

        class Smoothing(nn.Module):
            def forward(self, images: Tensor) -> Tensor:
                return doubled(images)

        class Stages(nn.Module):
            def __init__(self, n: int) -> None:
                super().__init__()
                self.stages = nn.ModuleList([Smoothing() for _ in range(n)])

            def forward(self, images: Tensor | None = None):
                for stage in self.stages:
                    images = stage(images)
                return images
        """,
    "pairs of the items of two arguments, which may be as many": """
        def similar(x, y):
            _, num, dim = x.size()
            return x.bmm(y.permute(0, 2, 1)).view(-1, num)
        """,
    "numbers that stay at their place, or have no large prime factor": """
        def f(x: Float[Tensor, "b 197 768"], y: Float[Tensor, "b 16 64"], z: Float[Tensor, "b 788 3"]):
            b = x.size(0)
            return x.view(b, 197, 12, 64), x.view(b * 197, 768), y.view(b, 4, 16, 16), z.view(b, 4, 197, 3)
        """,
    "heads that are split from groups of tokens instead": """
        class Grouped(nn.Module):
            def __init__(self, heads: int, dim: int, group: int = 3):
                super().__init__()
                self.heads, self.width, self.group, self.q = heads, dim // heads, group, nn.Linear(dim, dim)

            def split(self, x):
                return self.q(x).view(x.size(0), -1, self.heads, self.width).transpose(1, 2)

            def forward(self, x: Tensor):
                q = self.split(x).transpose(1, 2).contiguous()
                return q.view(q.size(0), -1, self.heads, self.width * self.group).transpose(1, 2)
        """,
    "channels of patches that the layer takes whole": """
        class Patches(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.size, self.dim = config.patch_size, config.hidden_size
                self.proj = nn.Conv2d(config.channels, self.dim, config.kernel_size, config.stride)

            def forward(self, x):
                return self.proj(x.view(-1, 3, self.size, self.size)).view(-1, self.dim)
        """,
    "channels of patches, each size of the kernel given": """
        class Patches(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.size, self.dim = config.patch_size, config.hidden_size
                self.proj = nn.Conv2d(3, self.dim, [self.size, self.size], stride=[self.size, self.size])

            def forward(self, x):
                return self.proj(x.view(-1, 3, self.size, self.size)).view(-1, self.dim)
        """,
    "a dimension that the function ignores": """
        class Expanding(nn.Module):
            def __init__(self, heads: int, dim: int, rank: int):
                super().__init__()
                self.dim, self.proj = dim, nn.Linear(rank, heads * dim)

            def forward(self, latents):
                b, _, t, _ = latents.shape
                return self.proj(latents).view(b, t, -1, self.dim).transpose(1, 2)
        """,
    "a batch of one whose size is unknown in the mask": """
        def reduce(source, mask):
            return inner(source.unsqueeze(0), mask.unsqueeze(0))

        def inner(source, mask):
            b, c, h, w = source.shape
            return mask.unsqueeze(1).expand(-1, c, -1, -1).view(b, c, -1)
        """,
    "heads merged after a transpose": HEADS + "    return x.transpose(1, 2).reshape(b, t, h * d)\n",
    "neighbours merged": HEADS + "    return x.reshape(b * h, t, d), x.reshape(b, h, t * d)\n",
    "everything merged": HEADS + "    return x.reshape(b, -1)\n",
    "tokens to a map after a transpose": TOKENS + "    return x.transpose(1, 2).reshape(b, c, h, w)\n",
    "heads split": TOKENS + "    return x.view(b, n, heads, c // heads).transpose(1, 2)\n",
    "channels in groups": IMAGES + "    return x.view(b, 4, c // 4, h, w).transpose(1, 2).reshape(b, c, h, w)\n",
    "windows": """
        def windows(x: Tensor, size: int):
            b, h, w, c = x.shape
            x = x.view(b, h // size, size, w // size, size, c)
            return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size, size, c)
        """,
    "windows with a mask": """
        def masked(scores: Tensor, mask: Tensor):
            b, heads, n, _ = scores.shape
            count = mask.shape[0]
            scores = scores.view(b // count, count, heads, n, n) + mask[None, :, None]
            return scores.view(-1, heads, n, n)
        """,
    "time first, heads in the batch": """
        def split(x: Tensor, heads: int):
            t, b, c = x.shape
            return x.view(t, b * heads, c // heads).transpose(0, 1)
        """,
    "repeated keys": """
        def repeat(x: Tensor, times: int):
            b, heads, t, d = x.shape
            return x[:, :, None].expand(b, heads, times, t, d).reshape(b, heads * times, t, d)
        """,
    "the rest of a size by another that may be equal": """
        class Head(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.width = width
                self.out = nn.Linear(10, width)

            def forward(self, memory: Tensor, n: int):
                return self.out(memory.new_zeros(n, 10)).view(memory.size(0), self.width, -1)
        """,
    "a last dimension that is written as 1": """
        def expanded(x: Tensor, outputs: int, inputs: int):
            k, o, i, p = x.shape
            return x.view(outputs, inputs, o, i, 1).transpose(1, 2)
        """,
    "a first dimension that is written as 1": """
        def split(x: Tensor, heads: int):
            p, n, k = x.shape
            return x.view(1, n, heads, -1)
        """,
    "a matrix that may be square": """
        def f(rows):
            index = torch.stack((torch.arange(len(rows)), rows))
            first = torch.sparse_coo_tensor(index, torch.ones(len(rows))).to_dense()
            second = torch.sparse_coo_tensor(index, torch.ones(len(rows)), size=(first.shape[1], 3)).to_dense()
            return (first @ second).reshape(3, -1)
        """,
    "an inferred size that may be 1": """
        def folded(x: Float[Tensor, "a b"], y: Float[Tensor, "c d"], flag: bool, n: int):
            rows = x.nonzero().shape[0]
            return (x if flag else y).reshape(rows, -1).reshape(n // 2, rows)
        """,
    "relative positions": """
        def shifted(x: Tensor):
            b, h, q, k = x.shape
            x = F.pad(x, (1, 0)).view(b, h, k + 1, q)
            return x[:, :, 1:].reshape(b, h, q, k)
        """,
    "relative positions whose number is computed": """
        def rel_shift(x: Tensor, d: int, k: int):
            b, h, q, _ = x.shape
            p = d // (k * q)
            x = F.pad(x[..., :p], (1, 0)).view(b, h, -1, q)
            return x[:, :, 1:].view(b, h, q, p)
        """,
    "relative positions of a padded argument": """
        def rel_shift(x: Tensor):
            q, k, b, h = x.shape
            return x.reshape(k, q, b, h)[1:]
        """,
    "rows repeated one after the other": """
        def mask(total: int, size: int):
            assert total % size == 0
            groups = total // size
            return torch.eye(groups).bool().repeat(1, size).reshape(total, groups)
        """,
    "a batch of beams, and a last size that may be 1": """
        def doses(maps: Tensor, mus: Tensor, beams: int):
            rows = maps.shape[0] // beams
            dose = volume(maps)
            depth, height, width, _ = dose.shape[1:]
            return dose.view(rows, beams, depth, height, width)
        """,
    "one more size that is written as 1": """
        class Squeeze(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.up = nn.Conv2d(width, width, 1)
                self.width = width

            def forward(self, x):
                y = F.avg_pool2d(x, kernel_size=x.size(3))
                return self.up(y).view(-1, self.width, 1, 1)
        """,
    "patches of an image that is one patch": """
        class Patches(nn.Module):
            def __init__(self, width: int, size: int):
                super().__init__()
                self.embed = nn.Conv3d(3, width, size, stride=size)
                self.width, self.size = width, size

            def forward(self, pixels: Tensor):
                x = pixels.reshape(-1, 3, load(), self.size, self.size)
                return self.embed(x).view(-1, self.width)
        """,
    "random numbers": TOKENS + "    return torch.randn_like(x).view(b, c, n)\n",
    "a size that is a number, after a transpose": """
        class Map(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(32, 64)

            def forward(self, x, h: int, w: int):
                x = self.proj(x)
                b, n, c = x.shape
                x = x.transpose(1, 2).contiguous()
                return x.view(b, c, h, w)
        """,
    "constants": TOKENS + "    return torch.zeros(heads, b, n).view(b, n, heads)\n",
    "weights of the layer": """
        class Positions(nn.Module):
            def __init__(self, n: int, c: int):
                super().__init__()
                self.n, self.c = n, c
                self.weight = nn.Parameter(torch.zeros(n, c))

            def forward(self):
                return self.weight.view(self.c, self.n)
        """,
    "elements interleaved between groups": IMAGES
    + "    return x.view(b, w, h, c).permute(0, 3, 2, 1), x.view(b, h, c, w).transpose(2, 1)\n",
    "rows interleaved between columns": TOKENS + "    return x.reshape(b, c, n).mT.contiguous()\n",
    "the directions of a recurrent layer after a transpose": """
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.GRU(8, 16, bidirectional=True, batch_first=True)

            def forward(self, x):
                b, t, c = x.shape
                _, state = self.rnn(x)
                return state.transpose(0, 1).reshape(b, -1)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "axis-order")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


TEXTS = {
    "another position": (
        TOKENS + "    return x.view(b, c, h, w)\n",
        "view does not move h*w from dimension 1 to 2: (b, h*w, c) -> (b, c, h, w); use permute or transpose first",
    ),
    "the same position from the start": (
        "def f(x: Tensor, h: int):\n    b, s, c = x.shape\n"
        "    return x.view(b, s, h, c // h).transpose(1, 2).contiguous().view(b, c, s)\n",
        "view does not move s from dimension -2 to -1: (b, h, s, c//h) -> (b, c, s); use permute or transpose first",
    ),
    "factors that cross a dimension": (
        "def f(x: Tensor):\n    b, c, s, w = x.shape\n    return x.view(b, c // 2, s, 2 * w)\n",
        "view does not move elements across s in dimension 2: (b, c, s, w) -> (b, c//2, s, 2*w);"
        " use permute or transpose first",
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_message_names_two_positions(name: str, tmp_path: Path) -> None:
    source, expected = TEXTS[name]
    ((_, _, message),) = reported(tmp_path, source)
    assert message == expected


N, M, B = unknown("n"), unknown("m"), unknown("b")


@pytest.mark.parametrize(
    ("given", "result", "is_moved"),
    [
        ((B, N, 4, M, 2), (B, 2 * N, 2 * M, 2), False),  # 4 is 2 * 2: one factor for each neighbor
        ((B, N, 6, M, 2), (B, 2 * N, 3 * M, 2), False),
        ((B, 2, M), (B, M, 2), True),
        ((B, N, M), (B, M, N), True),
    ],
)
def test_a_number_may_be_divided_between_its_neighbors(
    given: tuple[Size, ...], result: tuple[Size, ...], is_moved: bool
) -> None:
    assert (moved(given, result) is not None) is is_moved
