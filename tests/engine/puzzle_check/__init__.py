"""A check of the puzzles that shares no code with what makes them, and imports none of it.

It reads what `python -m engine puzzles show` prints and knows the rules by its own tables. Each
claim is proven by searches of its own:

- the moves are a legal game that is not over, and the line goes on legally;
- at every move that is asked, exactly one move has the promised result: it wins, or holds the draw
  (in BOOM: wins, or does not lose, within `boom.HORIZON` movements);
- replies are the longest resistance or, in a draw, keep the draw;
- a win is completed in as many own moves as it says, or cannot be stopped where the line ends; of a
  refutation, the move before was a mistake;
- no position is asked twice, in any puzzle and up to any symmetry of the board.
"""
