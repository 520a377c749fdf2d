# asks: does not need the packages that the file imports
import torch
from a_cluster_that_is_not_here import queue
from torch import nn

head = nn.Linear(8, 2)


def main() -> None:
    queue.put(head(torch.zeros(4, 9)))  # planted; right: queue.put(head(torch.zeros(4, 8)))


if __name__ == "__main__":
    main()
