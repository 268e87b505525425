"""What claims on products of vectors share: how far descent is from its edge, and shares and delays over draws."""

from ..base import Reading, at_most


def far_from_edge(data) -> Reading:
    """Rate times sharpness along the way."""
    return at_most(
        "rate times sharpness along the way, the largest",
        data.edge.max(skipna=False),
        1,
        why="below 1 a step overshoots in no direction, and descent follows its flow; from 2 on it is unstable",
    )
