import torch
from torch import nn

out = nn.Sequential(nn.Linear(4, 4), nn.ReLU())(torch.zeros(2, 4))
half = nn.Linear(4, 2).eval()(torch.zeros(2, 4))
