"""Small programs, and the findings in them: the line, the code, and what the message says."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "a layer that no width fits": (
        """
        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(width, width)

            def forward(self, x):
                return self.down(self.up(x))  # HERE
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be width, got 4*width (weight of shape (width, width))",
    ),
    "a layer built before another with the same width": (
        """
        class Head(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.fc = nn.Linear(width, width)

            def forward(self, x):
                return self.fc(x)  # HERE

        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.head = Head(width)
                self.up = nn.Linear(width, 2 * width)

            def forward(self, x):
                return self.head(self.up(x))
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be width, got 2*width",
    ),
    "a scale that is computed from a size": (
        """
        import math

        class Net(nn.Module):
            def __init__(self, width: int, patches: int, rate: float):
                super().__init__()
                scale = width**-0.5
                self.place = nn.Parameter(-scale * torch.randn(patches, 8) / math.sqrt(width) * (width / patches))
                self.rate = rate
                self.head = nn.Linear(9, 10)

            def forward(self, x):
                place = (self.place * float(x.shape[0])).mul(self.rate)
                return self.head(place)  # HERE
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be 9, got 8",
    ),
    "a wrong number of names, and what follows from it": (
        """
        a, b, c = torch.zeros(2, 8).chunk(2, dim=1)  # HERE
        torch.zeros(2, 5) + a
        """,
        "wrong-call",
        "cannot unpack 2 values into 3 names",
    ),
    "an import that cannot fail": (
        """
        try:
            from torch.nn.functional import scaled_dot_product_attention
            THERE = True
        except ImportError:
            scaled_dot_product_attention, THERE = None, False

        nn.Linear(3, 4)(torch.zeros(2, 5 if THERE else 3))  # HERE
        """,
        "shape-mismatch",
        "to be 3, got 5",
    ),
    "a shape beside a dtype that is not known": (
        """
        def f(y):
            x = torch.zeros(2, 3, 8).to(y.dtype)
            x = x.float().type(x.dtype)
            return x / x.norm(dim=-1)  # HERE
        """,
        "shape-mismatch",
        "cannot broadcast (2, 3, 8) and (2, 3)",
    ),
    "a parameter that is perhaps not trained": (
        """
        def f(trained):
            weight = nn.Parameter(torch.zeros(4, 8), requires_grad=trained)
            return F.linear(torch.zeros(2, 5), weight)  # HERE
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be 8, got 5",
    ),
    "what follows a long training loop": (
        """
        net = nn.Sequential(*(nn.Linear(8, 8) for _ in range(20)))
        for epoch in range(250):
            for step in range(250):
                for layer in net:
                    F.mse_loss(layer(torch.randn(4, 8)), torch.zeros(4, 8)).backward()
        net(torch.zeros(2, 5))  # HERE
        """,
        "shape-mismatch",
        "to be 8, got 5",
    ),
    "a table that no function changes": (
        """
        SIZES = {}
        for n in range(5):
            SIZES[n] = n

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(3, 4), nn.Linear(SIZES[3], 2)

            def forward(self, x):
                return self.b(self.a(x))  # HERE
        """,
        "shape-mismatch",
        "to be 3, got 4",
    ),
    "an index out of range of a shape": (
        "nn.Linear(4, 1)(torch.zeros(1, 4)).flatten().shape[1]  # HERE",
        "shape-mismatch",
        "index 1 is out of range for shape (1,)",
    ),
    "a sum of tensors": ("sum([torch.zeros(2, 3), torch.zeros(2, 4)])  # HERE", "shape-mismatch", "cannot broadcast"),
    "an operator as a function": (
        """
        import functools, operator
        functools.reduce(operator.mul, [torch.zeros(2, 3), torch.zeros(2, 4)])  # HERE
        """,
        "shape-mismatch",
        "cannot broadcast",
    ),
    "a parameter in a list": (
        """
        class Net(nn.Module):
            def __init__(self, sizes=(4, 6)):
                super().__init__()
                self.weights = nn.ParameterList([nn.Parameter(torch.zeros(n, n)) for n in sizes])
                self.named = nn.ParameterDict({"bias": nn.Parameter(torch.zeros(6))})

            def forward(self, x):
                for weight in self.weights:
                    x = x @ weight  # HERE
                return x + self.named["bias"]

        Net().half()(torch.randn(2, 4).half())
        """,
        "shape-mismatch",
        "matmul",
    ),
    "a function of rows that is mapped": (
        """
        rows = torch.vmap(lambda x, y: torch.outer(x, y))(torch.zeros(2, 3), torch.zeros(2, 7))
        rows @ torch.zeros(3, 4)  # HERE
        """,
        "shape-mismatch",
        "(2, 3, 7)",
    ),
    "a module called with parameters": (
        """
        net = nn.Linear(4, 2)
        torch.func.functional_call(net, dict(net.named_parameters()), (torch.zeros(3, 5),))  # HERE
        """,
        "shape-mismatch",
        "to be 4, got 5",
    ),
    "a closure that an optimizer calls": (
        """
        def main():
            layer, x = nn.Linear(4, 1), torch.randn(5, 4)
            opt = torch.optim.LBFGS(layer.parameters())

            def closure():
                loss = F.mse_loss(layer(x), torch.randn(5))  # HERE
                loss.backward()
                return loss

            opt.step(closure)

        main()
        """,
        "loss-broadcast",
        "(5,)",
    ),
    "batches of a data set that is gone through": (
        """
        from torch.utils.data import DataLoader, IterableDataset

        class Rows(IterableDataset):
            def __iter__(self):
                for n in range(6):
                    yield torch.randn(4), n

        for x, label in DataLoader(Rows(), batch_size=3):
            nn.Linear(5, 2)(x)  # HERE
        """,
        "shape-mismatch",
        "to be 5, got 4",
    ),
    "a module that runs itself on the parts of a tree": (
        """
        class Tree(nn.Module):
            def __init__(self, dim=4):
                super().__init__()
                self.merge = nn.Linear(dim, dim)

            def forward(self, tree):
                if isinstance(tree, Tensor):
                    return tree
                left, right = tree
                return self.merge(torch.cat([self(left), self(right)]))  # HERE

        Tree()((((torch.randn(2), torch.randn(2)), torch.randn(2)), torch.randn(2)))
        """,
        "shape-mismatch",
        "to be 4, got 6",
    ),
    "an autograd function that is applied": (
        """
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, scale):
                return x * scale  # HERE

        Scale.apply(torch.randn(3, 4), torch.ones(3))
        """,
        "shape-mismatch",
        "cannot broadcast",
    ),
    "a part of a data set": (
        """
        from torch.utils.data import DataLoader, TensorDataset, random_split
        train, test = random_split(TensorDataset(torch.randn(20, 4), torch.randn(20)), [16, 4])
        for x, y in DataLoader(train, batch_size=4):
            F.mse_loss(nn.Linear(4, 1)(x), y)  # HERE
        """,
        "loss-broadcast",
        "(4,)",
    ),
    "the mask that nn.Transformer makes": (
        """
        layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
        mask = nn.Transformer.generate_square_subsequent_mask(5)
        layer(torch.randn(2, 6, 8), src_mask=mask)  # HERE
        """,
        "shape-mismatch",
        "(5, 5)",
    ),
    "a module whose parameters were cast": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 2)

            def forward(self, x):
                return self.fc(x)  # HERE

        net = Net()
        net.double()
        net(torch.randn(3, 4))
        """,
        "dtype-mismatch",
        "float32",
    ),
    "widths flow from a constructor through forward": (
        """
        class Net(nn.Module):
            def __init__(self, width=64, classes=10):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(32, width * 2), nn.ReLU())
                self.head = nn.Linear(width, classes)

            def forward(self, x):
                return self.head(self.body(x))  # HERE
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be 64, got 128",
    ),
    "sizes flow from a call into the layers": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
                self.fc = nn.Linear(8 * 16 * 16, 10)

            def forward(self, x):
                return self.fc(self.conv(x).flatten(1))  # HERE

        def main():
            Net()(torch.randn(4, 3, 28, 28))

        if __name__ == "__main__":
            main()
        """,
        "shape-mismatch",
        "got 1568",
    ),
    "a loop over layers": (
        """
        class Net(nn.Module):
            def __init__(self, sizes=(4, 8, 16)):
                super().__init__()
                self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

            def forward(self, x):
                for layer in reversed(self.layers):
                    x = layer(x)  # HERE
                return x
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be 4, got 16",
    ),
    "a config object": (
        """
        from dataclasses import dataclass

        @dataclass
        class Config:
            dim: int = 8
            hidden: int = 16

        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.up = nn.Linear(config.dim, config.hidden)
                self.down = nn.Linear(config.dim, config.hidden)

            def forward(self, x):
                return self.down(self.up(x))  # HERE

        Net(Config())(torch.zeros(2, 8))
        """,
        "shape-mismatch",
        "expected the last dimension of the input to be 8, got 16",
    ),
    "a class that is a Sequential": (
        """
        class Stem(nn.Sequential):
            def __init__(self, out):
                super().__init__(nn.Conv2d(3, out, 3), nn.ReLU())

        net = nn.Sequential(Stem(8), nn.Conv2d(16, 4, 1))
        net(torch.zeros(1, 3, 8, 8))  # HERE
        """,
        "shape-mismatch",
        "Conv2d: expected an input with 16 channels, got 8",
    ),
    "two axis names of one signature are different sizes": (
        """
        def mix(x: Float[Tensor, "b c"], y: Float[Tensor, "b d"]) -> Float[Tensor, "b c"]:
            return x + y  # HERE
        """,
        "shape-mismatch",
        "cannot broadcast",
    ),
    "an argument breaks its annotation": (
        """
        def norm(x: Float[Tensor, "b 3 h w"]) -> Tensor:
            return x

        norm(torch.zeros(2, 4, 8, 8))  # HERE
        """,
        "shape-mismatch",
        'argument "x" of norm: expected dimension 1 ("3") to be 3, got 4',
    ),
    "a result breaks its annotation": (
        """
        def pool(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b d"]:
            return x.mean(dim=2)  # HERE
        """,
        "shape-mismatch",
        'return value: expected dimension 1 ("d") to be d, got t',
    ),
    "view of a transposed tensor": (
        """
        def merge(x):
            b, t, h, d = x.shape
            y = torch.zeros(b, t, h, d).transpose(1, 2)
            return y.view(b, -1)  # HERE

        merge(torch.zeros(2, 5, 4, 8))
        """,
        "non-contiguous",
        "dimensions 1 and 2 are not contiguous; use reshape()",
    ),
    "integers into a Linear": (
        """
        nn.Linear(4, 2)(torch.randint(0, 9, (3, 4)))  # HERE
        """,
        "dtype-mismatch",
        "int64",
    ),
    "a column minus a row": (
        """
        scores = nn.Linear(4, 1)(torch.zeros(7, 4))
        wanted = torch.zeros(7)
        loss = (scores - wanted).pow(2).mean()  # HERE
        """,
        "silent-broadcast",
        "both operands are broadcast: (7, 1) - (7,) -> (7, 7)",
    ),
    "a loss of a column and a row": (
        """
        F.mse_loss(torch.zeros(7, 1), torch.zeros(7))  # HERE
        """,
        "loss-broadcast",
        "mse_loss broadcasts input (7, 1) and target (7,) to (7, 7); give both the same shape",
    ),
    "arguments an operator does not take": (
        """
        torch.cat(torch.zeros(3), torch.zeros(3), 0, 1)  # HERE
        """,
        "wrong-call",
        "cat",
    ),
    "the last batch of a loader is smaller": (
        """
        from torch.utils.data import DataLoader, TensorDataset

        for (x,) in DataLoader(TensorDataset(torch.zeros(10, 6)), batch_size=4):
            x.view(4, 3, 2)  # HERE
        """,
        "shape-mismatch",
        "(2, 6)",
    ),
}

QUIET = {
    "a float that is computed from a size": """
        import math

        def f(width: int, factor: float, x):
            steps = torch.arange(0, width * 0.5)
            a = steps[:7] + torch.zeros(7)
            picked = torch.zeros(3, 4)[:, : int(width / 2)] + torch.zeros(3, 1)
            scaled = torch.arange(6) * width**-0.5
            torch.zeros(6, dtype=scaled.dtype) @ scaled
            either = math.sqrt(width) if x else torch.zeros(5)
            (torch.zeros(3) * factor + torch.zeros(3)) * (2 * either if x else 1)
            return factor[:, None] * torch.zeros(4, 2) if isinstance(factor, torch.Tensor) else a
        """,
    "another default dtype": """
        torch.set_default_dtype(torch.float64)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                return self.fc(x)

        Net()(torch.zeros(2, 3, dtype=torch.float64)) + torch.zeros(4)
        """,
    "a layer for a width that may be 0": """
        class Net(nn.Module):
            def __init__(self, width, extra):
                super().__init__()
                self.extra = nn.Linear(extra, width) if extra > 0 else None
                self.first, self.second = nn.Linear(width, width), nn.Linear(width + extra, width)

            def forward(self, x):
                return self.second(self.first(x))
        """,
    "a parameter that is set under a name that is not known": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.tensor(1.0))

        class Task:
            def __init__(self, net):
                self.net = net

            def widen(self):
                for name, scale in list(self.net.named_parameters()):
                    parent = self.net.get_submodule(name.rpartition(".")[0])
                    setattr(parent, name, nn.Parameter(scale.data.unsqueeze(0), requires_grad=scale.requires_grad))

        def test_widen():
            net = Net()
            Task(net).widen()
            assert net.scale.ndim == 1
        """,
    "an import that may fail": """
        try:
            from another_library import attention
            THERE = True
        except ImportError:
            THERE = False

        nn.Linear(3, 4)(torch.zeros(2, 5 if THERE else 3))
        """,
    "a layer of a container that is replaced": """
        from collections import OrderedDict
        net = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
        net[0] = nn.Linear(5, 4)
        net[-1] = nn.Linear(4, 7)
        net(torch.zeros(2, 5)) + torch.zeros(7)
        named = nn.Sequential(OrderedDict(first=nn.Linear(3, 4)))
        named[0] = nn.Linear(5, 6)
        named(torch.zeros(2, 5)) + torch.zeros(6)
        """,
    "a registry that other files fill": """
        SIZES = {}

        def register(name, size):
            SIZES[name] = size

        def size_of(name):
            return SIZES[name] if name in SIZES else 5

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(3, 4), nn.Linear(size_of("b"), 2)

            def forward(self, x):
                return self.b(self.a(x))
        """,
    "an axis of a shape that only some inputs have": """
        def batch(x):
            n = x.shape[2] if x.dim() == 3 else x.shape[1]
            if len(x.shape) > 3:
                return x.shape[3]
            try:
                return n + x.shape[5]
            except IndexError:
                return n

        batch(torch.zeros(2, 3))
        batch(torch.zeros(2, 3, 4))
        """,
    "sums, maps and lists of parameters that fit": """
        losses = [F.mse_loss(torch.zeros(3), torch.zeros(3)) for _ in range(3)]
        sum(losses).backward()
        sum(torch.zeros(2, 3)) + torch.zeros(3)
        torch.vmap(torch.dot)(torch.zeros(2, 3), torch.zeros(2, 3)) + torch.zeros(2)
        scales = nn.ParameterList()
        for n in (3, 4):
            scales.append(nn.Parameter(torch.zeros(n)))
        torch.zeros(2, 4) * scales[-1]
        """,
    "an autograd function whose forward is a class method": """
        class Detach(torch.autograd.Function):
            @classmethod
            def forward(cls, ctx, *tensors):
                return tuple(one.detach() for one in tensors)

        a, b = Detach.apply(torch.randn(3), torch.randn(4))
        """,
    "an autograd function that is applied": (
        """
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.save_for_backward(x)
                return x.repeat(1, n)

            @staticmethod
            def backward(ctx, grad):
                return grad, None

        nn.Linear(8, 2)(Double.apply(torch.randn(3, 4), 2))
        """
    ),
    "parts of a data set": """
        from torch.utils.data import DataLoader, Subset, TensorDataset, random_split
        rows = TensorDataset(torch.randn(20, 4), torch.randn(20))
        for part in (*random_split(rows, [16, 4]), *random_split(rows, [0.5, 0.5]), Subset(rows, range(6))):
            for x, y in DataLoader(part, batch_size=4):
                F.mse_loss(nn.Linear(4, 1)(x).squeeze(1), y)
        """,
    "modules cast in place": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(4))
                self.fc = nn.Sequential(nn.Linear(4, 2))

            def forward(self, x):
                return self.fc(x * self.scale)

        def run(where):
            net, layer = Net(), nn.Linear(4, 2)
            net.double()
            layer.double()
            net(torch.randn(3, 4, dtype=torch.double))
            layer(torch.randn(3, 4, dtype=torch.double))
            net.to(where)
            net(torch.randn(3, 4, dtype=torch.half))
            net.to(torch.float32)(torch.randn(3, 4))
        """,
    "a device that was asked for": """
        DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

        def f():
            return torch.zeros(2).to(DEVICE), nn.Linear(2, 2).to(DEVICE)(torch.zeros(1, 2))
        """,
    "a class of ours that is a layer of torch's": """
        class Bottle(nn.Module):
            def forward(self, x):
                return super().forward(x.view(-1, x.size(-1)))

        class Linear(Bottle, nn.Linear):
            pass
        """,
    "rebinding a name": """
        def f(x: Float[Tensor, "b c"]):
            x = nn.Linear(3, 4)(x)
            return nn.Linear(4, 2)(x)
        """,
    "a name that meets a constant learns it": """
        def f(x: Float[Tensor, "n features"]) -> Float[Tensor, "n 1"]:
            return nn.Linear(3, 1)(x)
        """,
    "layers chosen by what is not known": """
        class Net(nn.Module):
            def __init__(self, deep):
                super().__init__()
                self.body = nn.Linear(4, 8) if deep else nn.Linear(4, 16)
                self.head = nn.Linear(8 if deep else 16, 2)

            def forward(self, x):
                return self.head(self.body(x))
        """,
    "a list that something unknown has changed": """
        def f(extend):
            layers = [nn.Linear(4, 8)]
            extend(layers)
            layers.append(nn.Linear(5, 2))
            return nn.Sequential(*layers)(torch.zeros(1, 4))
        """,
    "a comparison of pairs that is written so": """
        labels = torch.zeros(7)
        same = labels[:, None] == labels
        gap = labels.unsqueeze(1) - labels
        """,
    "heads split and merged": """
        class Attention(nn.Module):
            def __init__(self, dim: int, heads: int):
                super().__init__()
                self.heads, self.dim = heads, dim
                self.qkv = nn.Linear(dim, 3 * dim)
                self.out = nn.Linear(dim, dim)

            def forward(self, x):
                b, t, c = x.shape
                q, k, v = self.qkv(x).split(self.dim, dim=2)
                q = q.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                k = k.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                v = v.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
                return self.out(y.transpose(1, 2).contiguous().view(b, t, c))
        """,
    "what a handler waits for": """
        try:
            nn.Linear(3, 4)(torch.zeros(5))
        except RuntimeError:
            pass
        """,
    "a call that never ends": """
        def f(x):
            return f(x + 1)

        f(torch.zeros(3))
        while True:
            y = torch.zeros(3)
        """,
    "numbers and texts beyond reason": """
        a = 1 << 10**12
        b = pow(10, 10**12)
        c = 10 ** 10**9
        d = "%999999999999d" % 3
        e = "%*d" % (10**12, 3)
        f = "x" * 10**12
        g = [0] * 10**12
        for i in range(10**40):
            torch.zeros(i)
        h = len(range(10**40))
        """,
    "what three ways out of a try leave open": """
        def f(load):
            try:
                width = load()
            except OSError:
                width = 8
            except ValueError:
                width = 4
            return nn.Linear(width, 2)(torch.zeros(1, 4))

        def g(load):
            try:
                layer = nn.Linear(4, 2)
            except OSError:
                layer = nn.Linear(8, 2)
            except ValueError:
                layer = nn.Linear(4, 2)
            return layer(torch.zeros(1, 8))
        """,
    "batches of nothing": """
        from torch.utils.data import DataLoader, TensorDataset

        for size in (0, None, -1):
            for (x,) in DataLoader(TensorDataset(torch.zeros(4, 2)), batch_size=size):
                x.view(3, 3)
        """,
    "names from nowhere": """
        from somewhere import thing
        from .nowhere import other

        thing.of(1)(other)[2] @ undefined
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_program_with_one_finding(name: str, tmp_path: Path) -> None:
    source, code, message = FOUND[name]
    path, text = lines_of(tmp_path, source)
    (only,) = check([path])
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert (only.line, only.code) == (line, code)
    assert message in only.message


@pytest.mark.parametrize("name", QUIET)
def test_a_program_with_nothing_to_say(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


def test_a_finding_inside_a_call_names_the_callers(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, FOUND["sizes flow from a call into the layers"][0])
    (only,) = check([path])
    assert [note.message for note in only.notes] == [
        "layer expects 2048: nn.Linear(8 * 16 * 16, 10)",
        "when called here: Net()(torch.randn(4, 3, 28, 28))",
        "when called here: main()",
    ]


def test_modules_of_the_project_are_followed(tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text("from torch import nn\n\ndef wide(n):\n    return nn.Linear(n, 2 * n)\n")
    main = tmp_path / "main.py"
    main.write_text("import torch\nfrom layers import wide\n\nwide(8)(wide(8)(torch.zeros(1, 8)))\n")
    (only,) = check([main])
    assert (Path(only.path).name, only.line, only.code) == ("main.py", 4, "shape-mismatch")


def test_a_syntax_error_does_not_hide_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(:\n")
    (tmp_path / "b.py").write_text("import torch\ntorch.zeros(3) + torch.zeros(4)\n")
    assert [one.code for one in check([tmp_path])] == ["syntax-error", "shape-mismatch"]


PATCHED = {
    "the fixture, an attribute of a module": 'monkeypatch.setattr(model, "features", fake)',
    "the fixture, a path": 'monkeypatch.setattr("model.features", fake)',
    "the fixture, a method of a class": 'monkeypatch.setattr(model.Net, "prepare", fake)',
    "the fixture, a path to a method": 'monkeypatch.setattr("model.Net.prepare", fake)',
    "unittest.mock, an object": 'patch.object(model, "features", fake).start()',
    "unittest.mock, a path": 'patch("model.features", fake).start()',
    "pytest-mock": 'monkeypatch.patch.object(model, "features")',
}
_MODEL = """
import torch
from torch import nn

def features(x):
    return x.view(2, 8)

class Net:
    def prepare(self, x):
        return features(x)

    def run(self, x):
        return nn.Linear(8, 2)(self.prepare(x))
"""
_TEST = """
import torch
import model
from unittest.mock import patch

def test_run(monkeypatch):
    def fake(*args):
        return torch.zeros(2, 8)

    {}
    model.Net().run(torch.zeros(3))
"""


@pytest.mark.parametrize(("call", "findings"), [*((one, 0) for one in PATCHED.values()), ("pass", 1)])
def test_what_a_test_replaces_is_not_run(call: str, findings: int, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(_MODEL)
    test = tmp_path / "test_model.py"
    test.write_text(_TEST.format(call))
    assert len(check([test])) == findings
