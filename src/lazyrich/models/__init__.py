"""The functions that are fitted. Parameters and function are one object."""

from .base import (
    AbstractLinearModel,
    AbstractModel,
    AbstractReadOnlyModel,
    entries,
    movable,
    outputs,
    parameters,
    require_movable,
)
from .convolutional import VGG11, ConvNet
from .diagonal import DiagonalNet, LogDiagonalNet
from .difference import Difference
from .embedding_net import EmbeddingNet
from .factorization import Factorization
from .function import Function
from .hadamard import HadamardNet
from .homogeneity import measured_degrees
from .linear import Linear
from .linear_net import LinearNet
from .lstm import LSTM
from .matrix import Matrix
from .pair_net import PairNet
from .power_net import PowerNet
from .product_net import ProductNet
from .relu_net import Doubled, ReluNet
from .sensing import Sensing
from .symmetric_net import SymmetricMap, SymmetricNet
from .torch_modules import TorchNet, from_torch
from .transformer import Transformer
from .wide_parallel import WideParallel

ALL = (
    DiagonalNet,
    LogDiagonalNet,
    Linear,
    Matrix,
    ProductNet,
    HadamardNet,
    WideParallel,
    LinearNet,
    Factorization,
    SymmetricNet,
    SymmetricMap,
    PairNet,
    PowerNet,
    ReluNet,
    Doubled,
    Difference,
    ConvNet,
    Sensing,
)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "AbstractReadOnlyModel",
    "ConvNet",
    "DiagonalNet",
    "Difference",
    "Doubled",
    "EmbeddingNet",
    "Factorization",
    "Function",
    "HadamardNet",
    "LSTM",
    "Linear",
    "LinearNet",
    "LogDiagonalNet",
    "Matrix",
    "PairNet",
    "PowerNet",
    "ProductNet",
    "ReluNet",
    "Sensing",
    "SymmetricMap",
    "SymmetricNet",
    "TorchNet",
    "Transformer",
    "VGG11",
    "WideParallel",
    "entries",
    "from_torch",
    "measured_degrees",
    "movable",
    "outputs",
    "parameters",
    "require_movable",
]
