"""Modules of PyTorch and the models made of them: the same outputs and gradients, and refusals by name."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import TorchNet, Transformer, from_torch, outputs

torch = pytest.importorskip("torch", reason="PyTorch is no need of lazyrich: pip install torch")
nn, F = torch.nn, torch.nn.functional
torch.set_num_threads(1)


class Residual(nn.Module):
    """Functions, operators, a buffer, a frozen bias, a layer used twice and one that overwrites what it is given."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 6)
        self.shift = nn.Parameter(torch.randn(6))
        self.register_buffer("mask", torch.tensor([1.0, 0.0, 2.0, 1.0, 1.0, 1.0]))
        self.last = nn.Sequential(nn.Linear(18, 5), nn.ReLU(inplace=True))
        self.last[0].bias.requires_grad_(False)

    def forward(self, x, scale=None):
        h = x + F.relu(self.inner(x) * self.mask - self.shift, inplace=True) ** 2
        h = h / 2 + torch.tanh(-self.inner(h)) + torch.arange(6)
        outer = (h[:, :3, None] @ h[..., None, 3:]).view(x.shape[0], -1, 3).flatten(1)
        top = outer.mean(dim=1, keepdim=True) + h.sum(1).unsqueeze(-1)
        if scale is not None:
            top = top * scale
        return self.last(torch.cat([outer, h, F.leaky_relu(h[:, 1:4])], dim=1)) + top


