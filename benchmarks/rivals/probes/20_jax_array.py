# asks: checks JAX arrays
import jax
import jax.numpy as jnp
from jaxtyping import Float


def norms(x: Float[jax.Array, "n d"], y: Float[jax.Array, "n d"]) -> Float[jax.Array, "n"]:
    return x.sum(1) + y.sum(1)


def main() -> None:
    print(norms(jnp.zeros((3, 4)), jnp.zeros((3, 5))).shape)  # planted; right: print(norms(jnp.zeros((3, 4)), jnp.zeros((3, 4))).shape)


if __name__ == "__main__":
    main()
