import pytest

from lazyrich.claims import every
from lazyrich.lab.formula import names

CLAIMS = [claim for claim in every() if claim.edges]


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_a_line_is_over_parameters_that_the_simulation_depends_on(claim):
    for formula in claim.edges.values():
        wanted = names(formula)
        assert len(wanted) >= 2 and wanted <= set(claim.simulation.wants)
