# asks: checks numpy arrays
import numpy as np
from jaxtyping import Float


def norms(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n"]:
    return np.sqrt((x * x).sum(1)) + y.sum(1)


def main() -> None:
    print(norms(np.zeros((3, 4)), np.zeros((3, 5))).shape)  # planted; right: print(norms(np.zeros((3, 4)), np.zeros((3, 4))).shape)


if __name__ == "__main__":
    main()
