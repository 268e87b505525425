"""Words that claims use and not every reader knows, each in a sentence or two."""

import re
from collections.abc import Iterator

WORDS = {
    "alpha, the scale of the start": (
        r"\balpha\b|\bscales?\b|small start|large start",
        "How large the weights are when training begins. It decides which of all solutions training finds.",
    ),
    "gradient flow": (
        r"\bflows?\b|\bflow's\b",
        "Training in the limit of small steps: the weights move downhill on the training loss, without noise.",
    ),
    "interpolant": (
        r"interpola",
        "A model that fits every training sample exactly. With more unknowns than samples there are many.",
    ),
    "least l1": (
        r"\bl1\b",
        "The interpolant whose entries have the least sum of sizes. It is sparse: few entries differ from zero.",
    ),
    "least l2": (
        r"\bl2\b",
        "The interpolant whose entries have the least sum of squares. It spreads over all entries.",
    ),
    "kernel regime (also: lazy)": (
        r"kernel|tangent",
        "From a large start the weights hardly move, and the model behaves like its linear approximation there: the tangent "
        "model, whose inner products of gradients are the tangent kernel.",
    ),
    "rich regime": (
        r"\brich\b",
        "From a small start the weights move far, features are learned, and simple (sparse, low-rank) solutions are found.",
    ),
    "diagonal net": (
        r"diagonal (?:linear )?nets?\b|\bdeeper nets\b",
        "The simplest net with such a choice: a linear model whose coefficients are u^D - v^D, entry by entry, with depth D.",
    ),
    "hyperbolic entropy": (
        r"entrop|\bq_[a-z]+\b",
        "The function Q_alpha of the coefficients that training minimizes among all interpolants. It lies between l2 (large "
        "scale) and l1 (small scale).",
    ),
    "nuclear norm": (
        r"nuclear|completi|completing",
        "The sum of a matrix's singular values. Small values go with low rank, as the l1 norm goes with few entries.",
    ),
    "margin": (
        r"margin",
        "How far the samples are from the border between the classes, at unit norm of the classifier.",
    ),
    "grokking": (
        r"grokking",
        "Test accuracy rises long after training accuracy is perfect. Misgrokking is the reverse: it falls late.",
    ),
    "decay": (
        r"\bdecay\b",
        "Weight decay: a penalty on the squared size of all weights, which pulls them to zero slowly.",
    ),
    "population error": (
        r"population error|test error",
        "The error on new samples, in contrast to those trained on.",
    ),
    "homogeneous, degree D": (
        r"homogeneous|degree D",
        "Scaling all weights by a factor scales the output by the D-th power of it; D is often the number of layers.",
    ),
    "spline": (
        r"spline",
        "A curve through the samples: the linear one joins them by straight lines, a kernel's is smooth.",
    ),
}


def explained(text: str) -> Iterator[tuple[str, str]]:
    """The words that a text uses, with their meanings."""
    for word, (pattern, meaning) in WORDS.items():
        if re.search(pattern, text, re.IGNORECASE):
            yield word, meaning