class Attention(nn.Module):
    """Symbols with an embedding that is also the last layer, and weights by a softmax."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.place = nn.Parameter(torch.randn(3, 4))
        self.query, self.key = nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)
        self.head = nn.Linear(4, 7, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, x):
        h = self.embed(x) + self.place
        weights = torch.softmax(self.query(h) @ self.key(h).transpose(-1, -2) / 4**0.5, dim=-1)
        return self.head((weights @ h)[:, -1])


class ByTheBook(nn.Module):
    """A transformer of one layer as it is usually written: all places attend, the last one answers."""

    def __init__(self, symbols=5, e=6, width=7, heads=2):
        super().__init__()
        self.embed, self.place, self.heads = nn.Embedding(symbols + 1, e), nn.Parameter(torch.randn(3, e)), heads
        self.query, self.key, self.value, self.mix = (nn.Linear(e, e, bias=False) for _ in range(4))
        self.units = nn.Sequential(nn.Linear(e, width, bias=False), nn.ReLU(), nn.Linear(width, e, bias=False))
        self.out = nn.Linear(e, symbols, bias=False)

    def forward(self, x):
        n, places = x.shape
        h = self.embed(x) + self.place
        looks = (layer(h).view(n, places, self.heads, -1).transpose(1, 2) for layer in (self.query, self.key, self.value))
        query, key, value = looks
        weights = F.softmax(query @ key.transpose(-2, -1) / query.size(-1) ** 0.5, dim=-1)
        h = h + self.mix((weights @ value).transpose(1, 2).reshape(n, places, -1))
        return self.out((h + self.units(h))[:, -1])


class ForOne(nn.Module):
    """Written for one input, without an axis of samples."""

    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Parameter(torch.randn(5, 3)), nn.Parameter(torch.randn(5))

    def forward(self, x):
        return (self.outer * torch.square(self.inner @ x)).sum() + x[0]


class Smooth(nn.Module):
    """Every shape of a unit, one beside the other."""

    def __init__(self):
        super().__init__()
        shapes = (nn.LeakyReLU(0.2), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Softplus(2.0, 1.0), nn.Tanh(), nn.Sigmoid())
        self.beside = nn.ModuleList(nn.Sequential(nn.Linear(5, 4), shape, nn.Dropout(0.0)) for shape in shapes)
        self.last = nn.Sequential(nn.Identity(), nn.Linear(4, 1, bias=False))

    def forward(self, x):
        return self.last(sum(part(x) for part in self.beside))


def images():
    return nn.Sequential(
        nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2),
        nn.ReLU(),
        nn.MaxPool2d(3, stride=1, padding=1),
        nn.Conv2d(6, 3, 2, padding="same", bias=False),
        nn.AvgPool2d((2, 3), stride=2, padding=1, count_include_pad=False),
        nn.AvgPool2d(2, stride=1, padding=1),
        nn.AvgPool2d(2, divisor_override=3),
        nn.Flatten(),
        nn.Linear(18, 2),
    )


CASES = {
    "smooth": (Smooth, lambda: torch.randn(4, 5), True),
    "images": (images, lambda: torch.randn(2, 4, 9, 8), True),
    "symbols": (Attention, lambda: torch.tensor([[0, 3, 6], [2, 2, 1]]), True),
    "residual": (Residual, lambda: torch.randn(3, 6), True),
    "one input": (ForOne, lambda: torch.randn(3), False),
}
TIGHT = {"float32": 1e-6, "float64": 1e-12}


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel")  # it copies, which changes no number
@pytest.mark.parametrize("dtype", TIGHT)
@pytest.mark.parametrize("case", CASES)
def test_the_same_outputs_and_gradients(case, dtype):
    torch.manual_seed(0)
    make, draw, batched = CASES[case]
    module, x = make().to(getattr(torch, dtype)), draw()
    x = x.to(getattr(torch, dtype)) if x.is_floating_point() else x
    net, ours = from_torch(module, x, batched=batched), jnp.asarray(x.numpy(), dtype)
    assert {part.dtype.name for part in net.weights.values()} == {dtype}

    expected = module(x)
    mix = torch.linspace(-1, 1, expected.numel(), dtype=expected.dtype).reshape(expected.shape)
    (mix * expected).sum().backward()

    def mixed(net):
        found = outputs(net, ours) if batched else net(ours)
        return jnp.sum(jnp.asarray(mix.numpy()).reshape(found.shape) * found), found

    (_, found), slopes = eqx.filter_jit(eqx.filter_value_and_grad(mixed, has_aux=True))(net)
    np.testing.assert_allclose(found, expected.detach().numpy().reshape(found.shape), **tight(dtype, expected.detach()))
    moving = {name: part for name, part in module.named_parameters() if part.requires_grad}
    assert set(slopes.weights) == set(moving)
    for name, part in moving.items():
        assert np.array_equal(net.weights[name], part.detach()), "parameters are carried over as they are"
        np.testing.assert_allclose(slopes.weights[name], part.grad, **tight(dtype, part.grad), err_msg=name)


def tight(dtype, expected):
    return {"rtol": TIGHT[dtype], "atol": TIGHT[dtype] * float(expected.abs().max())}


def test_at_kinks_and_ties_slopes_are_those_of_pytorch():
    module = nn.Sequential(nn.MaxPool2d(2), nn.Flatten(), nn.Linear(2, 2, bias=False), nn.LeakyReLU(0.3), nn.ReLU())
    with torch.no_grad():
        module[2].weight.copy_(torch.tensor([[1.0, -1.0], [2.0, 1.0]]))
    x = torch.tensor([[[[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0]]]], requires_grad=True)
    module(x).sum().backward()
    net = from_torch(module)
    slopes, slope = jax.grad(lambda net, x: net(x).sum(), argnums=(0, 1))(net, jnp.asarray(x.detach()[0].numpy()))
    np.testing.assert_array_equal(slope, x.grad[0])
    np.testing.assert_array_equal(slopes.weights["2.weight"], module[2].weight.grad)


def test_one_number_of_several_layers_tied_to_one_array():
    torch.manual_seed(1)
    net = from_torch(Attention().double())
    assert sorted(net.weights) == ["embed.weight", "key.weight", "place", "query.weight"]
    assert np.isnan(net(jnp.array([0.0, 7.0, 1.0]))).any(), "a symbol that the table does not have is seen"


def test_our_transformer_is_the_usual_one():
    torch.manual_seed(3)
    module, pairs = ByTheBook().double(), torch.tensor([[0, 3], [4, 4], [2, 1]])
    x = torch.cat([pairs, torch.full((3, 1), 5)], dim=1)
    carried = from_torch(module, x)
    layers = ("query", "key", "value", "mix", "units.0", "units.2", "out")
    turned = (carried.weights[f"{name}.weight"].T for name in layers)
    net = Transformer(carried.weights["embed.weight"], carried.weights["place"], *turned, heads=2)
    expected = module(x).detach()
    np.testing.assert_allclose(outputs(net, jnp.asarray(pairs.numpy(), float)), expected, **tight("float64", expected))


def test_another_precision_is_given_only_when_asked_for():
    torch.manual_seed(2)
    module = Residual()
    kept, cast = from_torch(module, torch.randn(4, 6)), from_torch(module, dtype="float64")
    for name, part in cast.weights.items():
        assert part.dtype == jnp.float64 and np.array_equal(part, np.asarray(kept.weights[name], np.float64))
    x = torch.randn(2, 6, dtype=torch.float64)
    expected = module.double()(x).detach()
    np.testing.assert_allclose(outputs(cast, jnp.asarray(x.numpy())), expected, **tight("float64", expected))
    for odd in (torch.float64, "int32"):
        with pytest.raises(BadInput, match='casts to "float32" or "float64"'):
            from_torch(module, dtype=odd)
    with jax.enable_x64(False), pytest.raises(BadInput, match="float64 needs double precision"):
        from_torch(module)


def test_the_same_module_twice_is_one_program():
    first, second = from_torch(images()), from_torch(images())
    assert first.steps == second.steps and hash(first.steps) == hash(second.steps)


class Choosing(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Centered(nn.Module):
    """Batch normalization by hand, seen only by comparison."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x):
        h = self.inner(x)
        return h - h.reshape(1, -1, 3).mean(1)


def of(forward):
    """A module with this forward and one layer."""
    kind = type("Own", (nn.Module,), {"forward": forward})
    module = kind()
    module.inner = nn.Linear(3, 3)
    return module


def hooked():
    module = nn.Sequential(nn.Linear(3, 3))
    module[0].register_forward_hook(lambda layer, x, found: 2 * found)
    return module


