"""torch.special: functions of one or two tensors that have no other name in torch."""

from __future__ import annotations

from shapecheck.ops.registry import register
from shapecheck.ops.rules.binary import binary
from shapecheck.ops.rules.pointwise import unary
from shapecheck.ops.shared.elementwise import COMPLEX, floated

_UNARY = """airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 entr erfcx i0e i1 i1e log_ndtr ndtr ndtri
modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0
scaled_modified_bessel_k1 spherical_bessel_j0"""

_BINARY = """xlog1py zeta chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p shifted_chebyshev_polynomial_t
shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w"""

for _name in _UNARY.split():
    register(unary(floated, COMPLEX), f"special.{_name}")
for _name in _BINARY.split():
    register(binary(floated, COMPLEX), f"special.{_name}")
