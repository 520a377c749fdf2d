import torch


def rbf_kernel(x, y, lengthscale, variance):
    diff = x.unsqueeze(1) - y.unsqueeze(0)
    sq = (diff / lengthscale).square().sum(-1)
    return variance * torch.exp(-0.5 * sq)


class ExactGP(torch.nn.Module):
    def __init__(self, dim, noise=1e-2):
        super().__init__()
        self.raw_length = torch.nn.Parameter(torch.zeros(dim))
        self.raw_var = torch.nn.Parameter(torch.tensor(0.0))
        self.noise = noise

    def kernel(self, a, b):
        softplus = torch.nn.functional.softplus
        return rbf_kernel(a, b, softplus(self.raw_length), softplus(self.raw_var))

    def posterior(self, x, y, x_star):
        k = self.kernel(x, x) + self.noise * torch.eye(len(x))
        chol = torch.linalg.cholesky(k)
        alpha = torch.cholesky_solve(y.unsqueeze(-1), chol)
        ks = self.kernel(x, x_star)
        mean = (ks.mT @ alpha).squeeze(-1)
        v = torch.linalg.solve_triangular(chol, ks, upper=False)
        var = self.kernel(x_star, x_star).diagonal() - v.square().sum(0)
        return mean, var


def main():
    torch.manual_seed(0)
    x, x_star = torch.rand(15, 2), torch.rand(6, 2)
    y = torch.sin(4 * x).sum(-1)
    mean, var = ExactGP(2).posterior(x, y, x_star)
    print(mean.shape, var.shape)


if __name__ == "__main__":
    main()
