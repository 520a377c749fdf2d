"""Feed-forward and convolutional networks."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Float64, Int, UInt8
from torch import Tensor, nn


class Mlp(nn.Module):
    def __init__(self, features: int = 20, hidden: int = 64, classes: int = 10) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "b classes"]:
        return self.fc2(F.relu(self.fc1(x)))


class MlpUnused(nn.Module):
    def __init__(self, features: int = 20, hidden: int = 64, classes: int = 10) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.norm = nn.LayerNorm(hidden)  # planted: missing-gradient
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "b classes"]:
        return self.fc2(F.relu(self.fc1(x)))


class Regressor(nn.Module):
    def __init__(self, features: int = 12) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x: Float[Tensor, "batch features"]) -> Float[Tensor, "batch"]:
        return self.net(x).squeeze(-1)


class RegressorSqueeze(nn.Module):
    def __init__(self, features: int = 12) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x: Float[Tensor, "batch features"]) -> Float[Tensor, "batch"]:
        return self.net(x).squeeze()  # planted: squeeze-batch


class LeNet(nn.Module):
    """Takes 28 x 28 pixels, as the annotation says."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc = nn.Linear(16 * 5 * 5, 10)

    def forward(self, x: Float[Tensor, "b 1 28 28"]) -> Float[Tensor, "b 10"]:
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class LeNetBatch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc = nn.Linear(16 * 5 * 5, 10)

    def forward(self, x: Float[Tensor, "b 1 28 28"]) -> Float[Tensor, "b 10"]:
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc(x.view(64, -1))  # planted: hard-coded-size


