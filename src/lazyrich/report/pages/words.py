"""Fixed texts of the pages, for a reader who is new to this."""

from ...claims.registry import PAPERS, paper_of

ABOUT = (
    "Statements and figures of the papers below, each as a check that can fail: a computation, a few measured numbers, "
    "and for each number a bound with its reason. This report shows the results, and how to reproduce them."
)

JUDGING = (
    "Each row is a measured number and its bound; the reason for the bound stands under its name. A control is the same "
    "check where the statement is false. There, the numbers that it names must leave their bounds: a check that cannot fail "
    "shows nothing."
)

VERDICTS = {
    "holds": "Every number is within its bound, and every control, where the statement is false, fails as it must.",
    "fails": "The sanity checks passed, but a test of the statement is out of its bound.",
    "inconclusive": "The check cannot tell: a sanity check failed, or a control did not fail as it must.",
    "skipped": "Nothing was checked.",
    "sweep": "Computed over a grid of settings; nothing was judged.",
    "not run": "No run is stored.",
}

KINDS = {
    "figure": "A figure of the paper, computed anew and tested for what it shows.",
    "table": "A table of the paper, computed anew.",
    "theorem": "A theorem of the paper, tested numerically.",
    "lemma": "A lemma of the paper, tested numerically.",
    "corollary": "A corollary of the paper, tested numerically.",
    "proposition": "A proposition of the paper, tested numerically.",
    "statement": "A statement in the text of the paper, tested numerically.",
    "derived": "A new result that builds on the paper.",
    "erratum": "A misprint: it holds if the corrected form holds and the printed one fails.",
    "drawing": "A picture of a model. There is nothing to check.",
}

SIZES = {"smoke": "tiny, to test the code", "quick": "seconds on two cores", "paper": "as printed in the paper"}

# As in docs/references.bib.
AUTHORS = {
    "woodworth2020": "Woodworth and others, 2020",
    "lyu2024": "Lyu and others, 2024",
    "min2021": "Min and others, 2021",
}


def paper_title(key: str) -> str:
    """The title of a paper, or its key where that is all we know."""
    return paper_of(key).title if key in PAPERS else key
