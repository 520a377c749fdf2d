import torch
from nets import Hand, Net

net = Net()
hand = Hand()
y = net.forward(torch.zeros(1))
z = hand.forward(y)
