"""A PyTorch module as a model: its degree measured, its tangent kernel, and the two phases of lyu2024 on it.

python examples/torch_model.py
"""

# %% A module as one writes it in PyTorch: two layers with the squared ReLU between.
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import torch

import lazyrich as lz


class SquaredRelu(torch.nn.Module):
    """f(x) = a . relu(W x + b)^2, homogeneous of degree three: the bias is in the first layer only."""

    def __init__(self, d, h):
        super().__init__()
        self.inner = torch.nn.Linear(d, h)
        self.outer = torch.nn.Linear(h, 1, bias=False)

    def forward(self, x):
        """The outputs for samples along the first axis."""
        return self.outer(torch.relu(self.inner(x)) ** 2)


d, h, n = 10, 16, 6
torch.manual_seed(0)
module = SquaredRelu(d, h).double()

# %% Carried over: the same parameters by the same names. The example is put through both, and a difference is refused.
net = lz.models.from_torch(module, torch.randn(5, d, dtype=torch.float64))
print("parameters", {name: part.shape for name, part in net.weights.items()})

# %% Two classes of Gaussian points, pushed apart along one direction; the degree is measured at each.
labels = jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0)
data = lz.Split(jr.normal(jr.key(0), (n, d)) + labels[:, None] * jnp.eye(d)[0], labels)
print("degrees", np.round(lz.models.measured_degrees(net, data.x, 2.0), 6))

# %% The tangent kernel, and how far it is from that of PyTorch's own gradients.
kernel = lz.models.tangent.kernel(net, data.x)
rows = []
for x in torch.tensor(np.asarray(data.x)):
    slopes = torch.autograd.grad(module(x[None])[0, 0], list(module.parameters()))
    rows.append(torch.cat([part.ravel() for part in slopes]).numpy())
apart = np.abs(np.asarray(kernel) - np.stack(rows) @ np.stack(rows).T).max() / np.abs(kernel).max()
print(f"kernel: eigenvalues from {np.linalg.eigvalsh(kernel)[0]:.3g} to {np.linalg.eigvalsh(kernel)[-1]:.3g},", end=" ")
print(f"{apart:.1g} of its size from PyTorch's")

# %% The theorems need zero output at initialization: two copies, one subtracted from the other.
result = lz.check_model(lz.models.Difference.of(net), data)
print(result.verdict, "-", result.reason)

# %% What cannot be carried over is named.
try:
    lz.models.from_torch(torch.nn.Sequential(torch.nn.Linear(d, h), torch.nn.BatchNorm1d(h)))
except lz.errors.BadInput as refused:
    print(refused)

# %% And back: the parameters after descent, for the module.
objective = lz.Objective(data, lz.losses.Logistic(), reduction="mean")
end = lz.dynamics.GradientDescent(0.1).run(objective, net, jnp.array([0, 200])).end
module.load_state_dict({name: torch.tensor(np.asarray(part)) for name, part in end.weights.items()})
outputs = module(torch.tensor(np.asarray(data.x)))[:, 0].detach().numpy()
print("signs after descent", np.sign(outputs * np.asarray(labels)).astype(int))
