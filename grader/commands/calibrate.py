"""`grade calibrate`: measure this card's ceilings anew and show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from grader.roofline import Ceilings

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Example: grade calibrate. Then: grade all")
def calibrate() -> None:
    """Measure what this GPU does at best: bandwidth, matrix products, launches. Grades are held against it.

    The first timed grading does so by itself and keeps the figures for this card, driver and torch version.
    """
    from rich.console import Console

    from grader.backends import gpu
    from grader.outcome import GraderError

    if not gpu.present():
        raise GraderError(
            "no NVIDIA GPU or driver on this machine: nothing is timed without one, so there is no ceiling; "
            "what is missing: grade doctor"
        )
    device = gpu.describe()
    from grader.card import Card
    from grader.ceilings import ceilings

    console, card = Console(highlight=False), Card()
    with console.status("measuring") as status, card.lock(lambda: status.update("waiting for another grader")):
        measured = ceilings(card, lambda text: status.update(f"measuring {text}"), again=True)
    console.print(f"{device['name']}, driver {card.driver()}, torch {device['torch']}")
    console.print(table(measured))
    others = card.others()
    if others:
        console.print(f"note: {', '.join(others)} used the GPU as well; free it, then once more: grade calibrate")
    console.print("what you grade from now on is held against these; next: grade next")


def table(ceilings: Ceilings) -> Table:
    """The ceilings, one a row."""
    from rich.table import Table

    rows = Table("what", "at best", box=None, pad_edge=False)
    rows.add_row("copy (read + written)", f"{ceilings.copy / 1e9:.0f} GB/s")
    rows.add_row("read only", f"{ceilings.read / 1e9:.0f} GB/s")
    for name, rate in ceilings.matmul.items():
        rows.add_row(f"matrix product, {name}", f"{rate / 1e12:.1f} T{'FLOP' if name != 'int8' else 'OP'}/s")
    rows.add_row("launch, as the host queues", f"{ceilings.launch * 1e6:.1f} us")
    rows.add_row("launch, in a CUDA graph", f"{ceilings.graph_launch * 1e6:.1f} us")
    rows.add_row("atomic additions to one address", f"{ceilings.atomic * 1e9:.2f} ns each")
    rows.add_row("launch and wait", f"{ceilings.synchronize * 1e6:.1f} us")
    return rows
