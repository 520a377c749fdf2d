import torch.nn as nn

Module = nn.Module
