import functools

import torch
import torch.nn as nn


class UnetSkip(nn.Module):
    def __init__(self, outer_nc, inner_nc, input_nc=None, submodule=None, outermost=False, innermost=False, norm_layer=nn.BatchNorm2d):
        super().__init__()
        self.outermost = outermost
        if type(norm_layer) is functools.partial:
            use_bias = norm_layer.func is nn.InstanceNorm2d
        else:
            use_bias = norm_layer is nn.InstanceNorm2d
        if input_nc is None:
            input_nc = outer_nc
        downconv = nn.Conv2d(input_nc, inner_nc, kernel_size=4, stride=2, padding=1, bias=use_bias)
        downrelu, downnorm = nn.LeakyReLU(0.2, True), norm_layer(inner_nc)
        uprelu, upnorm = nn.ReLU(True), norm_layer(outer_nc)
        if outermost:
            upconv = nn.ConvTranspose2d(inner_nc * 2, outer_nc, kernel_size=4, stride=2, padding=1)
            model = [downconv, submodule, uprelu, upconv, nn.Tanh()]
        elif innermost:
            upconv = nn.ConvTranspose2d(inner_nc, outer_nc, kernel_size=4, stride=2, padding=1, bias=use_bias)
            model = [downrelu, downconv, uprelu, upconv, upnorm]
        else:
            up_in = inner_nc
            upconv = nn.ConvTranspose2d(up_in, outer_nc, kernel_size=4, stride=2, padding=1, bias=use_bias)
            model = [downrelu, downconv, downnorm, submodule, uprelu, upconv, upnorm]
        self.model = nn.Sequential(*model)

    def forward(self, x):
        if self.outermost:
            return self.model(x)
        return torch.cat([x, self.model(x)], 1)


def unet(input_nc, output_nc, num_downs, ngf=8, norm_layer=functools.partial(nn.BatchNorm2d, affine=True)):
    block = UnetSkip(ngf * 4, ngf * 4, innermost=True, norm_layer=norm_layer)
    for _ in range(num_downs - 4):
        block = UnetSkip(ngf * 4, ngf * 4, submodule=block, norm_layer=norm_layer)
    block = UnetSkip(ngf * 2, ngf * 4, submodule=block, norm_layer=norm_layer)
    block = UnetSkip(ngf, ngf * 2, submodule=block, norm_layer=norm_layer)
    return UnetSkip(output_nc, ngf, input_nc=input_nc, submodule=block, outermost=True, norm_layer=norm_layer)


if __name__ == "__main__":
    net = unet(3, 1, 5)
    print(net(torch.randn(2, 3, 64, 64)).shape)
