"""What is not known to be a tensor: arrays of other libraries are not checked, tensors that code proves are."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

IMPORTS = """
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from einops import rearrange
"""

SILENT = {
    "a product of numpy": """
        def score(F, scale: float):
            eye = np.eye(F.shape[1])
            return np.linalg.inv(F.T.dot(eye * scale).dot(F) + eye)
        """,
    "a reversed array": """
        def flip(image):
            h, w, c = image.shape
            return image[..., ::-1].transpose(2, 0, 1)
        """,
    "an array whose shape an assert states": """
        def linear(matrix):
            assert matrix.shape == (3, 3)
            return matrix[::-1, ::-1].dot(matrix).repeat(2, axis=0)
        """,
    "an array that a library returns": """
        def load(path):
            import cv2

            image = cv2.imread(path)
            height, width, _ = image.shape
            return image.reshape(height * width, 3)[::-1]
        """,
    "annotated arrays": """
        def flip(a: np.ndarray, b: "NDArray", c: np.ndarray | None, d: NDArray[np.float32]):
            return [torch.relu(one) for one in (a[::-1], b[::-1], c[::-1], d[::-1])]
        """,
    "a table": """
        def first(frame):
            rows, columns = frame.shape
            column = frame[0]
            return column[rows - 1] + torch.zeros(rows).sum()
        """,
    "items of an object along several axes": """
        def columns(table, volume, names):
            first, rest = table[:, 0], volume[..., ::-1]
            return first.describe(), table.merge(rest, on="x"), volume[:, "name"], volume[::-1], names[1, 2]

        class Net(nn.Module):
            def forward(self, x, lookup):
                return lookup[None], lookup[1, "a"], lookup.get(3), x[0].upper()
        """,
    "a product of sparse matrices": """
        def degrees(left, right):
            n, m = left.shape
            k, p = right.shape
            return (left * right).dot(right.T)[::-1]
        """,
    "a module": """
        def move(model, device):
            model = model.to(device)
            return model.config.width, model(torch.zeros(2, 3))
        """,
    "an array until it is converted": """
        def convert(array):
            h, w, c = array.shape
            return torch.from_numpy(array[::-1].copy()), torch.as_tensor(array.dot(array.T)).float()
        """,
    "an array or a tensor": """
        def ranks(x):
            n, m = x.shape
            if isinstance(x, torch.Tensor):
                return torch.relu(x)
            return x[::-1].argsort(axis=0)
        """,
    "transpose without axes of an array of unknown rank": """
        def corr(x: Tensor):
            return torch.log(x).numpy().transpose()
        """,
    "an array that numpy rearranges": """
        def patches(image):
            h, w, c = image.shape
            return rearrange(image, "h w c -> c h w")[::-1]
        """,
    "an argument that is annotated as an int, but used as a dtype": """
        def window(n: int, dtype: int):
            return torch.hann_window(n, dtype=dtype) + torch.zeros(n).to(dtype).sum(dtype=dtype)
        """,
    "branches for the number of sizes": """
        def padded(x):
            size = x.size()
            assert len(size) == 3 or len(size) == 4
            if len(size) == 3:
                d = 1
            else:
                d = 2
            if d == 1:
                return F.pad(x, pad=[1, 1], mode="circular")
            return F.pad(x, pad=[1, 1, 1, 1], mode="circular")

        class Patcher(nn.Module):
            def patch(self, x):
                _, _, h, w = x.shape
                return padded(x)

            def forward(self, **batch):
                return self.patch(batch["x"])
        """,
    "the number of elements of an array": """
        def rows(x):
            h, w = x.shape
            return torch.zeros(x.size).reshape(h, w), torch.zeros(3, x.size)[0]
        """,
    "the method patch of any object": """
        def patched():
            return torch._dynamo.config.patch({"cache_size_limit": 8})
        """,
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_reported_of_what_may_not_be_a_tensor(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, IMPORTS + textwrap.dedent(SILENT[name]))
    assert [f"{one.line}: {one.message}" for one in check([path])] == []


FOUND = {
    "a function of torch": """
        def f(x):
            n, m = x.shape
            return torch.relu(x) @ torch.zeros(5, 3) @ torch.zeros(4, 2)  # HERE
        """,
    "a layer that receives a reshaped argument": """
        def f(x):
            b, t, c = x.shape
            y = x.reshape(b * t, c)
            return nn.Linear(8, 4)(y).permute(0, 1, 2)  # HERE
        """,
    "a method that only tensors have": """
        def f(x):
            n, m = x.shape
            y = x.unsqueeze(0)
            return x[::-1], y  # HERE
        """,
    "sizes of a view": """
        def f(x):
            n, m = x.shape
            y = x.view(-1, 1)
            return x.dot(y)  # HERE
        """,
    "a function that is called": """
        def g(y):
            return F.softmax(y, dim=-1)

        def f(x):
            n, m = x.shape
            g(x.T)
            return x.permute(0, 1, 2)  # HERE
        """,
    "an operator with a tensor": """
        def f(x):
            n, m = x.shape
            return (x * torch.ones(3)).permute(0, 1, 2)  # HERE
        """,
    "a branch": """
        def f(x, flag):
            n, m = x.shape
            y = x[::-1]  # HERE
            if flag:
                return torch.relu(x)
            return y
        """,
    "isinstance": """
        def f(x):
            n, m = x.shape
            if isinstance(x, torch.Tensor):
                return x[::-1]  # HERE
            return x[::-1]
        """,
    "the annotation": """
        def f(x: Tensor):
            n, m = x.shape
            return x[::-1]  # HERE
        """,
    "the forward of a module": """
        class Net(nn.Module):
            def forward(self, x):
                n, m = x.shape
                return x[::-1]  # HERE
        """,
    "an item along several axes, in the forward of a module": """
        class Net(nn.Module):
            def forward(self, x):
                y = x[..., None]
                return y, x[::-1]  # HERE
        """,
    "the sizes of an array-like": """
        def f(x):
            n, m = x.shape
            if len(x.size()) == 2:
                return torch.zeros(2, 3) @ torch.zeros(n, 4).new_zeros(5, 4)  # HERE
            return torch.zeros(2, 3) @ torch.zeros(5, 4)
        """,
    "a number as a dtype": """
        def f(n: int):
            return torch.hann_window(n, dtype=5)  # HERE
        """,
    "an assert on the sizes of a tensor": """
        def f(path):
            x = torch.load(path)
            assert x.size() == (3, 4)
            return x[::-1]  # HERE
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_proof_that_it_is_a_tensor_makes_it_one(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, IMPORTS + textwrap.dedent(FOUND[name]))
    expected = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# HERE")]
    assert [one.line for one in check([path])] == expected
