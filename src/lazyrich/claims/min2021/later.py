"""The guarantee renewed at later times: what corollary 6 and its misprint share."""

import numpy as np


def over_renewed(data, factor, since):
    r"""The largest of $\log(L(t)/L(t_0)) + \lambda_rc(t_0)(t - \text{since}\cdot t_0)$ over $t > t_0$, for each $t_0 > 0$."""
    logs, worst = np.log(data.excess), []
    for at in range(1, data.sizes["t"] - 1):
        first, later = data.isel(t=at), slice(at + 1, None)
        told = factor * first.guaranteed * (data.time.isel(t=later) - since * first.time)
        worst.append((logs.isel(t=later) - np.log(first.excess) + told).max("t"))
    return worst
