"""The example runs as it is, and says what its page says that it does."""

import pytest


@pytest.mark.slow
def test_a_model_of_ones_own_gets_a_verdict_and_a_picture(lines_of, tmp_path):
    said = lines_of("own_model.py", tmp_path)
    assert said[0].startswith("holds") and any(line.startswith("inconclusive") and "not zero" in line for line in said)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".png", ".svg"]
