import pytest

from lazyrich.errors import BadInput
from lazyrich.lab import Param, Params, Simulation
from lazyrich.lab.params import SHORT_FORMS, canonical, names_of

PARAMS = (
    Param("alpha", (1.0, 2.0), (1.0, 2.0, 3.0), smoke=(1.0,), low=0.5, high=10),
    Param("n", 4, 8, low=1, static=True),
    Param("weight_decay", 0.5, low=0.0, high=1.0),
    Param("horizon", "=10/weight_decay", low=0.0),
    Param("late", "=horizon*alpha"),
)


def test_sizes_defaults_and_changes_in_this_order():
    assert Params.of(PARAMS, "quick").values["n"] == 4
    assert Params.of(PARAMS, "paper").values["alpha"] == (1.0, 2.0, 3.0)
    assert Params.of(PARAMS, "paper", defaults={"n": 5}).values["n"] == 5
    assert Params.of(PARAMS, "paper", defaults={"n": 5}, changes={"n": 6}).values["n"] == 6


def test_points_settle_formulas_at_each_value_of_an_axis():
    settings = Params.of(PARAMS, "quick")
    assert settings.points(["late", "n"]) == [{"late": 20.0, "n": 4}, {"late": 40.0, "n": 4}]
    assert settings.points(["horizon"]) == [{"horizon": 20.0}]
    assert settings.axes_of(["late"]) == {"alpha": (1.0, 2.0)}
    assert settings.shown()["horizon"] == 20.0 and settings.shown()["late"] == "=horizon*alpha"


def test_a_circle_of_formulas_is_refused():
    circle = (Param("a", "=b"), Param("b", "=a"))
    with pytest.raises(BadInput, match="circle"):
        Params.of(circle, "quick").points(["a"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpa": 1.0}, "Did you mean alpha"),
        ({"alpha": 20.0}, "from 0.5 up to 10"),
        ({"alpha": (1.0, 1.0)}, "different values"),
        ({"alpha": ()}, "at least 1"),
        ({"n": 2.5}, "whole number"),
        ({"n": "many"}, "whole number"),
        ({"n": (1, 2)}, "no axis here .* parameters of claims"),
        ({"zzz": 1.0}, "parameters here are alpha.*'zzz'. Choose one of these.$"),
        ({"weight_decay": float("nan")}, "weight_decay takes"),
        ({"weight_decay": True}, "weight_decay takes"),
    ],
)
def test_bad_values_are_refused_with_what_is_accepted(changes, message):
    with pytest.raises(BadInput, match=message):
        Params.of(PARAMS, "quick", changes=changes)


def test_an_axis_can_need_several_values():
    with pytest.raises(BadInput, match="at least 2"):
        Params.of(PARAMS, "quick", changes={"alpha": 3.0}, least={"alpha": 2})
    assert Params.of(PARAMS, "quick", changes={"alpha": 3.0}).values["alpha"] == (3.0,)


@pytest.mark.parametrize(("name", "short"), [(name, short) for name, forms in SHORT_FORMS.items() for short in forms])
def test_canonical_names_have_short_forms(name, short):
    params = (Param(name, 0.5, low=0.0, high=1.0), Param("n", 4, aliases=("samples",)))
    assert Params.of(params, "quick", changes={short: 0.25, "samples": 5}).values == {name: 0.25, "n": 5}
    assert canonical(params, {short: 0.25}) == {name: 0.25}
    with pytest.raises(BadInput, match=f"{name} twice, as {short} too"):
        canonical(params, {name: 0.5, short: 0.25})


@pytest.mark.parametrize(
    "params",
    [
        (Param("learning_rate", 0.1), Param("rate", 2.0)),
        (Param("rate", 2.0), Param("learning_rate", 0.1)),
        (Param("a", 1.0, aliases=("c",)), Param("b", 2.0, aliases=("c",))),
        (Param("a", 1.0, aliases=("b",)), Param("b", 2.0)),
    ],
    ids=["a short form is a name", "the other way", "one alias twice", "an alias is a name"],
)
def test_a_name_of_two_parameters_is_an_error_when_the_experiment_is_written(params):
    with pytest.raises(TypeError, match="names two parameters"):
        names_of(params)
    with pytest.raises(TypeError, match="names two parameters"):
        Simulation(lambda: {}, params, returns={}, random=False)
