# asks: finds a deprecated torch function
import torch


def main() -> None:
    print(torch.chain_matmul(torch.eye(3), torch.eye(3)))  # planted; right: print(torch.linalg.multi_dot([torch.eye(3), torch.eye(3)]))


if __name__ == "__main__":
    main()
