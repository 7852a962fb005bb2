"""The registration of a game: rules, compiled code, strength, study material, commands.

Generic code reads a `GamePackage` and never imports a game. Searches and solvers are compiled, so a
package names them by a `Ref`, which is imported at its first call: code that only needs the rules
or the list of games does not wait for Numba.
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
from engine.core.game import Drawing, Game, Move, Player, Position
from engine.core.kept import TABLES
from engine.core.kernel import Kernel, KernelKind, PlainKernel
from engine.core.limits import Stop
from engine.core.plan import Plan
from engine.core.problem import Lesson, LessonCourse
from engine.core.reason import Reason, Reasons
from engine.core.symmetry import Images, always_related, identity_only
from engine.core.threat import Threat
from engine.core.threat_map import ThreatMap

T_co = TypeVar("T_co", covariant=True)

COMPILED_SPEED, PLAIN_SPEED = 2_000_000, 20_000
"""Positions per second on one core, of compiled kernels and of rules in Python."""
PLAIN_NODES = 5_000
"""The most positions of one search by rules in Python, which holds the interpreter lock."""


@dataclass(frozen=True, slots=True)
class Ref(Generic[T_co]):
    """A reference to a function or class, which is imported when it is first called."""

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
    """A group of compiled modules that are compiled and loaded together."""

    name: str
    """Unique among all games."""
    title: str
    """The name that the operator reads once it is compiled, such as `Gato`."""
    modules: tuple[str, ...]
    """The modules, each after those that it calls."""
    seconds: float
    """Estimated seconds of compilation on two cores of an ordinary machine."""
    for_search: bool = True
    """Whether a plain search needs it; other parts are for proofs and special agents."""


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """A command that plays a move."""

    name: str
    """Its texts have the keys `command.<game>.<name>` or, if games share them, `command.<name>`."""
    option: str | None
    """The name of its option, whose texts have the keys `option.<game>.<option>` or
    `option.<option>`; None if the command itself is the move."""
    is_number: bool = False
    """Whether the option is a whole number instead of text."""
    text: str = "{}"
    """The text of the move in the game's notation, with `{}` for the option's value."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How finished games are judged (`engine.strength.judging`)."""

    depth: int = 4
    """Plies that the search of each move looks ahead."""
    spread: float = 30.0
    """Evaluation points in which the odds of winning grow by e."""
    unjudged: int = 2
    """First plies that are not judged: they decide little and are the slowest to search."""
    nodes: int | None = None
    """Positions visited at most to find the winners of all of a game's positions."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The correction of a rating estimated from one game's moves, for one ladder.

    Moves look better in games that are won, and in long ones: the winner had good moves to choose
    from, and a player who errs loses early. Rungs, on which the estimate is based, err differently
    from people. As estimates end where the ladder does, they are too high for the weakest players
    and too low for the strongest. The figures come from simulated people who met rungs within 250
    points of their own rating (`python -m benchmarks.adaptive --calibrate`).
    """

    base: float
    """Elo points by which the estimate exceeds `slope` times the rating in a long game that was
    lost."""
    won: float
    """The additional points for a win; half of it for a draw."""
    short: float
    """The additional points in short games: this divided by the plies of the game."""
    deviation: float
    """The standard deviation of a corrected estimate."""
    slope: float = 1.0
    """The points by which the estimate rises on average with each point of rating."""

    def corrected(self, estimate: float, score: float, plies: int) -> float:
        """Return the rating for which this estimate is the average."""
        return (estimate - self.base - self.won * score - self.short / plies) / self.slope


@dataclass(frozen=True, slots=True)
class Population:
    """The ratings of people on one ladder, from simulated people (`benchmarks.adaptive`)."""

    mean: float
    deviation: float
    """The standard deviation of their ratings."""


