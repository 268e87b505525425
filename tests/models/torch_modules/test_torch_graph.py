"""The walk over a traced graph, without PyTorch: stand-ins with the names that its layers and nodes have."""

import operator
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import TorchNet, from_torch
from lazyrich.models.torch_modules.graph import Source, walked
from lazyrich.models.torch_modules.net import Fixed, Weight

RNG = np.random.default_rng(0)


class Node:
    """What `torch.fx` says of a step."""

    def __init__(self, op, target="", args=(), **kwargs):
        self.op, self.target, self.args, self.kwargs = op, target, args, kwargs
        self.name, self.users, self.meta = f"step_{id(self)}", {}, {}
        for part in args:
            if isinstance(part, Node):
                part.users[self] = None


def layer(kind, **attributes):
    return type(kind, (), attributes)()


def net_of(nodes, layers, weights, *, fixed=None, batched=True) -> TorchNet:
    """The model of a graph whose layers hold the names of their arrays."""
    found = {**layers, **{name: name for name in (*weights, *(fixed or {}))}}
    source = Source(found.__getitem__, lambda name: Weight(name) if name in weights else Fixed.of(fixed[name]), batched)
    steps, end = walked(nodes, source)
    return TorchNet({name: jnp.asarray(part) for name, part in weights.items()}, steps, end, batched)


def chain(*layers):
    """The nodes of layers one after the other."""
    nodes = [Node("placeholder", "x")]
    for name in layers:
        nodes.append(Node("call_module", name, (nodes[-1],)))
    return [*nodes, Node("output", "output", (nodes[-1],))]


def test_layers_one_after_the_other():
    weights = {"w1": RNG.normal(size=(4, 3)), "b1": RNG.normal(size=4), "w2": RNG.normal(size=(1, 4))}
    layers = {
        "0": layer("Linear", weight="w1", bias="b1"),
        "1": layer("LeakyReLU", negative_slope=0.1, inplace=True),
        "2": layer("Linear", weight="w2", bias=None),
    }
    net, x = net_of(chain("0", "1", "2"), layers, weights), RNG.normal(size=3)
    hidden = weights["w1"] @ x + weights["b1"]
    np.testing.assert_allclose(net(jnp.asarray(x)), weights["w2"][0] @ np.where(hidden > 0, hidden, 0.1 * hidden), rtol=1e-13)
    assert net(jnp.asarray(x)).shape == ()


def test_images():
    """Stride 2, a ring of zeros, a gap in the kernel, two groups; then the largest and the mean of windows."""
    kernel, bias, x = RNG.normal(size=(2, 1, 2, 2)), RNG.normal(size=2), RNG.normal(size=(2, 8, 8))
    layers = {
        "conv": layer("Conv2d", weight="k", bias="b", stride=2, padding=(1, 1), dilation=2, groups=2, padding_mode="zeros"),
        "max": layer("MaxPool2d", kernel_size=2, stride=1, padding=0, dilation=1, ceil_mode=False, return_indices=False),
        "mean": layer(
            "AvgPool2d", kernel_size=(3, 1), stride=3, padding=0, count_include_pad=True, divisor_override=None, ceil_mode=False
        ),
        "flat": layer("Flatten", start_dim=1, end_dim=-1),
    }
    net = net_of(chain("conv", "max", "mean", "flat"), layers, {"k": kernel, "b": bias})
    ringed = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    found = np.array(
        [
            [
                [bias[c] + (kernel[c, 0] * ringed[c, i : i + 4 : 2, j : j + 4 : 2][:2, :2]).sum() for j in range(0, 8, 2)]
                for i in range(0, 8, 2)
            ]
            for c in range(2)
        ]
    )
    largest = np.array([[[m[i : i + 2, j : j + 2].max() for j in range(3)] for i in range(3)] for m in found])
    np.testing.assert_allclose(net(jnp.asarray(x)), largest[:, :, 0].mean(axis=1), rtol=1e-13)