class SmallCnn(nn.Module):
    def __init__(self, channels: int = 3, width: int = 16, classes: int = 7) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.AdaptiveAvgPool2d(1)
        )
        self.head = nn.Linear(width, classes)

    def forward(self, image: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b classes"]:
        return self.head(self.body(image).flatten(1))


class SmallCnnView(nn.Module):
    """The permuted picture cannot be seen with other axes."""

    def __init__(self, channels: int = 3, width: int = 16) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, width, 3, padding=1)

    def forward(self, image: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b 16*h*w"]:
        return self.conv(image).view(image.shape[0], -1)  # planted: non-contiguous


class Patches(nn.Module):
    def __init__(self, channels: int = 3, width: int = 16) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, width, 3, padding=1)

    def forward(self, image: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b h*w width"]:
        return self.conv(image).flatten(2).transpose(1, 2)


def _double(i: int, o: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, in_channels: int = 1, out_channels: int = 2, base: int = 8) -> None:
        super().__init__()
        self.down1 = _double(in_channels, base)
        self.down2 = _double(base, 2 * base)
        self.middle = _double(2 * base, 4 * base)
        self.up2 = nn.ConvTranspose2d(4 * base, 2 * base, 2, stride=2)
        self.dec2 = _double(4 * base, 2 * base)
        self.up1 = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.dec1 = _double(2 * base, base)
        self.out = nn.Conv2d(base, out_channels, 1)

    @staticmethod
    def _join(skip: Tensor, x: Tensor) -> Tensor:
        x = F.interpolate(x, size=skip.shape[-2:], mode="nearest")
        return torch.cat([skip, x], dim=1)

    def forward(self, x: Float[Tensor, "b in_channels h w"]) -> Float[Tensor, "b out_channels h w"]:
        one = self.down1(x)
        two = self.down2(F.max_pool2d(one, 2))
        x = self.middle(F.max_pool2d(two, 2))
        x = self.dec2(self._join(two, self.up2(x)))
        x = self.dec1(self._join(one, self.up1(x)))
        return self.out(x)


class UNetEven(nn.Module):
    """Without padding: takes multiples of 4, which the annotation says nothing of: no fault, it is learnt."""

    def __init__(self, in_channels: int = 1, out_channels: int = 2, base: int = 8) -> None:
        super().__init__()
        self.down1 = _double(in_channels, base)
        self.down2 = _double(base, 2 * base)
        self.middle = _double(2 * base, 4 * base)
        self.up2 = nn.ConvTranspose2d(4 * base, 2 * base, 2, stride=2)
        self.dec2 = _double(4 * base, 2 * base)
        self.up1 = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.dec1 = _double(2 * base, base)
        self.out = nn.Conv2d(base, out_channels, 1)

    def forward(self, x: Float[Tensor, "b in_channels h w"]) -> Float[Tensor, "b out_channels h w"]:
        one = self.down1(x)
        two = self.down2(F.max_pool2d(one, 2))
        x = self.middle(F.max_pool2d(two, 2))
        x = self.dec2(torch.cat([two, self.up2(x)], 1))
        x = self.dec1(torch.cat([one, self.up1(x)], 1))
        return self.out(x)


class UNetAnnotation(nn.Module):
    """Gives half the height and width."""

    def __init__(self, in_channels: int = 1, out_channels: int = 2) -> None:
        super().__init__()
        self.down = nn.Conv2d(in_channels, 8, 3, padding=1)
        self.out = nn.Conv2d(8, out_channels, 1)

    def forward(self, x: Float[Tensor, "b in_channels h w"]) -> Float[Tensor, "b out_channels h w"]:
        x = F.max_pool2d(self.down(x), 2)
        return self.out(x)  # planted: shape-mismatch


class Block(nn.Module):
    def __init__(self, dim: int = 16, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(dim, dim, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(dim)
        self.conv2 = nn.Conv2d(dim, dim, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(dim)

    def forward(self, x: Float[Tensor, "b dim h w"]) -> Float[Tensor, "b dim h w"]:
        out = F.relu(self.bn1(self.conv1(x)), inplace=True)
        out = self.bn2(self.conv2(out))
        out += x
        return F.relu(out, inplace=True)


class BlockInplace(nn.Module):
    """A ReLU in place on what the caller still needs."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(dim, dim, 3, 1, 1)

    def forward(self, x: Float[Tensor, "b dim h w"]) -> Float[Tensor, "b dim h w"]:
        return x + self.conv(self.act(x))  # planted: changed-input


class Ensemble(nn.Module):
    """Any number of leading axes."""

    def __init__(self, d_in: int = 10, d_out: int = 6, members: int = 4) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(members, d_in, d_out))

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        return torch.einsum("...i,mio->...mo", x, self.weight).mean(-2)


class EnsembleRank(nn.Module):
    def __init__(self, d_in: int = 10, d_out: int = 6, members: int = 4) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(members, d_in, d_out))

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        a, b = x.shape[:-1]  # planted: failed-run
        x = torch.einsum("...i,mio->...mo", x, self.weight).mean(-2)
        return x.reshape(a, b, -1)


class Quantised(nn.Module):
    """Bytes in, floats out."""

    def __init__(self, classes: int = 5) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, classes)
        self.register_buffer("mean", torch.tensor([0.4, 0.5, 0.6]).view(3, 1, 1))

    def forward(self, image: UInt8[Tensor, "b 3 h w"]) -> Float[Tensor, "b classes"]:
        x = image.float().div(255) - self.mean
        return self.fc(self.conv(x).mean((2, 3)))


class QuantisedFlip(nn.Module):
    """The pictures of a batch are normed together."""

    def __init__(self, classes: int = 5) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, classes)

    def forward(self, image: UInt8[Tensor, "b 3 h w"]) -> Float[Tensor, "b classes"]:
        x = image.float() / 255 + torch.arange(image.shape[0], device=image.device).view(-1, 1, 1, 1)
        x = x - x.mean()  # planted: batch-dependence
        return self.fc(self.conv(x).mean((2, 3)))


class Autoencoder(nn.Module):
    def __init__(self, size: int = 32, latent: int = 4) -> None:
        super().__init__()
        self.size = size
        self.encoder = nn.Linear(size * size, latent)
        self.decoder = nn.Linear(latent, size * size)

    def forward(
        self, x: Float[Tensor, "b 1 {self.size} {self.size}"]
    ) -> tuple[Float[Tensor, "b 1 {self.size} {self.size}"], Float[Tensor, "b latent"]]:
        z = self.encoder(x.flatten(1))
        return self.decoder(z).view(-1, 1, self.size, self.size), z


class AutoencoderShape(nn.Module):
    def __init__(self, size: int = 32, latent: int = 4) -> None:
        super().__init__()
        self.size = size
        self.encoder = nn.Linear(size * size, latent)
        self.decoder = nn.Linear(latent, size * size)

    def forward(
        self, x: Float[Tensor, "b 1 {self.size} {self.size}"]
    ) -> tuple[Float[Tensor, "b 1 {self.size} {self.size}"], Float[Tensor, "b latent"]]:
        z = self.encoder(x.flatten(1))
        return self.decoder(z).view(-1, self.size, self.size), z  # planted: shape-mismatch


class Bag(nn.Module):
    """Words in bags, one after another in one tensor."""

    def __init__(self, vocabulary: int = 100, dim: int = 16, classes: int = 4) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(vocabulary, dim)
        self.fc = nn.Linear(dim, classes)

    def forward(self, text: Int[Tensor, "words"], offsets: Int[Tensor, "bags"]) -> Float[Tensor, "bags classes"]:
        return self.fc(self.bag(text, offsets))


class BagNoGrad(nn.Module):
    def __init__(self, vocabulary: int = 100, dim: int = 16, classes: int = 4) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(vocabulary, dim)
        self.fc = nn.Linear(dim, classes)

    def forward(self, text: Int[Tensor, "words"], offsets: Int[Tensor, "bags"]) -> Float[Tensor, "bags classes"]:
        with torch.no_grad():
            words = self.bag(text, offsets)  # planted: missing-gradient
        return self.fc(words)


class Residual(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b {self.fc.in_features}"]) -> Float[Tensor, "b {self.fc.in_features}"]:
        return x + F.relu(self.fc(x))


class Deep(nn.Module):
    """Its first layer is used three times, on purpose: it has a name of its own."""

    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        self.first = Residual()
        self.again = nn.ModuleList(self.first for _ in range(depth))
        self.layers = nn.ModuleList(Residual() for _ in range(depth))
        self.last = nn.Sequential(*[nn.ReLU()] * 2)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
        for layer in (*self.again, *self.layers):
            x = layer(x)
        return self.last(x)


class DeepShared(nn.Module):
    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        layer = Residual()
        self.layers = nn.ModuleList(layer for _ in range(depth))  # planted: shared-module

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
        for layer in self.layers:
            x = layer(x)
        return x


class ScoreDouble(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b"]:
        scores = self.score(x).double()  # planted: float64-leak
        return scores.squeeze(1)


class ScoreDoubleMeant(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float64[Tensor, "b"]:
        return self.score(x).double().squeeze(1)


class ScoreInterface(nn.Module):  # unbuilt
    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b"]:
        """One score for each row."""
        raise NotImplementedError


class ScoreNotReady(nn.Module):  # unbuilt
    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b"]:
        raise RuntimeError("call load() first")