@dataclass(frozen=True, slots=True)
class PuzzleSettings:
    """The boards for which a game has puzzles, and the settings for mining them."""

    boards: tuple[str, ...]
    """Variants with a file of puzzles, the usual one first."""
    from_ply: Mapping[str, int] = field(default_factory=dict)
    """By variant, the fewest moves before a puzzle; by default a third of the longest game."""
    scarce: tuple[str, ...] = ()
    """Variants with too few puzzles to balance the shares of kinds."""
    horizon: int | None = None
    """Plies within which a win counts, for games that cannot be solved to the end."""
    grades: tuple[int, int] | None = None
    """The ratings above which puzzles are medium and hard, in games whose ratings are too uncertain
    to tell more; None where each puzzle has a rating of its own."""
    cycle: int | None = None
    """Plies after which the sequence of turns repeats, in games whose discs leave the board."""


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """A position of the engine's benchmark, and the depth of its search."""

    variant: str
    moves: str
    depth: int


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """Everything that other code needs to know about one game."""

    key: str
    """The name in stored games, commands and files: a small letter, then letters or digits."""
    home: str
    """The Python package of its data: `ladders/`, `puzzles/` and `texts/`."""
    from_variant: Callable[[str], Game]
    """Reads the text of a variant; raises UnknownVariant."""
    variants: tuple[str, ...]
    """All variants, as text. Position codes use their indices, so new ones are added at the end."""
    usual: str
    """The default variant."""
    suggested_variants: tuple[str, ...] = ()
    """Variants that are offered as buttons to people who have typed one that does not exist."""
    longest: Callable[[Any], int]
    """The most plies that a game can last."""
    stones_stay: bool = True
    """Whether discs stay on their squares, so that a full board ends the game."""

    drawing: Drawing
    """How the board is drawn."""
    commands: tuple[MoveCommand, ...] = (MoveCommand("play", "move"),)
    """The commands that play its moves."""
    variant_option: str = "variant"
    """The name of the option for the variant; its texts have keys like those of
    `MoveCommand.option`."""
    example_move: str | None = None
    """The move that the local page shows as an example where commands take text; by default the
    first legal one."""
    welcome_levels: tuple[str, ...] = ()
    """Levels that have a button in the first message."""
    refusals: tuple[str, ...] = ()
    """Reasons of its IllegalMove, besides `over` and `outside`; each has a text."""
    remarks: tuple[str, ...] = ()
    """Keys of the remarks that its positions make; each has a text."""
    in_words: Mapping[str, str] = field(default_factory=dict)
    """English for the terminal: the rules as `rules`, and each remark by its key, with its numbers
    in braces."""
    effects: tuple[str, ...] = ()
    """Effects of its moves that place nothing; each has a text for hints."""
    examples: tuple[str, ...] = ()
    """Games of the usual variant, as their moves, for the picture of the rules: three that end with
    a line, or one whose last move has an effect."""

    code: int | None = None
    """The game's number in position codes: 0 to 15 for games of this distribution, 16 to 31 for
    others. None for a game without codes."""
    place: Callable[[Any, Board, int], Position] | None = None
    """Rebuilds a position from its board and the number of moves made; raises NotAPosition. None if
    that is not enough: then there are no position codes and no analysis."""
    moves_to: Callable[[Any], tuple[Move, ...] | None] | None = None
    """Moves that lead to a position that is not over; None if none were found. Without it, games
    can only go on from positions whose moves are known."""
    images: Callable[[Any], Images] = identity_only
    """The symmetries of a game's board."""
    related: Callable[[Any, Any], bool] = always_related
    """Whether two positions, of any variants, may occur in one game, or in its mirror image."""

    kernel: Ref[Kernel] | None = None
    """Loads a position for search: (position, table bits). With None, searches use the rules."""
    fitted_kernel: Ref[Kernel] | None = None
    """As `kernel`, with an evaluation fitted to exact results where there is one. The strongest
    level, hints and analyses use it; rungs only where their settings say so."""
    selective_kernel: Ref[Kernel] | None = None
    """The one of `KernelKind.STRONGEST`, if it differs. Only the strongest level uses it."""
    evaluate: Callable[[Any], int] | None = None
    """The value of a position for the side to move, for searches that use the rules."""
    speed: int | None = None
    """Positions per second that a search visits on one core, used to convert time to nodes. None
    for the usual speed of compiled code or of rules in Python."""
    parts: tuple[KernelPart, ...] = ()
    """Its compiled parts."""
    sequences: Ref[int] | None = None
    """Counts the move sequences of a length from a position: (position, depth)."""
    sight: Ref[Sight] | None = None
    """The position as players who overlook lines see it; None if they overlook nothing."""
    exact: Ref[ExactSolver] | None = None
    """Creates an exact solver: (game, nodes=None, all_books=True). None if the game has none."""
    worth_proving: Callable[[Any], bool] = lambda _position: True
    """Whether all values of a position can probably be proven within a second or two. Otherwise
    that time is better spent on a search, and only books are asked for values."""
    all_proven: Callable[[Any], bool] = lambda _game: True
    """Whether, with a solver, every move of a variant is proven within a move's time or in a book.
    Otherwise the strongest level is not called perfect."""
    best_moves: Ref[tuple[Move, ...]] | None = None
    """The best moves of a position that a book names without the values of moves; mostly none."""
    worse_moves: Ref[tuple[Move, ...]] | None = None
    """The moves of a position that a book proves to be worse than its best one; mostly none."""
    threats: Ref[tuple[Threat, ...]] | None = None
    """The threats of a position that is not over, the most urgent first."""
    reasons: Ref[Reasons] | None = None
    """The reasons for and against a legal move: (position, move). None if the game has none."""
    turn_fault: Ref[tuple[int, Reason] | None] | None = None
    """The reason against a turn, and the number of the move at fault, counted from 0: (position
    before the turn, its moves so far). None if a turn is one move."""
    plans: Ref[tuple[Plan, ...]] | None = None
    """What a legal move prepares, the weightiest first: (position, move). None if unknown."""
    favoured: Ref[Player | None] | None = None
    """The player whose waiting threats usually decide a full board. None if the game has none."""
    threat_map: Ref[ThreatMap] | None = None
    """The squares that complete a line. None where turns of several moves make them misleading."""
    courses: tuple[LessonCourse, ...] = ()
    """The courses of lessons, the easiest first."""

    agents: tuple[Agent, ...] = ()
    """The game's own agents, in addition to the levels."""
    agent_kinds: Mapping[str, Callable[[int], Agent]] = field(default_factory=dict)
    """Factories of those agents that have a depth, by the name of their kind."""
    size_class: Callable[[Any], str] | None = None
    """The size class of a variant, which has one ladder and one rating: its variants are about
    equally hard. None if all variants share one class, named by the game's key."""
    ladder: Literal["measured", "guessed"] = "measured"
    """Whether its ladders are measured and stored in files, or levels of fixed depth."""
    judging: Judging = Judging()
    """How its finished games are judged."""
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    """By size class; without one, only results change ratings."""
    people: Mapping[str, Population] = field(default_factory=dict)
    """By size class; without one, new players are assumed to be rather weak."""
    puzzles: PuzzleSettings | None = None
    """Its puzzles; None if it has none."""
    bench: tuple[BenchPosition, ...] = ()
    """Positions of the engine's benchmark."""

    def load(
        self,
        position: Position,
        table_bits: int,
        kind: KernelKind = KernelKind.USUAL,
    ) -> Kernel:
        """Load a position for search, with a table of 2^`table_bits` entries."""
        if self.kernel is None:
            left = max(1, self.longest(position.game) - position.ply)
            return PlainKernel(position, left, self.evaluate)
        kernel = self.kernel
        if kind is not KernelKind.USUAL:
            kernel = self.fitted_kernel or kernel
        if kind is KernelKind.STRONGEST:
            kernel = self.selective_kernel or kernel
        return kernel(position, table_bits)

    def solver(
        self, game: Game, *, nodes: int | None = None, all_books: bool = True
    ) -> ExactSolver | None:
        """Return an exact solver for a variant; None if the game has none.

        Args:
            game: The variant.
            nodes: Positions that finding winners may visit in all.
            all_books: Whether to use every book, or only those that are always installed.
        """
        return None if self.exact is None else self.exact(game, nodes=nodes, all_books=all_books)

    def prove(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move of one position that is not over.

        Returns None if that takes more than `seconds` or more than `nodes` positions, is stopped,
        or if the game has no solver.
        """
        solver = self.solver(position.game)
        if solver is None:
            return None
        return solver.values(position, nodes=nodes, seconds=seconds, stop=stop)

    def prove_if_likely(
        self, position: Position, *, seconds: float, stop: Stop | None = None
    ) -> Analysis | None:
        """Prove as `prove` does, but only from books where a proof would probably fail.

        Where not every move is proven, the solver is kept for the game's later positions.
        """
        if not self.worth_proving(position):
            return self.prove(position, seconds=seconds, nodes=0, stop=stop)
        if self.exact is None or self.is_all_proven(position.game):
            return self.prove(position, seconds=seconds, stop=stop)
        solver = TABLES.take("proof", position, self.related) or self.exact(position.game)
        found: Analysis | None = solver.values(position, seconds=seconds, stop=stop)
        TABLES.keep("proof", position, solver, solver.table_bytes)
        return found

    def is_all_proven(self, game: Game) -> bool:
        """Return whether every move of a variant is proven in time, so that play can be perfect."""
        return self.exact is not None and self.all_proven(game)

    def named_best(self, position: Position) -> tuple[Move, ...]:
        """Return the best moves that a book names without values of the moves; mostly none."""
        return () if self.best_moves is None else self.best_moves(position)

    def known_worse(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that a book proves to be worse than the best one; mostly none."""
        return () if self.worse_moves is None else self.worse_moves(position)

    def informed(self, position: Position, found: Analysis) -> Analysis:
        """Return a search of all moves, corrected by what books know of the moves."""
        return found.naming(self.named_best(position)).lowering(self.known_worse(position))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons of all courses, in order."""
        return tuple(lesson for course in self.courses for lesson in course.lessons)

    def folder(self, name: str) -> Path:
        """Return one of its data folders: `ladders`, `puzzles` or `texts`."""
        root = import_module(self.home).__file__
        assert root is not None, f"{self.home} is a package with files"
        return Path(root).parent / name

    def class_of(self, game: Game) -> str:
        """Return the size class of a variant."""
        return self.key if self.size_class is None else self.size_class(game)

    def threats_in(self, position: Position) -> tuple[Threat, ...]:
        """Return the threats of a position that is not over; empty if the game has no threats."""
        return () if self.threats is None else self.threats(position)

    def reasons_about(self, position: Position, move: Move) -> Reasons:
        """Return the reasons for and against a legal move; none if the game has no reasons."""
        return Reasons() if self.reasons is None else self.reasons(position, move)

    def plans_of(self, position: Position, move: Move) -> tuple[Plan, ...]:
        """Return what a legal move prepares; empty if the game has no plans."""
        return () if self.plans is None else self.plans(position, move)

    def favoured_in(self, position: Position) -> Player | None:
        """Return the player whose waiting threats usually decide a full board; None for neither."""
        return None if self.favoured is None else self.favoured(position)

    def threat_map_of(self, position: Position) -> ThreatMap | None:
        """Return the map of a position's threats; None if it is over or the game has no map."""
        is_over = position.outcome is not None
        return None if self.threat_map is None or is_over else self.threat_map(position)

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
        """The positions that a search visits per second on one core."""
        return self.speed or (PLAIN_SPEED if self.kernel is None else COMPILED_SPEED)

    @property
    def max_nodes(self) -> int | None:
        """The most positions of one search, regardless of limits; None for compiled code."""
        return PLAIN_NODES if self.kernel is None else None

    def part_names(self, *, for_search_only: bool = False) -> tuple[str, ...]:
        """Return the names of its compiled parts, or only of those that a plain search needs."""
        return tuple(part.name for part in self.parts if part.for_search or not for_search_only)
