"""A check of the puzzles that shares no code with the miner, and imports none of it.

It reads the output of `python -m engine puzzles show` and has its own tables of the rules. Each
claim is proven by its own searches:

- the moves are a legal game that is not over, and the line goes on legally;
- at every move that is asked, exactly one move has the claimed result: it wins, or holds the draw
  (in BOOM: wins, or does not lose, within `boom.HORIZON` movements);
- replies resist as long as possible or, in a draw, keep the draw;
- a win is completed in the claimed number of moves, or cannot be stopped at the line's end; in a
  refutation, the move before was a mistake;
- no position is asked twice, in any puzzle and up to any symmetry of the board.
"""
