"""The figures of a report, drawn by a few processes at a time."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from ...claims.drawing import Drawing

# So many figures are worth a process of their own, which takes a second to start; and no more processes than this.
WORTH, MOST = 6, 4


@contextlib.contextmanager
def helpers(figures: int) -> Iterator[Executor | None]:
    """Processes for about so many figures, which load what they need while others look for the figures; None if few."""
    count = min(MOST, os.cpu_count() or 1, figures // WORTH)
    if count < 2:
        yield None
        return
    # A forked process would inherit the threads of JAX.
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        for _ in range(count):
            pool.submit(_load)
        yield pool


def draw_all(
    drawings: Mapping[Path, Drawing],
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
    pool: Executor | None = None,
) -> dict[Path, str]:
    """Write PLACE.svg and PLACE.csv of each drawing; what could not be drawn is returned, with the reason."""
    run = map if pool is None else pool.map
    return _gathered(run(draw, drawings, drawings.values()), drawings, progress)


def _load() -> None:
    from .. import figures, numbers  # noqa: F401


def _gathered(messages, drawings: Mapping[Path, Drawing], progress) -> dict[Path, str]:
    troubles = {}
    for done, (place, trouble) in enumerate(zip(drawings, messages, strict=True), 1):
        progress("figures", done, len(drawings))
        if trouble:
            troubles[place] = trouble
    return troubles


def draw(place: Path, drawing: Drawing) -> str:
    """Write one figure and its numbers; why it could not be drawn, or nothing."""
    from .. import figures, numbers

    try:
        image, table = figures.vector(drawing), numbers.table(drawing)
    except Exception as error:  # one figure that cannot be drawn does not cost the others
        return f"The figure could not be drawn ({type(error).__name__}: {error})."
    place.with_name(f"{place.name}.svg").write_bytes(image)
    place.with_name(f"{place.name}.csv").write_text(table, encoding="utf-8", newline="")
    return ""
