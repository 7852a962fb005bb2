"""What a game registers about itself: rules, compiled code, strength, study material, commands.

Generic code reads a `GamePackage` and never imports a game. What searches and proves is compiled,
so a package names it by a `Ref`, which is imported when it is first called: the rules, and all that
only asks which games there are, need not wait for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from engine.core.agent import Agent
from engine.core.analysis import Analysis
from engine.core.attention import Sight
from engine.core.boards import Board
from engine.core.exact import ExactSolver
from engine.core.game import Drawing, Game, Position
from engine.core.kernel import Kernel, PlainKernel
from engine.core.limits import Stop
from engine.core.problem import Lesson
from engine.core.symmetry import Images, always, unchanged
from engine.core.threat import Threat

T_co = TypeVar("T_co", covariant=True)

COMPILED_SPEED, PLAIN_SPEED = 2_000_000, 20_000
"""Positions a second of one core: of compiled kernels, and of rules in Python."""
PLAIN_NODES = 5_000
"""The most positions of one search by rules in Python, during which nothing else runs freely."""


@dataclass(frozen=True, slots=True)
class Ref(Generic[T_co]):
    """A function or class by its address, imported when it is first called."""

    address: str
    """Module and name, such as `engine.games.gato.kernel:load`."""

    @property
    def module(self) -> str:
        """The module's name."""
        return self.address.partition(":")[0]

    def resolve(self) -> Callable[..., T_co]:
        """Import the module and return the object; raises ImportError or AttributeError."""
        found: Callable[..., T_co] = _resolved(self.address)
        return found

    def __call__(self, *given: Any, **named: Any) -> T_co:
        """Call the object."""
        return self.resolve()(*given, **named)


@cache
def _resolved(address: str) -> Any:
    module, _, name = address.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True, slots=True)
class KernelPart:
    """Compiled modules that are needed together, compiled and loaded as one."""

    name: str
    """Unique among all games."""
    title: str
    """What the operator is told is ready, such as `Gato`."""
    modules: tuple[str, ...]
    """Each after those it calls."""
    seconds: float
    """About how long compiling takes on two cores of an ordinary machine."""
    for_search: bool = True
    """Whether a plain search needs it; other parts are for proofs and special agents."""


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """A command that plays a move."""

    name: str
    """Its texts are under `command.<game>.<name>`, or those that games share `command.<name>`."""
    option: str | None
    """Its option, with texts under `option.<game>.<option>` or `option.<option>`; None if the
    command itself is the move."""
    is_number: bool = False
    """Whether the option is a whole number instead of text."""
    text: str = "{}"
    """The move as the game reads it, with `{}` where the option goes."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How finished games are judged (`engine.strength.judging`)."""

    depth: int = 4
    """Plies that the search of each move looks ahead."""
    spread: float = 30.0
    """Evaluation points in which the odds of winning grow by e."""
    unjudged: int = 2
    """First plies that are not judged: they decide little and take the longest to search."""
    nodes: int | None = None
    """Positions that finding the winners of all of a game's positions may visit."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the rating estimated from one game's moves is off for people, on one ladder.

    Moves look better in games that are won, and in long ones: the winner had good moves to choose
    from, and a player who errs loses early. Rungs, on which the estimate is based, err differently
    from people. So it is corrected by figures from simulated people who met rungs within 250 points
    of their own rating (`python -m benchmarks.adaptive --calibrate`).
    """

    base: float
    """Elo points by which it is too high in a long game that was lost."""
    won: float
    """How much more that is for a win; half of it for a draw."""
    short: float
    """How much more it is in short games: this divided by the plies of the game."""
    deviation: float
    """The standard deviation of what remains."""

    def bias(self, score: float, plies: int) -> float:
        """Return by how many points the estimate is too high on average."""
        return self.base + self.won * score + self.short / plies


