from torch import Tensor, nn

modell = nn.Linear(2, 2)
paar = ("ü🙂é", modell.forward(Tensor(1, 2)), modell.forward(Tensor(3, 2)))