REFUSED = {
    "batch norm": (
        lambda: nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.BatchNorm1d(3))),
        r"layer '1\.0' \(BatchNorm1d\): a normalized",
    ),
    "layer norm": (lambda: nn.Sequential(nn.LayerNorm(3)), r"layer '0' \(LayerNorm\): a normalized"),
    "group norm": (lambda: nn.Sequential(nn.GroupNorm(1, 3)), r"layer '0' \(GroupNorm\): a normalized"),
    "dropout": (lambda: nn.Sequential(nn.Dropout(0.5)), r"layer '0' \(Dropout\) with p=0\.5: its output is drawn"),
    "functional norm": (lambda: of(lambda s, x: F.layer_norm(x, (3,))), "layer_norm in forward: a normalized"),
    "recurrent": (lambda: nn.Sequential(nn.LSTM(3, 3)), r"layer '0' \(LSTM\): it is none of those"),
    "padding": (lambda: nn.Sequential(nn.Conv2d(1, 1, 3, padding=1, padding_mode="reflect")), "padding_mode='reflect'"),
    "gaps": (lambda: nn.Sequential(nn.MaxPool2d(2, dilation=2)), r"layer '0' \(MaxPool2d\) with dilation=2"),
    "ceiling": (lambda: nn.Sequential(nn.MaxPool2d(2, ceil_mode=True)), "ceil_mode=True"),
    "ceiling of a function": (lambda: of(lambda s, x: F.max_pool2d(x, 2, ceil_mode=True)), "ceil_mode=True"),
    "row of zeros": (lambda: nn.Sequential(nn.Embedding(3, 2, padding_idx=0)), "padding_idx=0"),
    "over samples": (lambda: of(lambda s, x: x - x.mean(0)), "mean in forward along dim=0: it joins or moves samples"),
    "by hand": (lambda: of(lambda s, x: (h := s.inner(x)) @ h.T), "getattr in forward of 'T': it joins or moves"),
    "turned": (lambda: of(lambda s, x: s.inner(x).permute(1, 0)), r"permute in forward to the order \(1, 0\)"),
    "laid out": (lambda: nn.Sequential(nn.Linear(3, 3), nn.Flatten(0)), r"layer '1' \(Flatten\) along start_dim=0"),
    "over all": (lambda: of(lambda s, x: s.inner(x).sum()), "sum in forward along dim=None: it joins"),
    "one sample": (lambda: of(lambda s, x: s.inner(x)[0]), "getitem in forward at 0: it joins or moves"),
    "unknown function": (lambda: of(lambda s, x: torch.sort(x, dim=1)[0]), "sort in forward: it is none"),
    "unknown method": (lambda: of(lambda s, x: s.inner(x).relu_()), "relu_ in forward: it is none"),
    "unknown setting": (lambda: of(lambda s, x: torch.add(x, x, alpha=2)), "add in forward: .*alpha"),
    "unknown attribute": (lambda: of(lambda s, x: s.inner(x.data)), "getattr in forward.*the attribute 'data'"),
    "overwritten": (
        lambda: of(lambda s, x: (h := s.inner(x)) + F.relu(h.view(-1, 3), inplace=True)),
        "overwrites is used elsewhere",
    ),
    "two inputs": (lambda: of(lambda s, x, z: x + z), "the argument 'z' of forward: a model has one input"),
    "two outputs": (lambda: of(lambda s, x: (x, s.inner(x))), "output of forward"),
    "a choice": (Choosing, "forward of Choosing: it cannot be traced"),
    "hooks": (hooked, r"layer '0' \(Linear\) with hooks"),
    "half precision": (lambda: nn.Linear(2, 2).to(torch.bfloat16), "'weight' of torch.bfloat16"),
    "no module": (lambda: jnp.tanh, "takes a torch.nn.Module"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_carried_over_is_named(case):
    make, said = REFUSED[case]
    with pytest.raises(BadInput, match=said):
        from_torch(make())


def test_an_example_shows_what_no_name_does():
    module = Centered()
    assert isinstance(from_torch(module), TorchNet), "nothing in its graph says that samples meet"
    with pytest.raises(BadInput, match=r"gives what its module gives on the example.* apart"):
        from_torch(module, torch.randn(4, 3))
    with pytest.raises(BadInput, match="a tensor that the module takes; got a Tensor: mat1 and mat2"):
        from_torch(module, torch.randn(4, 2))


def test_inputs_that_do_not_fit_name_the_layer():
    net = from_torch(nn.Sequential(nn.Linear(3, 2), nn.ReLU()))
    with pytest.raises(BadInput, match=r"layer '0' \(Linear\) takes .* got shape \(1, 4\)"):
        net(jnp.ones(4))
    joins = from_torch(of(lambda s, x: s.inner(x) + s.inner.weight.T.sum(-2).mean() + x.mean(-2)))
    with pytest.raises(BadInput, match=r"mean in forward takes .* axis -2 is that of samples"):
        joins(jnp.ones(3))
    lost = from_torch(of(lambda s, x: s.inner(x).view(-1)))
    with pytest.raises(BadInput, match=r"one output a sample; got outputs of shape \(3,\)"):
        lost(jnp.ones(3))
