from torch import Tensor, nn

modell = nn.Linear(2, 2)
paar = ("ü🙂é", modell(Tensor(1, 2)), modell(Tensor(3, 2)))
