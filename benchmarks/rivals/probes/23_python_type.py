# asks: finds a type error that does not involve tensors
import torch


def label(score: float) -> str:
    return f"{score:.2f}"


def main(verbose: bool = False) -> None:
    if verbose:
        print(label("0.5").uper())  # planted; right: print(label(0.5).upper())
    print(torch.zeros(2).shape)


if __name__ == "__main__":
    main()
