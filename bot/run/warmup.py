"""Getting the compiled kernels ready before anything else, for what has nobody to keep waiting."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from engine.core.compiled import CACHE_FOLDER, compile_all, is_warm
from engine.core.registry import compiled_modules


def warm_up(console: Console) -> None:
    """Load the kernels; the first time they are compiled, which takes a while and shows it."""
    if is_warm(compiled_modules()):
        compile_all(compiled_modules())
        return
    console.print("First start: compiling the engine, once, for about half a minute.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        task = progress.add_task("compiling")

        def report(name: str, done: int, of: int) -> None:
            progress.update(task, description=name or "compiled", completed=done, total=of)

        compile_all(compiled_modules(), report)
    console.print(f"The compiled engine is kept in {CACHE_FOLDER}", soft_wrap=True)
