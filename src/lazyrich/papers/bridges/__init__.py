"""Results across the papers: one scale of initialization and one flow of Gram matrices for all of them."""

from ...claims.paper import Paper

PAPER = Paper(key="bridges", title="Results across the papers", citation="", claims=("one_scale", "entrywise"))
