"""The transformer learns a small table, and its power gathers in few frequencies, as the example prints it."""

import pytest


@pytest.mark.slow
def test_it_prints_how_power_gathers(lines_of):
    said, names, *rows = lines_of("transformer.py", 11, 400)
    assert "400 steps" in said and names.split()[1:] == ["train", "test", "embedding", "outputs", "with", "without"]
    first, last = ([float(number) for number in row.split()] for row in (rows[0], rows[-1]))
    assert (first[0], last[0]) == (0, 400)
    assert last[1] == 1.0, "it fits"
    assert last[3] > first[3] and last[4] > 0.1 > 0.02 > first[4], "waves gather"
    assert last[5] < last[6], "and carry the answers"