def test_functions_methods_and_arrays_of_the_forward_pass():
    x, w, fixed = Node("placeholder", "x"), Node("get_attr", "w"), Node("get_attr", "fixed")
    product = Node("call_function", operator.matmul, (x, w))
    part = Node("call_function", operator.getitem, (product, (slice(None), slice(1, None))))
    shape = Node("call_method", "size", (x, 0))
    turned = Node("call_method", "view", (part, shape, -1))
    end = Node("call_function", operator.add, (turned, fixed))
    weights, held = {"w": RNG.normal(size=(3, 4))}, {"fixed": np.arange(3.0)}
    nodes = [x, w, fixed, product, part, shape, turned, end, Node("output", "output", (end,))]
    net, one = net_of(nodes, {}, weights, fixed=held), RNG.normal(size=3)
    np.testing.assert_allclose(net(jnp.asarray(one)), (one @ weights["w"])[1:] + np.arange(3.0), rtol=1e-13)
    assert list(net.weights) == ["w"], "what is fixed is no parameter"


def test_symbols_have_rows():
    table = RNG.normal(size=(4, 2))
    plain = {"padding_idx": None, "max_norm": None, "scale_grad_by_freq": False}
    net = net_of(chain("0"), {"0": layer("Embedding", weight="t", **plain)}, {"t": table})
    np.testing.assert_array_equal(net(jnp.array([2.0, 0.0])), table[[2, 0]])
    assert np.isnan(net(jnp.array([-1.0, 4.0]))).all()


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (layer("BatchNorm2d"), r"layer '0' \(BatchNorm2d\): a normalized net is not homogeneous"),
        (layer("Dropout", p=0.1), r"layer '0' \(Dropout\) with p=0.1: its output is drawn anew"),
        (layer("Wavelet"), r"layer '0' \(Wavelet\): it is none of those"),
    ],
    ids=["norm", "dropout", "unknown"],
)
def test_layers_are_refused_by_name(refused, said):
    with pytest.raises(BadInput, match=said):
        net_of(chain("0"), {"0": refused}, {})


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("mean", (0,), "mean in forward along dim=0"),
        ("sum", (), "sum in forward along dim=None"),
        ("permute", (1, 0), "permute in forward to the order"),
        ("flatten", (), "flatten in forward along start_dim=0"),
    ],
)
def test_samples_stay_apart(name, given, said):
    x = Node("placeholder", "x")
    end = Node("call_method", name, (x, *given))
    nodes = [x, end, Node("output", "output", (end,))]
    with pytest.raises(BadInput, match=f"{said}.*joins or moves samples"):
        net_of(nodes, {}, {})
    assert net_of(nodes, {}, {}, batched=False)(jnp.ones((2, 3))).size in (1, 3, 6), "one input has no samples"


def test_functions_of_others_are_not_those_of_the_same_name():
    def relu(x):
        return -x

    nodes = chain()
    nodes[1:1] = [Node("call_function", relu, (nodes[0],))]
    with pytest.raises(BadInput, match=f"relu in forward: it is a function of {__name__}"):
        net_of(nodes, {}, {})


def test_what_is_overwritten_must_not_be_used_elsewhere():
    layers = {"0": layer("Linear", weight="w", bias=None), "1": layer("ReLU", inplace=True)}
    nodes = chain("0", "1")
    both = Node("call_function", operator.add, (nodes[1], nodes[2]))
    with pytest.raises(BadInput, match=r"layer '1' \(ReLU\) with inplace=True: what it overwrites"):
        net_of([*nodes[:3], both, Node("output", "output", (both,))], layers, {"w": np.eye(2)})


def test_only_what_has_a_forward_pass_is_traced():
    with pytest.raises(BadInput, match="takes a torch.nn.Module; got a SimpleNamespace"):
        from_torch(SimpleNamespace(weight=1))
