# nothing but a comment: class Net(nn.Module): def forward(self, x: Tensor) -> Tensor
