"""Technical terms of claims, each explained in a sentence or two."""

import re
from collections.abc import Iterator

WORDS = {
    r"$\alpha$, the scale of the initialization": (
        r"\\alpha\b|\balpha\b|\bscales?\b|(?:small|large) initialization",
        "How large the weights are at initialization. It decides which of all solutions training finds.",
    ),
    "gradient flow": (r"\bflows?\b|\bflow's\b", "Gradient descent in the limit of small steps, without noise."),
    "interpolant": (
        r"interpola",
        "A model that fits every training sample exactly. With more unknowns than samples there are many.",
    ),
    r"minimum $\ell_1$ norm": (
        r"\\ell_1|\bl1\b",
        "The interpolant whose entries have the smallest sum of absolute values. It is sparse: few entries are not zero.",
    ),
    r"minimum $\ell_2$ norm": (
        r"\\ell_2|\bl2\b",
        "The interpolant whose entries have the smallest sum of squares. It spreads over all entries.",
    ),
    "kernel regime (also: lazy)": (
        r"kernel|tangent",
        "From a large initialization the weights hardly move, and the model behaves like its linearization: the tangent "
        "model, whose inner products of gradients are the tangent kernel.",
    ),
    "rich regime": (
        r"\brich\b",
        "From a small initialization the weights move far, features are learned, and simple (sparse, low-rank) solutions are "
        "found.",
    ),
    "diagonal net": (
        r"diagonal (?:linear )?nets?\b|\bdeeper nets\b",
        r"A linear model with coefficients $u^D - v^D$, entry by entry, with depth $D$.",
    ),
    "hyperbolic entropy": (
        r"entrop|\bq_[a-z]+\b",
        r"The function $Q_\alpha$ of the coefficients that training minimizes among all interpolants. It lies between $\ell_2$ "
        r"(large scale) and $\ell_1$ (small scale).",
    ),
    "nuclear norm": (
        r"nuclear|completi|completing",
        r"The sum of a matrix's singular values. Small values go with low rank, as the $\ell_1$ norm goes with few entries.",
    ),
    "margin": (
        r"max(?:-|imum ).{0,12}margin|(?:minimum|smallest|tangent) margin|margins? (?:of|are)|margin classifier",
        "The distance of the samples from the decision boundary, at unit norm of the classifier.",
    ),
    "margin of the product": (
        r"(?:an?|any|positive|the) (?:positive )?margin(?:[.,]| \$\\(?:max|mu)| the loss| and the guaranteed)",
        "By how much the smallest singular value of the targets exceeds the initial error. The product of the layers never falls "
        "below it.",
    ),
    "grokking": (
        r"grokking",
        "Test accuracy rises long after training accuracy is perfect. Misgrokking is the reverse: it falls late.",
    ),
    "weight decay": (r"weight decay", "A penalty on the squared size of all weights, which pulls them to zero slowly."),
    "population error": (r"population error|test error", "The error on new samples, in contrast to the training samples."),
    r"homogeneous, degree $D$": (
        r"homogeneous|degree \$?D",
        r"Scaling all weights by a factor scales the output by its $D$-th power; $D$ is often the number of layers.",
    ),
    "spline": (r"spline", "A curve through the samples: the linear one joins them by straight lines, a kernel's is smooth."),
}


def explained(text: str) -> Iterator[tuple[str, str]]:
    """The words that a text uses, with their meanings."""
    for word, (pattern, meaning) in WORDS.items():
        if re.search(pattern, text, re.IGNORECASE):
            yield word, meaning
