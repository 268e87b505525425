import pytest

from lazyrich.claims import find
from lazyrich.claims.edges import EDGES
from lazyrich.lab.formula import names


@pytest.mark.parametrize("identity", EDGES)
def test_a_line_is_over_parameters_that_the_simulation_depends_on(identity):
    claim = find(identity)
    assert claim.id == identity
    for formula in EDGES[identity].values():
        asked = names(formula)
        assert len(asked) >= 2 and asked <= set(claim.simulation.wants)
