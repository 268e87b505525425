"""The sum of five waves and its coefficients, real and complex: nothing is drawn."""

import jax.numpy as jnp

from ...problems import fourier, waves
from ...problems.signals import WAVES
from ..params import Param
from ..simulation import Simulation

MOST = 12  # coefficients that are counted off
ZERO = 1e-9  # of the largest: below lies rounding


def spectrum(d):
    """How many coefficients are not zero, and what the largest ones leave of the signal, relative."""
    signal = waves(d)
    real = fourier(d).T @ signal
    complexes = jnp.fft.fft(signal)
    squares = jnp.sort(real**2)
    left = jnp.sqrt(jnp.cumsum(squares)[::-1][:MOST] / squares.sum())
    return {"cosines_and_sines": _count(real), "complexes": _count(complexes), "left": left}


def _count(coefficients):
    sizes = jnp.abs(coefficients)
    return jnp.sum(sizes > ZERO * sizes.max())


def shown(d):
    """The signal, its real coefficients, and the signal with every wave beyond half of the samples folded back."""
    t = jnp.arange(d)
    folded = jnp.zeros(d)
    for k, size, phase in WAVES:
        at, turned = (k, phase) if 2 * k <= d else (d - k, -phase)
        folded = folded + size * jnp.cos(2 * jnp.pi * at * t / d + turned)
    signal = waves(d)
    return {"signal": signal, "folded": folded, "coefficients": fourier(d).T @ signal}


COUNTED = Simulation(
    spectrum,
    params=[Param("d", (100, 128, 200), low=24, high=2_000, unit="samples", static=True)],
    returns={"cosines_and_sines": "", "complexes": "", "left": "t"},
    random=False,
)
SHOWN = Simulation(
    shown,
    params=[Param("d", 100, low=96, high=2_000, unit="samples", static=True)],
    returns={"signal": "t", "folded": "t", "coefficients": "d"},
    random=False,
)
