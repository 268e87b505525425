"""What the pages say in so many words, for a reader who knows nothing of this."""

ABOUT = (
    "Statements and figures of the papers below, each as a check that can fail: a computation, a few numbers read from "
    "it, and for each number a bound with its reason. This report shows what came out, and how to make it again."
)

JUDGING = (
    "Each row is a number read from the run, and the bound it must keep; the reason for the bound stands under the "
    "number's name. The control is the same check on something false. There, numbers must leave their bounds: a check "
    "that nothing can fail would show nothing."
)

VERDICTS = {
    "holds": "Every number kept its bound, and the control, a variant that is known to be false, did not.",
    "fails": "The instruments were sound, but a number that the statement is judged by is out of its bound.",
    "inconclusive": "The check cannot tell: an instrument was unsound, or the control did not fail as it must.",
    "skipped": "Nothing was checked.",
    "sweep": "Computed over a grid of settings; nothing was judged.",
    "not run": "No run is stored.",
}

KINDS = {
    "figure": "A figure of the paper, computed anew and judged by what it is said to show.",
    "table": "A table of the paper, computed anew.",
    "theorem": "A theorem of the paper, tried on numbers.",
    "lemma": "A lemma of the paper, tried on numbers.",
    "corollary": "A corollary of the paper, tried on numbers.",
    "proposition": "A proposition of the paper, tried on numbers.",
    "statement": "A statement the paper makes in its text, tried on numbers.",
    "derived": "A result of ours that builds on the paper.",
    "erratum": "Something printed wrong: it holds if the corrected form holds and the printed one fails.",
    "drawing": "A picture of a model. There is nothing to check.",
}

SIZES = {"smoke": "tiny, to try the code", "quick": "seconds on two cores", "paper": "as printed in the paper"}

# Title and authors, as in docs/references.bib.
PAPERS = {
    "woodworth2020": ("Kernel and Rich Regimes in Overparametrized Models", "Woodworth and others, 2020"),
    "lyu2024": (
        "Dichotomy of Early and Late Phase Implicit Biases Can Provably Induce Grokking",
        "Lyu and others, 2024",
    ),
    "min2021": (
        "Convergence and Implicit Bias of Gradient Flow on Overparametrized Linear Networks",
        "Min and others, 2021",
    ),
    "beyond_l2": ("Grokking Beyond the Euclidean Norm of Model Parameters", ""),
}


def paper_title(key: str) -> str:
    """The title of a paper, or its key where that is all we know."""
    return PAPERS.get(key, (key, ""))[0]
