"""A PyTorch module goes through degrees, kernel and the two phases as its page says."""

import pytest

pytest.importorskip("torch", reason="PyTorch is no need of lazyrich: pip install torch")


@pytest.mark.slow
def test_a_module_gets_its_degree_its_kernel_and_a_verdict(lines_of):
    said = {line.split()[0]: line for line in lines_of("torch_model.py")}
    assert "inner.weight" in said["parameters"]
    assert said["degrees"] == "degrees [3. 3. 3. 3. 3. 3.]"
    assert float(said["kernel:"].split(", ")[1].split()[0]) < 1e-12
    assert "holds" in said
    assert "layer '1' (BatchNorm1d)" in said["from_torch"]
    assert said["signs"].endswith("[1 1 1 1 1 1]")
