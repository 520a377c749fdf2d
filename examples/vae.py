"""A variational autoencoder and the bound that it learns from."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Encoder(nn.Module):
    """Images to the mean and the logarithm of the variance of their code."""

    def __init__(self, pixels: int = 64, hidden: int = 40, code: int = 6) -> None:
        super().__init__()
        self.code = code
        self.hidden = nn.Linear(pixels, hidden)
        self.moments = nn.Linear(hidden, 2 * code)

    def forward(
        self, images: Float[Tensor, "b pixels"]
    ) -> tuple[Float[Tensor, "b {self.code}"], Float[Tensor, "b {self.code}"]]:
        """The mean and the logarithm of the variance."""
        moments: Float[Tensor, "b 2*{self.code}"] = self.moments(F.relu(self.hidden(images)))
        mean, log_variance = moments.chunk(2, dim=1)
        return mean, log_variance


class Decoder(nn.Module):
    """Codes to the logits of pixels."""

    def __init__(self, code: int = 6, hidden: int = 40, pixels: int = 64) -> None:
        super().__init__()
        self.pixels = pixels
        self.hidden = nn.Linear(code, hidden)
        self.logits = nn.Linear(hidden, pixels)

    def forward(self, code: Float[Tensor, "b code"]) -> Float[Tensor, "b {self.pixels}"]:
        """One logit per pixel."""
        logits: Float[Tensor, "b {self.pixels}"] = self.logits(F.relu(self.hidden(code)))
        return logits


class VAE(nn.Module):
    """Images to their reconstruction, through a code that is sampled in training."""

    def __init__(self, side: int = 8, hidden: int = 40, code: int = 6) -> None:
        super().__init__()
        self.side = side
        self.encoder = Encoder(side * side, hidden, code)
        self.decoder = Decoder(code, hidden, side * side)

    def forward(
        self, images: Float[Tensor, "b 1 {self.side} {self.side}"]
    ) -> tuple[Float[Tensor, "b 1 {self.side} {self.side}"], Float[Tensor, "b code"], Float[Tensor, "b code"]]:
        """Logits of the pixels, the mean and the logarithm of the variance of the code."""
        mean, log_variance = self.encoder(images.flatten(1))
        code = self.reparametrise(mean, log_variance)
        logits = self.decoder(code).reshape(images.shape)
        return logits, mean, log_variance

    def reparametrise(
        self, mean: Float[Tensor, "b code"], log_variance: Float[Tensor, "b code"]
    ) -> Float[Tensor, "b code"]:
        """Sample a code so that its mean and variance get gradients."""
        if not self.training:
            return mean
        deviation = (0.5 * log_variance).exp()
        return mean + deviation * torch.randn_like(deviation)


class ELBO(nn.Module):
    """The evidence lower bound, negated, so that it can be minimized."""

    def forward(
        self,
        logits: Float[Tensor, "b c h w"],
        images: Float[Tensor, "b c h w"],
        mean: Float[Tensor, "b code"],
        log_variance: Float[Tensor, "b code"],
    ) -> Float[Tensor, ""]:
        """The cost of the reconstruction plus that of the code, averaged over the batch."""
        pixels = F.binary_cross_entropy_with_logits(logits, images, reduction="none")
        reconstruction: Float[Tensor, "b"] = pixels.sum(dim=(1, 2, 3))
        divergence: Float[Tensor, "b code"] = 0.5 * (mean**2 + log_variance.exp() - log_variance - 1)
        return (reconstruction + divergence.sum(dim=1)).mean()


def main() -> None:
    """Reconstruct three random images."""
    images = torch.rand(3, 1, 8, 8)
    logits, mean, log_variance = VAE()(images)
    torch.autograd.backward(ELBO()(logits, images, mean, log_variance))
    print(tuple(logits.shape))


if __name__ == "__main__":
    main()
