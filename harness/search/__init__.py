"""Thinking ahead, compiled: guessed worlds, rollouts, a linear judge of moves, exact endings.

Everything here works on a copy of the view a bot is shown, and plays on with the engine's own turn function.
`state` copies, `worlds` guesses the hidden cards, `linear` judges moves, `rollouts` plays hands to their end,
`worth` says what an end is worth, `endings` solves two-player endings, `likelihood` weighs worlds by the
plays seen, `thinking` puts them together. No bot is known here by name; the bots that use this are in
`strategies/`.
"""
