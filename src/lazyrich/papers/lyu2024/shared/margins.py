r"""How far a classifier is from the maximum margin."""


def shortfall(size, least, reference):
    r"""$\|w\|\,\gamma - \min_i q_i$ with $q_i = y_i\langle w, x_i\rangle$: the maximum margin at this norm, minus the margin.

    Never negative, and at most $\log n$ where weight decay and exponential loss balance. There the multipliers
    $\mu_i\propto e^{-q_i}$ have $\|w\|\cdot\|X^\top(y\mu)\|_* = \sum\mu_iq_i$, and $\gamma\sum\mu_i\leq\|X^\top(y\mu)\|_*$, so
    with $p_i = \mu_i/\sum\mu$ the shortfall is at most $\sum p_i(q_i - \min q) = \sum p_i\log(\max p/p_i)$: an entropy minus
    $\log(1/\max p)$. Divided by the margins, which grow like $\log(1/\lambda)$, it vanishes.
    """
    return size / reference.value - least