@dataclass(frozen=True, slots=True)
class PuzzleSettings:
    """The boards that a game has puzzles for, and how these are mined."""

    boards: tuple[str, ...]
    """Variants with a file of puzzles, the usual one first."""
    from_ply: Mapping[str, int] = field(default_factory=dict)
    """By variant, moves made at least before a puzzle; otherwise a third of the longest game."""
    scarce: tuple[str, ...] = ()
    """Variants with too few puzzles to keep the shares of kinds in balance."""
    horizon: int | None = None
    """Plies within which a win counts where nothing can be proven to the end."""
    cycle: int | None = None
    """Plies after which what is due repeats, where discs leave the board."""


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """A position of the engine's signature, and how deep to search it."""

    variant: str
    moves: str
    depth: int


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """Everything about one game that other code asks for."""

    key: str
    """Its name in stored games, commands and files: a small letter, then letters or digits."""
    home: str
    """The Python package of its data: `ladders/`, `puzzles/` and `texts/`."""
    from_variant: Callable[[str], Game]
    """Reads the text of a variant; raises UnknownVariant."""
    variants: tuple[str, ...]
    """All variants, as text. Position codes know them by their place: new ones come last."""
    usual: str
    """The default variant."""
    longest: Callable[[Any], int]
    """Plies of a game that goes on for as long as the rules allow."""
    stones_stay: bool = True
    """Whether discs stay on their squares, so that a full board ends the game."""

    drawing: Drawing
    """How the board is drawn."""
    commands: tuple[MoveCommand, ...] = (MoveCommand("play", "move"),)
    """The commands that play its moves."""
    variant_option: str = "variant"
    """The name of the option for the variant, with texts as a command's option has."""
    example_move: str | None = None
    """A move that the local page shows as an example where commands take text; None for the first
    legal one."""
    welcome_levels: tuple[str, ...] = ()
    """Levels with a button in the first message."""
    refusals: tuple[str, ...] = ()
    """Reasons of its IllegalMove, besides `over` and `outside`, each with a text."""
    remarks: tuple[str, ...] = ()
    """Keys of the remarks that its positions make, each with a text."""
    effects: tuple[str, ...] = ()
    """Effects of its moves that place nothing, each with a text for hints."""

    code: int | None = None
    """Its number in position codes: 0 to 15 for games of this distribution, 16 to 31 for others.
    None for a game without codes."""
    place: Callable[[Any, Board, int], Position] | None = None
    """Rebuilds a position from its board and the number of moves made; raises NotAPosition. None
    where that is not enough: then there are no position codes, and nothing is analysed."""
    images: Callable[[Any], Images] = unchanged
    """The symmetries of a game's board."""
    related: Callable[[Any, Any], bool] = always
    """Whether two positions, of any variants, may occur in one game, or in its mirror image."""

    kernel: Ref[Kernel] | None = None
    """Loads a position for search: (position, table bits). None searches by the rules."""
    evaluate: Callable[[Any], int] | None = None
    """What a position is worth to the side to move, for searching by the rules."""
    speed: int | None = None
    """Positions a second that a search visits on one core, by which time becomes nodes."""
    parts: tuple[KernelPart, ...] = ()
    """Its compiled code."""
    sequences: Ref[int] | None = None
    """Counts the sequences of moves of a length from a position: (position, depth)."""
    sight: Ref[Sight] | None = None
    """A position as players see it who overlook lines; None where players overlook nothing."""
    exact: Ref[ExactSolver] | None = None
    """Makes an exact solver: (game, nodes=None, all_books=True). None where there is none."""
    threats: Ref[tuple[Threat, ...]] | None = None
    """The threats of a position that is not over, the most urgent first."""
    lessons: tuple[Lesson, ...] = ()
    """What players can learn of it, in this order."""

    agents: tuple[Agent, ...] = ()
    """Agents of its own, besides the levels."""
    agent_kinds: Mapping[str, Callable[[int], Agent]] = field(default_factory=dict)
    """How to make those of its agents that have a depth, by the kind's name."""
    size_class: Callable[[Any], str] | None = None
    """Names the ladder and the rating of a variant: variants of one class are about as hard. None
    if all have the same, which has the game's key as its name."""
    ladder: Literal["measured", "guessed"] = "measured"
    """Whether its ladders are files, or levels of fixed depth that nobody has measured."""
    judging: Judging = Judging()
    """How its finished games are judged."""
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    """By size class; without one, ratings go by results alone."""
    puzzles: PuzzleSettings | None = None
    """Its puzzles; None for none."""
    bench: tuple[BenchPosition, ...] = ()
    """Positions of the engine's signature."""

    def load(self, position: Position, table_bits: int) -> Kernel:
        """Load a position for search, with a table of 2^`table_bits` entries."""
        if self.kernel is None:
            left = max(1, self.longest(position.game) - position.ply)
            return PlainKernel(position, left, self.evaluate)
        return self.kernel(position, table_bits)

    def solver(
        self, game: Game, *, nodes: int | None = None, all_books: bool = True
    ) -> ExactSolver | None:
        """Return an exact solver for a variant; None if the game has none.

        Args:
            game: The variant.
            nodes: Positions that finding winners may visit in all.
            all_books: Whether to look into every book, or only into those that are always there.
        """
        return None if self.exact is None else self.exact(game, nodes=nodes, all_books=all_books)

    def prove(
        self, position: Position, *, seconds: float, stop: Stop | None = None
    ) -> Analysis | None:
        """Prove the value of every move of one position that is not over.

        None if that takes more than `seconds` or is stopped, or if the game has no solver.
        """
        solver = self.solver(position.game)
        return None if solver is None else solver.values(position, seconds=seconds, stop=stop)

    def folder(self, name: str) -> Path:
        """Return the folder of some of its data: `ladders`, `puzzles` or `texts`."""
        root = import_module(self.home).__file__
        assert root is not None, f"{self.home} is a package with files"
        return Path(root).parent / name

    def class_of(self, game: Game) -> str:
        """Return the name of the ladder, and of the rating, that a variant belongs to."""
        return self.key if self.size_class is None else self.size_class(game)

    def threats_in(self, position: Position) -> tuple[Threat, ...]:
        """Return the threats of a position that is not over; none where the game names none."""
        return () if self.threats is None else self.threats(position)

    def count_sequences(self, position: Position, depth: int) -> int:
        """Count the sequences of exactly `depth` moves from a position."""
        if self.sequences is not None:
            return self.sequences(position, depth)
        if depth == 0:
            return 1
        following = map(position.play, position.legal_moves())
        return sum(self.count_sequences(each, depth - 1) for each in following)

    @property
    def nodes_per_second(self) -> int:
        """How many positions a search visits in a second of one core."""
        return self.speed or (PLAIN_SPEED if self.kernel is None else COMPILED_SPEED)

    @property
    def most_nodes(self) -> int | None:
        """How many positions one search may visit, whatever its limits; None for compiled code."""
        return PLAIN_NODES if self.kernel is None else None

    def part_names(self, *, for_search_only: bool = False) -> tuple[str, ...]:
        """Return the names of its compiled parts, or of those that a plain search needs."""
        return tuple(part.name for part in self.parts if part.for_search or not for_search_only)
