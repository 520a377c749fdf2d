"""direct-forward: from outside of the object alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a model, from outside": """
        class Net(nn.Module):
            def forward(self, x):
                return x

        model = Net()
        model.forward(torch.zeros(3))  # HERE
        """,
    "a layer of torch's": "nn.Linear(3, 4).forward(torch.zeros(3))  # HERE",
    "a layer of its own, from inside": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                return self.fc.forward(x)  # HERE
        """,
    "a Sequential": "nn.Sequential(nn.Linear(3, 4)).forward(torch.zeros(3))  # HERE",
    "one of two layers": """
        class Net(nn.Module):
            def __init__(self, wide):
                super().__init__()
                self.fc = nn.Linear(3, 8) if wide else nn.Linear(3, 4)

            def forward(self, x):
                return self.fc.forward(x)  # HERE
        """,
    "a class whose __call__ only has a type": """
        class Net(nn.Module):
            def forward(self, x):
                return x

            def __call__(self, x: Tensor) -> Tensor:
                return super().__call__(x)

        model = Net()
        model.forward(torch.zeros(3))  # HERE
        """,
    "a local module that something else receives": """
        def run(x):
            model = nn.Linear(3, 4)
            torch.nn.utils.weight_norm(model)
            return model.forward(x)  # HERE

        run(torch.zeros(3))
        """,
    "a local module whose class registers hooks": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_forward_hook(print)

            def forward(self, x):
                return x

        def run(x):
            model = Net()
            return model.forward(x)  # HERE

        run(torch.zeros(3))
        """,
    "a local module on which a hook is registered": """
        def run(x):
            model = nn.Linear(3, 4)
            model.register_forward_hook(print)
            return model.forward(x)  # HERE

        run(torch.zeros(3))
        """,
    "a module that a function returns": """
        def make():
            model = nn.Linear(3, 4)
            torch.nn.utils.weight_norm(model)
            return model

        def run(x):
            model = make()
            return model.forward(x)  # HERE

        run(torch.zeros(3))
        """,
}

MESSAGES = {
    "a model, from outside": "model.forward() skips hooks; call model()",
    "a layer of torch's": "nn.Linear(3, 4).forward() skips hooks; call nn.Linear(3, 4)()",
    "a layer of its own, from inside": "self.fc.forward() skips hooks; call self.fc()",
    "one of two layers": "self.fc.forward() skips hooks; call self.fc()",
    "a Sequential": "nn.Sequential(nn.Linear(3, 4)).forward() skips hooks; call nn.Sequential(nn.Linear(3, 4))()",
    "a class whose __call__ only has a type": "model.forward() skips hooks; call model()",
    "a local module that something else receives": "model.forward() skips hooks; call model()",
    "a local module whose class registers hooks": "model.forward() skips hooks; call model()",
    "a local module on which a hook is registered": "model.forward() skips hooks; call model()",
    "a module that a function returns": "model.forward() skips hooks; call model()",
}

QUIET = {
    "a layer, or an object without hooks": """
        class Plain:
            def forward(self, x):
                return x

        class Net(nn.Module):
            def __init__(self, wide):
                super().__init__()
                self.part = nn.Linear(3, 8) if wide else Plain()

            def forward(self, x):
                return self.part.forward(x)
        """,
    "a local module whose attributes are used": """
        class Loss(nn.Module):
            def __init__(self):
                super().__init__()
                self.gamma = 0.5

            def warm(self):
                self.gamma = 1.0

            def forward(self, x):
                return x * self.gamma

        def run(x):
            loss = Loss()
            loss.gamma = 2.0
            loss.warm()
            return loss.forward(x) / loss.gamma

        run(torch.zeros(3))
        """,
    "a test": """
        def make():
            return nn.Sequential(nn.Linear(3, 4))

        def test_forward():
            model = make()
            assert model.forward(torch.zeros(3)).shape == (4,)
        """,
    "a call": "nn.Linear(3, 4)(torch.zeros(3))",
    "the forward of a base": """
        class Twice(nn.Linear):
            def forward(self, x):
                return super().forward(x) * 2

        class Thrice(Twice):
            def forward(self, x):
                return super(Thrice, self).forward(x) * 3 + nn.Linear.forward(self, x)
        """,
    "an object's own": """
        class Net(nn.Module):
            def forward(self, x):
                return x

            def predict(self, x):
                return self.forward(x).argmax(-1)

        Net().predict(torch.zeros(3))
        """,
    "an object that is not a module": """
        class Policy:
            def forward(self, x):
                return x

        Policy().forward(torch.zeros(3))
        """,
    "a class with its own __call__": """
        class Kernel(nn.Module):
            def forward(self, x):
                return x @ x.mT

            def __call__(self, x):
                return lambda: self.forward(x)

        class Scaled(Kernel):
            def __call__(self, x):
                return super().__call__(x)

        class Sum(nn.Module):
            def __init__(self, parts):
                super().__init__()
                self.parts = nn.ModuleList(parts)

            def forward(self, x):
                return self.parts[0].forward(x) + self.parts[1].forward(x)

        Sum([Kernel(), Scaled()])(torch.rand(3, 2))
        """,
    "a function in a method": """
        class Net(nn.Module):
            def forward(self, x):
                return x

            def later(self, x):
                def run():
                    return self.forward(x)

                return run() + (lambda: self.forward(x))()

        Net().later(torch.zeros(3))
        """,
    "a local module": """
        class Loss(nn.Module):
            def __init__(self, ref):
                super().__init__()
                self.ref = ref

            def forward(self, x):
                return (x - self.ref).abs().mean()

        def loss(x, ref):
            module = Loss(ref).eval()
            module.to(x.device)
            return module.forward(x) + Loss(ref).forward(x)

        loss(torch.rand(3), torch.rand(3))
        """,
    "an unknown receiver": """
        def run(model, x):
            return model.forward(x)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "direct-forward")
    assert text == MESSAGES[name]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
