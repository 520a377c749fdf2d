"""Annotated models as people write them: silent, run clean under jaxtyping, and one wrong token is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.contracts.programs import assert_quiet, run_typechecked, shown, written

FILES = {
    "types_of.py": """
        from dataclasses import dataclass
        from typing import TypeAlias

        from jaxtyping import Bool, Float, Int
        from torch import Tensor

        Tokens: TypeAlias = Int[Tensor, "b t"]
        Hidden = Float[Tensor, "b t d"]
        Image = Float[Tensor, "c h w"]
        Images = Float[Image, "b"]
        Mask = Bool[Tensor, "b t"]


        @dataclass
        class Config:
            vocab: int = 50
            dim: int = 16
            heads: int = 4
            layers: int = 2
    """
}

PROGRAMS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a transformer": (
        """
        from types_of import Config, Hidden, Mask, Tokens

        class Attention(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.heads = config.heads
                self.qkv = nn.Linear(config.dim, 3 * config.dim)
                self.out = nn.Linear(config.dim, config.dim)

            def forward(self, x: Hidden, mask: Mask | None = None) -> Hidden:
                b, t, d = x.shape
                q, k, v = self.qkv(x).chunk(3, dim=-1)
                q = q.view(b, t, self.heads, d // self.heads).transpose(1, 2)
                k = k.view(b, t, self.heads, d // self.heads).transpose(1, 2)
                v = v.view(b, t, self.heads, d // self.heads).transpose(1, 2)
                scores = q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5
                if mask is not None:
                    scores = scores.masked_fill(~mask[:, None, None, :], -1e9)
                y = scores.softmax(-1) @ v
                return self.out(y.transpose(1, 2).reshape(b, t, d))

        class Block(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.attention = Attention(config)
                self.norm1, self.norm2 = nn.LayerNorm(config.dim), nn.LayerNorm(config.dim)
                self.mlp = nn.Sequential(
                    nn.Linear(config.dim, 4 * config.dim), nn.GELU(), nn.Linear(4 * config.dim, config.dim)
                )

            def forward(self, x: Hidden, mask: Mask | None = None) -> Hidden:
                x = x + self.attention(self.norm1(x), mask)
                return x + self.mlp(self.norm2(x))

        class Model(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.config = config
                self.embed = nn.Embedding(config.vocab, config.dim)
                self.blocks = nn.ModuleList([Block(config) for _ in range(config.layers)])
                self.head = nn.Linear(config.dim, config.vocab)

            def forward(self, tokens: Tokens, mask: Mask | None = None) -> Float[Tensor, "b t {self.config.vocab}"]:
                x: Hidden = self.embed(tokens)
                for block in self.blocks:
                    x = block(x, mask)
                return self.head(x)

        def main():
            model = Model(Config())
            tokens = torch.randint(0, 50, (2, 7))
            model(tokens)
            logits = model(tokens, torch.ones(2, 7, dtype=torch.bool))
            F.cross_entropy(logits.flatten(0, 1), tokens.flatten())
        """,
        [
            ("y.transpose(1, 2).reshape(b, t, d)", "y.reshape(t, b, d)"),
            ("self.head = nn.Linear(config.dim, config.vocab)", "self.head = nn.Linear(config.dim, config.dim)"),
            ("nn.Linear(4 * config.dim, config.dim)", "nn.Linear(config.dim, config.dim)"),
            ("torch.ones(2, 7, dtype", "torch.ones(2, 8, dtype"),
            ("torch.ones(2, 7, dtype=torch.bool)", "torch.ones(2, 7)"),
        ],
    ),
    "a variational autoencoder": (
        """
        class Posterior(NamedTuple):
            mean: Float[Tensor, "b z"]
            logvar: Float[Tensor, "b z"]

        class VAE(nn.Module):
            def __init__(self, features: int = 20, latent: int = 4):
                super().__init__()
                self.features, self.latent = features, latent
                self.encoder = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, 2 * latent))
                self.decoder = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, features))

            def encode(self, x: Float[Tensor, "b {self.features}"]) -> Posterior:
                mean, logvar = self.encoder(x).chunk(2, dim=-1)
                return Posterior(mean, logvar)

            def sample(self, posterior: Posterior) -> Float[Tensor, "b z"]:
                noise = torch.randn_like(posterior.mean)
                return posterior.mean + noise * (0.5 * posterior.logvar).exp()

            def decode(self, z: Float[Tensor, "b {self.latent}"]) -> Float[Tensor, "b {self.features}"]:
                return self.decoder(z)

            def forward(
                self, x: Float[Tensor, "b {self.features}"]
            ) -> tuple[Float[Tensor, "b {self.features}"], Float[Tensor, "b"]]:
                posterior = self.encode(x)
                kl = -0.5 * (1 + posterior.logvar - posterior.mean**2 - posterior.logvar.exp()).sum(-1)
                return self.decode(self.sample(posterior)), kl

        def main():
            x = torch.rand(3, 20)
            recon, kl = VAE()(x)
            loss = F.mse_loss(recon, x) + kl.mean()
            loss.backward()
        """,
        [
            (".exp()).sum(-1)", ".exp()).sum(0)"),
            (".exp()).sum(-1)", ".exp()).sum(-1, keepdim=True)"),
            ("nn.Linear(32, 2 * latent)", "nn.Linear(32, 3 * latent)"),
            (
                "nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, features)",
                "nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, latent)",
            ),
            ("torch.rand(3, 20)", "torch.rand(3, 21)"),
        ],
    ),
    "a convolutional net": (
        """
        from types_of import Images

        class Down(nn.Module):
            def __init__(self, cin: int, cout: int):
                super().__init__()
                self.cin, self.cout = cin, cout
                self.conv = nn.Conv2d(cin, cout, 3, padding=1)
                self.norm = nn.BatchNorm2d(cout)

            def forward(self, x: Float[Tensor, "b {self.cin} h w"]) -> Float[Tensor, "b {self.cout} h//2 w//2"]:
                return F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)

        class Net(nn.Module):
            def __init__(self, classes: int = 10):
                super().__init__()
                self.classes = classes
                self.stages = nn.Sequential(Down(3, 8), Down(8, 16))
                self.head = nn.Linear(16, classes)

            def forward(self, x: Images) -> Float[Tensor, "b {self.classes}"]:
                x = self.stages(x)
                x = x.mean((2, 3))
                return self.head(x)

        def main():
            Net()(torch.rand(2, 3, 32, 32))
        """,
        [
            ("Down(8, 16)", "Down(16, 8)"),
            ("x.mean((2, 3))", "x.mean((1, 2))"),
            ("cout, 3, padding=1", "cout, 3, padding=0"),
            ("nn.BatchNorm2d(cout)", "nn.BatchNorm2d(cin)"),
            ("torch.rand(2, 3, 32, 32)", "torch.rand(3, 32, 32)"),
        ],
    ),
    "reinforcement learning": (
        """
        @dataclass
        class Rollout:
            obs: Float[Tensor, "t n obs"]
            actions: Int[Tensor, "t n"]
            rewards: Float[Tensor, "t n"]
            values: Float[Tensor, "t n"]

            def returns(self, gamma: float = 0.99) -> Float[Tensor, "t n"]:
                total = torch.zeros_like(self.rewards[0])
                found = []
                for reward in reversed(list(self.rewards)):
                    total = reward + gamma * total
                    found.append(total)
                return torch.stack(found[::-1])

        class ActorCritic(nn.Module):
            def __init__(self, obs: int, actions: int, hidden: int = 32):
                super().__init__()
                self.obs, self.actions = obs, actions
                self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
                self.policy = nn.Linear(hidden, actions)
                self.value = nn.Linear(hidden, 1)

            def forward(
                self, x: Float[Tensor, "*batch {self.obs}"]
            ) -> tuple[Float[Tensor, "*batch {self.actions}"], Float[Tensor, "*batch"]]:
                h = self.body(x)
                return self.policy(h), self.value(h).squeeze(-1)

        def loss_of(
            logits: Float[Tensor, "t n a"], actions: Int[Tensor, "t n"], advantage: Float[Tensor, "t n"]
        ) -> Float[Tensor, ""]:
            logp = logits.log_softmax(-1).gather(-1, actions[..., None]).squeeze(-1)
            return -(logp * advantage).mean()

        def main():
            net = ActorCritic(5, 3)
            obs = torch.zeros(7, 2, 5)
            logits, values = net(obs)
            rollout = Rollout(obs, torch.zeros(7, 2, dtype=torch.int64), torch.ones(7, 2), values)
            loss = loss_of(logits, rollout.actions, rollout.returns() - rollout.values)
            loss.backward()
        """,
        [
            ("self.value(h).squeeze(-1)", "self.value(h)"),
            ("torch.ones(7, 2)", "torch.ones(2, 7)"),
            ("(logp * advantage).mean()", "(logp * advantage).mean(0)"),
            ("actions[..., None]).squeeze(-1)", "actions[..., None])"),
            ("torch.zeros(7, 2, 5)", "torch.zeros(7, 2, 6)"),
            ("self.policy = nn.Linear(hidden, actions)", "self.policy = nn.Linear(hidden, obs)"),
        ],
    ),
    "contrastive learning": (
        """
        class Projector(nn.Module):
            def __init__(self, width: int, out: int = 8):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, out))

            def forward(self, x: Float[Tensor, "b width"]) -> Float[Tensor, "b out"]:
                return F.normalize(self.layers(x), dim=-1)

        def info_nce(a: Float[Tensor, "b d"], b: Float[Tensor, "b d"], temperature: float = 0.1) -> Float[Tensor, ""]:
            logits: Float[Tensor, "b b"] = a @ b.T / temperature
            return F.cross_entropy(logits, torch.arange(len(a)))

        def main():
            project = Projector(12)
            info_nce(project(torch.rand(4, 12)), project(torch.rand(4, 12)))
        """,
        [
            ("a @ b.T / temperature", "a.T @ b / temperature"),
            ("torch.rand(4, 12)))", "torch.rand(5, 12)))"),
            ("Projector(12)", "Projector(13)"),
        ],
    ),
    "a recurrent tagger": (
        """
        from types_of import Tokens

        class Tagger(nn.Module):
            def __init__(self, vocab: int, tags: int, dim: int = 8, hidden: int = 6):
                super().__init__()
                self.tags = tags
                self.embed = nn.Embedding(vocab, dim)
                self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
                self.out = nn.Linear(2 * hidden, tags)

            def forward(
                self, tokens: Tokens, lengths: Optional[Int[Tensor, "b"]] = None
            ) -> Float[Tensor, "b t {self.tags}"]:
                x = self.embed(tokens)
                h, _ = self.lstm(x)
                return self.out(h)

        def score(logits: Float[Tensor, "b t k"], tags: Tokens) -> Float[Tensor, ""]:
            return F.cross_entropy(logits.transpose(1, 2), tags)

        def main():
            tokens = torch.randint(0, 9, (2, 5))
            logits = Tagger(9, 4)(tokens, torch.tensor([5, 3]))
            score(logits, torch.randint(0, 4, (2, 5)))
        """,
        [
            ("nn.Linear(2 * hidden, tags)", "nn.Linear(hidden, tags)"),
            ("logits.transpose(1, 2), tags", "logits, tags.transpose(0, 1)"),
            ("torch.tensor([5, 3])", "torch.tensor([5, 3, 1])"),
            ("(2, 5))\\n    logits", "(2, 5)).float()\\n    logits"),
        ],
    ),
    "linear algebra on batches": (
        """
        def covariance(x: Float[Tensor, "*b n d"]) -> Float[Tensor, "*b d d"]:
            centred = x - x.mean(-2, keepdim=True)
            return centred.mT @ centred / (x.shape[-2] - 1)

        def whiten(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
            values, vectors = torch.linalg.eigh(covariance(x))
            return x @ vectors / (values + 1e-5).sqrt()

        def distances(a: Float[Tensor, "n d"], b: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
            return (a[:, None] - b[None]).pow(2).sum(-1)

        def nearest(a: Float[Tensor, "n d"], b: Float[Tensor, "m d"]) -> Int[Tensor, "n"]:
            return distances(a, b).argmin(1)

        def main():
            x = torch.rand(6, 3)
            covariance(torch.rand(2, 6, 3))
            nearest(whiten(x), x[:4])
        """,
        [
            ("centred.mT @ centred", "centred @ centred.mT"),
            ("argmin(1)", "argmin(0)"),
            ("(a[:, None] - b[None])", "(b[:, None] - a[None])"),
            ("x @ vectors /", "vectors @ x.T /"),
            ("x[:4])", "x[:4, :2])"),
        ],
    ),
    "a mixture of experts": (
        """
        class Expert(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                self.dim = dim
                self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

            def forward(self, x: Float[Tensor, "*b {self.dim}"]) -> Float[Tensor, "*b {self.dim}"]:
                return self.down(F.gelu(self.up(x)))

        class Mixture(nn.Module):
            def __init__(self, dim: int, experts: int = 3):
                super().__init__()
                self.gate = nn.Linear(dim, experts)
                self.experts = nn.ModuleList(Expert(dim) for _ in range(experts))

            def weights(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b e"]:
                return self.gate(x).softmax(-1)

            def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                weights = self.weights(x)
                outs = torch.stack([expert(x) for expert in self.experts], dim=1)
                return (weights[..., None] * outs).sum(1)

        def main():
            Mixture(6)(torch.rand(4, 6))
        """,
        [
            ("(weights[..., None] * outs).sum(1)", "(weights[..., None] * outs).sum(0)"),
            ("nn.Linear(4 * dim, dim)", "nn.Linear(4 * dim, 2 * dim)"),
            ("dim=1)", "dim=0)"),
            ("torch.rand(4, 6)", "torch.rand(4, 7)"),
        ],
    ),
    "pooling over sequences": (
        """
        Rows = Float[Tensor, "_ d"]

        def pad(xs: list[Rows], d: int) -> Float[Tensor, "b t {d}"]:
            return nn.utils.rnn.pad_sequence(xs, batch_first=True)

        def pool(x: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b d"]:
            weights = mask.float() / mask.float().sum(1, keepdim=True).clamp(min=1)
            return (x * weights[..., None]).sum(1)

        def lengths_to_mask(lengths: Int[Tensor, "b"], longest: int) -> Bool[Tensor, "b {longest}"]:
            return torch.arange(longest)[None] < lengths[:, None]

        def main():
            xs = [torch.rand(3, 4), torch.rand(5, 4)]
            x = pad(xs, 4)
            pool(x, lengths_to_mask(torch.tensor([3, 5]), 5))
        """,
        [
            ("[..., None]).sum(1)", "[..., None]).sum(2)"),
            ("weights[..., None]", "weights[:, None]"),
            ("< lengths[:, None]", "< lengths[None]"),
            ("[3, 5]), 5)", "[3, 5, 2]), 5)"),
        ],
    ),
    "splatting points": (
        """
        class Camera(NamedTuple):
            rotation: Float[Tensor, "3 3"]
            translation: Float[Tensor, "3"]
            focal: float = 1.0

        def project(camera: Camera, points: Float[Tensor, "n 3"]) -> tuple[Float[Tensor, "n 2"], Float[Tensor, "n"]]:
            local = points @ camera.rotation.T + camera.translation
            depth = local[:, 2]
            return camera.focal * local[:, :2] / depth[:, None], depth

        def homogeneous(x: Float[Tensor, "*n d"]) -> Float[Tensor, "*n d+1"]:
            return torch.cat((x, torch.ones_like(x[..., :1])), dim=-1)

        def quadric(points: Float[Tensor, "n 4"]) -> Float[Tensor, "n 10"]:
            rows, cols = torch.triu_indices(4, 4)
            return points[:, rows] * points[:, cols]

        def main():
            camera = Camera(torch.eye(3), torch.zeros(3))
            points = torch.rand(9, 3)
            project(camera, points)
            quadric(homogeneous(points))
        """,
        [
            ("torch.eye(3)", "torch.eye(4)"),
            ("local[:, :2] / depth[:, None]", "local[:, :2] / depth"),
            ("depth = local[:, 2]", "depth = local[:, 2:]"),
            ("dim=-1)", "dim=-2)"),
            ("torch.rand(9, 3)", "torch.rand(9, 2)"),
        ],
    ),
    "a patch embedding": (
        """
        from types_of import Hidden, Images

        class Patches(nn.Module):
            def __init__(self, size: int = 4, dim: int = 16, image: int = 24):
                super().__init__()
                self.size, self.dim = size, dim
                self.conv = nn.Conv2d(3, dim, size, stride=size)
                self.position = nn.Parameter(torch.zeros(1, (image // size) ** 2, dim))

            def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b n {self.dim}"]:
                x = self.conv(x).flatten(2).transpose(1, 2)
                return x + self.position

        class Classifier(nn.Module):
            def __init__(self, dim: int = 16):
                super().__init__()
                self.patches = Patches(dim=dim)
                self.token = nn.Parameter(torch.zeros(1, 1, dim))
                self.head = nn.Linear(dim, 5)

            def forward(self, x: Images) -> Float[Tensor, "b 5"]:
                x = self.patches(x)
                x = torch.cat((self.token.expand(len(x), -1, -1), x), dim=1)
                return self.head(x[:, 0])

        def main():
            Classifier()(torch.rand(2, 3, 24, 24))
        """,
        [
            ("x[:, 0]", "x[0]"),
            (".transpose(1, 2)\\n", "\\n"),
            ("nn.Linear(dim, 5)", "nn.Linear(dim, 6)"),
            ("torch.rand(2, 3, 24, 24)", "torch.rand(2, 1, 24, 24)"),
        ],
    ),
    "a diffusion step": (
        """
        from types_of import Images

        class Schedule:
            alphas: Float[Tensor, "steps"]

            def __init__(self, steps: int = 10):
                self.alphas = torch.linspace(0.99, 0.1, steps)

            def at(self, t: Int[Tensor, "b"]) -> Float[Tensor, "b 1 1 1"]:
                return self.alphas[t][:, None, None, None]

            def noisy(self, x: Images, t: Int[Tensor, "b"], noise: Images) -> Images:
                a = self.at(t)
                return a.sqrt() * x + (1 - a).sqrt() * noise

        def embedding(t: Int[Tensor, "b"], dim: int) -> Float[Tensor, "b {dim}"]:
            freqs = torch.exp(-torch.arange(dim // 2) / (dim // 2))
            angles = t[:, None].float() * freqs[None]
            return torch.cat((angles.sin(), angles.cos()), dim=-1)

        class Denoiser(nn.Module):
            def __init__(self, dim: int = 8):
                super().__init__()
                self.time = nn.Linear(dim, 3)
                self.conv = nn.Conv2d(3, 3, 3, padding=1)
                self.dim = dim

            def forward(self, x: Images, t: Int[Tensor, "b"]) -> Images:
                shift = self.time(embedding(t, self.dim))[..., None, None]
                return self.conv(x + shift)

        def main():
            schedule, net = Schedule(), Denoiser()
            x, t = torch.rand(2, 3, 8, 8), torch.tensor([1, 5])
            noise = torch.randn_like(x)
            F.mse_loss(net(schedule.noisy(x, t, noise), t), noise)
        """,
        [
            ("[:, None, None, None]", "[:, None, None]"),
            ("angles.cos()), dim=-1)", "angles.cos()), dim=0)"),
            ("torch.tensor([1, 5])", "torch.tensor([1, 5, 7])"),
            ("nn.Conv2d(3, 3, 3, padding=1)", "nn.Conv2d(3, 3, 3)"),
            ("torch.tensor([1, 5])", "torch.tensor([1.0, 5.0])"),
        ],
    ),
}

MUTATIONS = [(name, old, new) for name, (_, changes) in PROGRAMS.items() for old, new in changes]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_correct_program_is_quiet(name: str, tmp_path: Path) -> None:
    assert_quiet(tmp_path, PROGRAMS[name][0], FILES)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_correct_program_runs_under_jaxtyping(name: str, tmp_path: Path) -> None:
    run_typechecked(tmp_path, PROGRAMS[name][0], FILES)


def mutated(name: str, old: str, new: str) -> str:
    program = PROGRAMS[name][0]
    old, new = old.replace("\\n", "\n        "), new.replace("\\n", "\n        ")
    assert old in program, old
    return program.replace(old, new, 1)


@pytest.mark.parametrize(("name", "old", "new"), MUTATIONS)
def test_one_wrong_token_is_found(name: str, old: str, new: str, tmp_path: Path) -> None:
    found = check([written(tmp_path, mutated(name, old, new), FILES)])
    assert found, f"{old} -> {new}"
    assert {one.code for one in found} <= {"shape-mismatch", "dtype-mismatch", "silent-broadcast", "axis-order"}, shown(
        found
    )


@pytest.mark.parametrize(("name", "old", "new"), MUTATIONS)
def test_one_wrong_token_fails_under_jaxtyping(name: str, old: str, new: str, tmp_path: Path) -> None:
    program = mutated(name, old, new)
    with pytest.raises(Exception):  # noqa: B017 - torch's error, or jaxtyping's
        run_typechecked(tmp_path, program, FILES)
