"""The registered measurements: `python -m benchmarks --list` prints them."""

from __future__ import annotations

from dataclasses import dataclass

ANY, QUIET = "any", "quiet"
POSTGRES, WIRE = "two cores; starts PostgreSQL", "two cores; starts the bot"
"""Kinds of machines. On a quiet one no other program uses much CPU."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A program that measures something."""

    name: str
    """Run by `python -m benchmarks.NAME`, or `python -m benchmarks NAME`."""
    question: str
    minutes: float
    """Time with default options on two cores."""
    machine: str
    document: str
    """The file in `docs/` with the latest figures."""


MEASUREMENTS = tuple(
    Measurement(*fields)
    for fields in (
        ("adaptive", "Does `auto` give people even games?", 240, ANY, "adaptive.md"),
        ("beginning", "Do kills lose or double a game that begins?", 8, POSTGRES, "benchmarks.md"),
        ("capacity", "What does a move cost, step by step?", 15, QUIET, "capacity.md"),
        ("cluster", "What does a cluster cost compared to threads?", 5, QUIET, "cluster.md"),
        (
            "database_faults",
            "Does the bot survive a faulty database?",
            5,
            POSTGRES,
            "benchmarks.md",
        ),
        ("documents", "Do student documents claim what is true?", 15, ANY, "agents.md"),
        ("engine", "How fast is the search?", 1, QUIET, "benchmarks.md"),
        ("exhaustive", "Is the solver right in every position?", 30, ANY, "solver.md"),
        ("fairness", "How much can one user slow down others?", 5, QUIET, "benchmarks.md"),
        ("fitting", "Which weights predict the winner?", 60, ANY, "large-boards.md"),
        ("fuzz", "Does any external input break its reader?", 1, ANY, "benchmarks.md"),
        ("head_start", "How much does moving first help?", 30, ANY, "agents.md"),
        ("hint_words", "Do hints agree with themselves?", 10, ANY, "hints.md"),
        ("hints", "How long does a hint take?", 10, QUIET, "hints.md"),
        ("joining", "Is an open challenge joined once?", 5, POSTGRES, "benchmarks.md"),
        ("kills", "What do kills of the bot lose?", 60, WIRE, "benchmarks.md"),
        ("ladder_pairs", "How far apart are neighbouring rungs?", 120, ANY, "agents.md"),
        ("ladder_tables", "Which figures do the ladders' pages have?", 0.1, ANY, "agents.md"),
        ("large", "Does `perfect` err in openings of large boards?", 15, ANY, "large-boards.md"),
        ("leaks", "What stays in memory after many games?", 60, WIRE, "benchmarks.md"),
        ("load", "How fast is the bot with many games at once?", 12, WIRE, "benchmarks.md"),
        ("loop_lag", "How long is the event loop blocked?", 1, QUIET, "benchmarks.md"),
        ("memory", "How much memory does a server take?", 1, ANY, "capacity.md"),
        ("move_cost", "How much CPU and SQL does a move take?", 5, QUIET, "capacity.md"),
        ("outages", "Do games survive when processes die?", 7, POSTGRES, "benchmarks.md"),
        ("openings", "Are balanced openings balanced?", 60, ANY, "benchmarks.md"),
        ("oversights", "What do weak rungs overlook?", 20, ANY, "agents.md"),
        ("perfect_choice", "Does `perfect` set traps well?", 120, ANY, "benchmarks.md"),
        ("pictures", "How long do pictures take?", 2, QUIET, "benchmarks.md"),
        ("proofs", "From which disc on are moves proven?", 30, ANY, "large-boards.md"),
        ("puzzle_choice", "Which puzzles are given, and which are solved?", 1, ANY, "puzzles.md"),
        ("puzzle_check", "Do all puzzles keep their promises?", 60, ANY, "puzzles.md"),
        ("queue", "How long do people wait, and for whom?", 0.2, ANY, "benchmarks.md"),
        ("recovery", "How soon are boards right after a kill?", 5, WIRE, "benchmarks.md"),
        ("review_marks", "Do reviews mark fours, and say what is true?", 5, ANY, "review.md"),
        ("rolling_restart", "Do restarts lose anything?", 2, POSTGRES, "sharding.md"),
        ("seeds", "How strong are agents beside the ladder?", 10, ANY, "agents.md"),
        ("selective", "Does reducing late moves make a search stronger?", 20, ANY, "agents.md"),
        ("sequences", "Do random games match a plain model?", 30, ANY, "benchmarks.md"),
        ("simulation", "How much do many servers need?", 5, ANY, "capacity.md"),
        ("slow_cluster", "Does the bot bypass a slow cluster?", 9, QUIET, "benchmarks.md"),
        ("solver", "How many nodes and how much time do proofs take?", 30, QUIET, "solver.md"),
        ("startup", "How long does a start take?", 5, QUIET, "benchmarks.md"),
        ("store_writes", "How long do writes take?", 0.2, QUIET, "benchmarks.md"),
        ("study", "Are reviews right, and how long do they take?", 20, QUIET, "review.md"),
        ("suspended", "Does a suspended process do harm?", 30, POSTGRES, "sharding.md"),
        ("threats", "Are named threats true?", 10, ANY, "hints.md"),
        ("two_processes", "Do two processes double moves?", 2, POSTGRES, "database.md"),
    )
)
