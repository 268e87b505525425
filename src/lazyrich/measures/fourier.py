r"""Waves on the numbers modulo $p$: which frequencies a table holds, and how far a net predicts by waves of $a + b - c$.

A frequency $j$ from 0 to $\lfloor p/2\rfloor$ stands for both $\cos(2\pi ja/p)$ and $\sin(2\pi ja/p)$. The constant, frequency 0,
is power that no fraction counts. The outputs on all pairs, `pair_outputs`, are read as $f_c(a, b)$.
Source: nanda2023.
"""

import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..losses import CrossEntropy
from ..models import outputs
from ..numerics.values import concrete
from ..problems import Split
from ..problems.base import require_count
from ..types import Array, Float, Int, Scalar

# What a transform leaves of a constant at other frequencies, in roundings of its size.
ROUNDINGS = 64


def spectrum(table: Float[Array, "p e"]) -> Float[Array, " f"]:
    r"""The power of a table with one row a number, at each frequency from 0 to $\lfloor p/2\rfloor$: they add up to $\|E\|^2$."""
    p = table.shape[0]
    power = jnp.sum(jnp.abs(jnp.fft.rfft(table, axis=0)) ** 2, axis=1) / p
    frequency = np.arange(p // 2 + 1)
    # Beside frequency j there is -j with the same power, where that is another one.
    return power * np.where((frequency == 0) | (2 * frequency == p), 1.0, 2.0)


def strongest(power: Float[Array, " f"], count: int) -> Int[Array, " _"]:
    """The frequencies of most power in a spectrum, the strongest first, without the constant."""
    _require_frequencies(count, power.shape[0] - 1)
    return jnp.argsort(-power[1:])[:count] + 1


def frequency_fraction(table: Float[Array, "p e"], *, count: int) -> Scalar:
    r"""The fraction of a table's power that its `count` strongest frequencies have: 1 where it is made of so many waves.

    A table of noise with many columns has $2\cdot\text{count}/(p-1)$, and somewhat more with few, where the strongest are
    strong by chance. The constant does not count; a table of nothing else has 0.
    """
    power = spectrum(table)
    return _share(power[strongest(power, count)].sum(), power[1:].sum(), power.sum())


def pair_outputs(model, modulus: int) -> Float[Array, "p p p"]:
    """The outputs of a model on all pairs (a, b), one for each class c."""
    numbers = jnp.arange(float(modulus))
    pairs = jnp.stack([jnp.repeat(numbers, modulus), jnp.tile(numbers, modulus)], axis=1)
    found = outputs(model, pairs)
    if found.shape != (modulus**2, modulus):
        raise BadInput(
            needed=f"waves modulo {modulus} are read off models with {modulus} outputs for a pair",
            given=f"outputs of shape {found.shape[1:]}",
            cure="Give the modulus that the model was made for.",
        )
    return found.reshape(modulus, modulus, modulus)


def sum_spectrum(logits: Float[Array, "p p p"]) -> Float[Array, " f"]:
    r"""The power of outputs along $\cos$ and $\sin$ of $2\pi j(a + b - c)/p$, at each frequency $j$."""
    return logits.shape[0] ** 2 * spectrum(_of_sum(logits)[:, None])


def sum_fraction(logits: Float[Array, "p p p"], *, count: int | None = None) -> Scalar:
    r"""The fraction of the outputs that are waves of $a + b - c$, of the `count` strongest frequencies or of all.

    Of the outputs counts what their mean over classes leaves, which is all that a softmax sees. Noise has $1/p^2$ over all
    frequencies; a net that adds by rotations has 1.
    """
    seen = logits - logits.mean(axis=2, keepdims=True)
    power = sum_spectrum(seen)
    kept = power[1:] if count is None else power[strongest(power, count)]
    return _share(kept.sum(), jnp.sum(seen**2), jnp.sum(logits**2))


def restricted(logits: Float[Array, "p p p"], frequencies: Int[Array, " _"]) -> Float[Array, "p p p"]:
    r"""The outputs' part along $\cos$ and $\sin$ of $2\pi j(a + b - c)/p$ for these frequencies $j$, and nothing else."""
    p = logits.shape[0]
    _require_below(p // 2 + 1, "a frequency", frequencies)
    kept = jnp.zeros(p // 2 + 1).at[frequencies].set(1.0)
    waves = jnp.fft.irfft(kept * jnp.fft.rfft(_of_sum(logits)), p)
    a, b, c = np.ogrid[:p, :p, :p]
    return waves[(a + b - c) % p]


def restricted_loss(model, data: Split, *, frequencies: Int[Array, " _"]) -> Scalar:
    """The mean cross-entropy on these pairs, of what outputs are along the waves of these frequencies.

    It falls while a net still memorizes, before its own loss on fresh pairs does. Source: nanda2023.
    """
    logits = _on_all(model, data)
    return _cross_entropy(restricted(logits, frequencies), data)


def excluded_loss(model, data: Split, *, frequencies: Int[Array, " _"]) -> Scalar:
    """The mean cross-entropy on these pairs, of what outputs are without the waves of these frequencies.

    On training pairs it rises when a net stops memorizing. Source: nanda2023.
    """
    logits = _on_all(model, data)
    return _cross_entropy(logits - restricted(logits, frequencies), data)


def _of_sum(logits: Float[Array, "p p p"]) -> Float[Array, " p"]:
    """The mean of outputs over all (a, b, c) with one a + b - c: the function of it that is nearest to them."""
    p = logits.shape[0]
    if logits.shape != (p, p, p) or p < 3:
        raise BadInput(
            needed="waves are read off outputs of shape (p, p, p), p at least 3",
            given=f"shape {logits.shape}",
            cure="Use measures.fourier.pair_outputs(model, p).",
        )
    a, b, place = np.ogrid[:p, :p, :p]
    return logits[a, b, (a + b - place) % p].mean(axis=(0, 1))


def _on_all(model, data: Split) -> Float[Array, "p p p"]:
    return pair_outputs(model, outputs(model, data.x[:1]).shape[-1])


def _cross_entropy(logits: Float[Array, "p p p"], data: Split) -> Scalar:
    _require_below(logits.shape[0], "a number of a pair", data.x)
    a, b = data.x.T.astype(int)
    return jnp.mean(CrossEntropy().value(logits[a, b], data.y))


def _share(part: Scalar, whole: Scalar, size: Scalar) -> Scalar:
    """Part of the whole; 0 where the whole is no more than what rounding leaves of numbers of this size."""
    there = whole > (ROUNDINGS * jnp.finfo(size.dtype).eps) ** 2 * size
    return jnp.where(there, part / jnp.where(there, whole, 1.0), 0.0)


def _require_frequencies(count: int, most: int) -> None:
    require_count("count of frequencies", count)
    if count > most:
        raise BadInput(needed=f"there are {most} frequencies beside the constant", given=f"count={count}", cure="Ask for fewer.")


def _require_below(bound: int, what: str, given) -> None:
    """Refuse places that are not there, where they can be looked at: an array would be read at its end instead."""
    known = concrete(given)
    if known is not None and known.size and not (0 <= known.min() and known.max() < bound):
        raise BadInput(
            needed=f"{what} is from 0 to {bound - 1}",
            given=f"{known.min():g} to {known.max():g}",
            cure="Use the modulus of the model's outputs.",
        )
