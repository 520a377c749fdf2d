import torch
from nets import Hand, Net

net = Net()
hand = Hand()
y = net(torch.zeros(1))
z = hand.forward(y)
