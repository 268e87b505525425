"""How many random equations tell a sparse vector: the statistical dimension of the descent cone of the l1 norm."""

import math


def l1_dimension(share: float) -> float:
    r"""$\psi(\rho) = \min_\tau\ \rho(1+\tau^2) + (1-\rho)\,\mathbb E(|g|-\tau)_+^2$, for $g\sim N(0,1)$.

    Of $d$ unknowns a share $\rho$ is not zero: the least l1 norm finds them from more than about $\psi(\rho)d$ Gaussian
    equations, and not from fewer; in between lie about $\sqrt d$. Source: amelunxen2014, proposition 4.5.
    """
    if not 0 < share < 1:
        return float(min(max(share, 0.0), 1.0))
    low, high = 0.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        # The derivative over 2: positive beyond the minimum.
        rising = share * middle > 2 * (1 - share) * (_density(middle) - middle * _tail(middle))
        low, high = (low, middle) if rising else (middle, high)
    beyond = 2 * ((1 + low**2) * _tail(low) - low * _density(low))
    return share * (1 + low**2) + (1 - share) * beyond


def _density(at: float) -> float:
    return math.exp(-(at**2) / 2) / math.sqrt(2 * math.pi)


def _tail(at: float) -> float:
    """The share of a normal law above."""
    return math.erfc(at / math.sqrt(2)) / 2
