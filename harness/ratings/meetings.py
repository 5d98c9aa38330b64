"""What every way of rating shares: who met whom, what cannot be rated, and how a rating is put together.

Notes
-----
Where the results of two blocks of bots against each other all went one way, the best fit is infinite. Then,
and only between such blocks, half a pseudo-win each way is added, spread over the pairs as their matches are:
10-0 becomes 10.5-0.5. Those two halves count as one more cluster in the errors (not in C).

Results that all went one way do not tell how alike the matches of a group are. So the closed end of the
interval of a bot that alone was always (never) ahead is exact and takes each group as one trial: let p be its
mean chance over the opponents it met. All its G groups go one way with probability at most p^G, whatever
their matches share; the end is where p^G = (1 - confidence)/2, given the others' ratings.

A bot that met others in one group only is fitted to that group, whose score is then zero: the formula would
call its rating certain. Its errors are NaN instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError, near
from harness.ratings.newton import logistic, pseudo_inverse, reachable, slack
from harness.ratings.rating import ELO, Rating
from harness.ratings.tally import Tally

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW_GROUPS = 10
"""A bot in fewer groups than this is flagged: errors estimated from so few are too small."""

Anchor = tuple[str, float] | Mapping[str, float]
"""A bot and its rating in Elo, which the others are measured against; also as ``{bot: elo}``."""


@dataclass(frozen=True, eq=False)
class Meetings:
    """Who met whom in a tally that can be rated; made by `look`.

    Attributes
    ----------
    tally : Tally
    confidence : float
        Of the intervals to make, 0 to 1.
    games : ndarray of int64, shape (bots, bots)
        How often two bots met, seat by seat.
    ahead : ndarray of float64, shape (bots, bots)
        How often the row's bot was ahead of the column's, ties half.
    above : ndarray of bool, shape (bots, bots)
        Whether the row's bot is linked to the column's by a chain of being ahead.
    extra : ndarray of float64, shape (bots, bots)
        Pseudo-wins of the row's bot against the column's.
    blocks : list of ndarray of float64, shape (bots, bots)
        The same, by pair of blocks of bots between which all results went one way.
    held : (int, float) or None
        The anchor: number of the bot, Elo.
    """

    tally: Tally
    confidence: float
    games: NDArray[np.int64]
    ahead: Floats
    above: Flags
    extra: Floats
    blocks: list[Floats]
    held: tuple[int, float] | None

    def covariance(self, theta: Floats, information: Floats, meat: Floats) -> Floats:
        """Give the cluster-robust covariance C/(C - 1) H⁺ M H⁺ of ratings; NaN with fewer than two clusters.

        Parameters
        ----------
        theta : ndarray of float64, shape (bots,)
        information : ndarray of float64, shape (bots, bots)
            H, pseudo-wins included.
        meat : ndarray of float64, shape (bots, bots)
            M, the sum of S Sᵀ over the clusters, without pseudo-wins.
        """
        clusters = self.tally.cluster_count
        if clusters < 2:
            return np.full(self.games.shape, nan)
        inverse = pseudo_inverse(information)
        chance = logistic(theta[:, None] - theta[None, :])[0]
        meat = meat.copy()
        for block in self.blocks:
            score = (block * (1.0 - 2.0 * chance)).sum(axis=1)
            meat += np.outer(score, score)
        cov = clusters / (clusters - 1) * inverse @ meat @ inverse
        return np.asarray((cov + cov.T) / 2.0)

    def rating(self, method: str, theta: Floats, cov: Floats) -> Rating:
        """Put a rating together from ratings that sum to zero and their covariance."""
        tally, cov = self.tally, cov.copy()
        lone = _in_one_group(tally)
        cov[lone], cov[:, lone] = nan, nan
        variance = np.diag(cov)
        square = variance[:, None] + variance[None, :] - 2 * cov
        down, up = _exact_ends(tally, theta, self.above, (1 - self.confidence) / 2)
        if self.held is not None:
            at, elo = self.held
            theta = theta - theta[at] + elo / ELO
            cov = cov - cov[at][None, :] - cov[:, at][:, None] + cov[at, at]
        return Rating(
            method=method,
            bots=list(tally.bots),
            theta=theta,
            cov=np.asarray(cov, np.float64),
            se_matrix=np.asarray(ELO * np.sqrt(np.maximum(square, 0.0))),
            games=self.games,
            ahead=self.ahead,
            clusters=tally.cluster_count,
            confidence=self.confidence,
            flags=_flags(tally, self.above, lone),
            _tally=tally,
            _above=self.above,
            _down=down,
            _up=up,
            _held=None if self.held is None else self.held[0],
        )


def look(tally: Tally, anchor: Anchor | None = None, confidence: float = 0.95) -> Meetings:
    """Look at who met whom, and refuse what cannot be rated.

    Raises
    ------
    PresiError
        If there are no matches, bots that never met (not even through others), an unknown anchor, or a
        confidence out of range.
    """
    if not 0 < confidence < 1:
        raise PresiError(f"confidence {confidence}: allowed is a number between 0 and 1, as 0.95")
    games, ahead = tally.games, tally.ahead
    if not games.any():
        raise PresiError("there are no matches between different bots: nothing to rate")
    _check_met(tally.bots, games > 0)
    above = reachable(ahead > 0)
    extra, blocks = _pseudo_wins(games, above)
    return Meetings(tally, confidence, games, ahead, above, extra, blocks, _anchor(tally.bots, anchor))


def _anchor(bots: list[str], anchor: Anchor | None) -> tuple[int, float] | None:
    """Look up which bot is held at which rating."""
    if anchor is None:
        return None
    items = list(anchor.items()) if isinstance(anchor, Mapping) else [anchor]
    if len(items) != 1:
        raise PresiError(f"anchor {dict(items)}: allowed is exactly one bot")
    bot, elo = items[0]
    if bot not in bots:
        raise PresiError(f"anchor {bot!r} is not among the bots; {near(bot, bots)}")
    if not isfinite(elo):
        raise PresiError(f"anchor {bot}={elo}: allowed is a finite rating in Elo")
    return bots.index(bot), float(elo)


def _blocks(linked: Flags) -> list[list[int]]:
    """Sort bots into blocks, given which of them belong together (an equivalence)."""
    first = linked.argmax(axis=1)
    return [np.flatnonzero(first == at).tolist() for at in sorted(set(first.tolist()))]


def _check_met(bots: list[str], met: Flags) -> None:
    """Refuse bots that no chain of matches links."""
    blocks = _blocks(reachable(met))
    if len(blocks) > 1:
        names = ["{" + _some([bots[i] for i in block], 8) + "}" for block in blocks]
        raise PresiError(
            f"these groups of bots never met, so no rating can compare them: {_some(names, 6)}; "
            "rate them apart or add matches between them"
        )


def _some(names: list[str], most: int) -> str:
    """List names, not too many."""
    rest = f", and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def _pseudo_wins(games: NDArray[np.int64], above: Flags) -> tuple[Floats, list[Floats]]:
    """Half a pseudo-win each way between blocks whose matches all went one way.

    Parameters
    ----------
    games, above : ndarray, shape (bots, bots)
        How often two met; which bot is linked to which by a chain of being ahead.

    Returns
    -------
    extra : ndarray, shape (bots, bots)
        Pseudo-wins of the row's bot against the column's, in all.
    each : list of ndarray
        The same, by pair of blocks.
    """
    extra = np.zeros(games.shape)
    each: list[Floats] = []
    blocks = _blocks(above & above.T)
    for k, upper in enumerate(blocks):
        for lower in blocks[k + 1 :]:
            here = games[np.ix_(upper, lower)]
            if not here.any():
                continue
            half = np.zeros(games.shape)
            half[np.ix_(upper, lower)] = 0.5 * here / here.sum()
            half += half.T
            extra += half
            each.append(half)
    return extra, each


def _only(bot: int, number: int) -> Flags:
    """Mark one bot."""
    return np.asarray(np.arange(number) == bot, np.bool_)


def _in_one_group(tally: Tally) -> Flags:
    """Whether each bot met others in fewer than two groups."""
    number = len(tally.bots)
    # Groups of a bot against itself count among its groups, so ask again where there are few.
    return np.array(
        [n < FEW_GROUPS and tally.groups_across(_only(i, number)) < 2 for i, n in enumerate(tally.groups)],
        np.bool_,
    )


def _exact_ends(tally: Tally, theta: Floats, above: Flags, tail: float) -> tuple[Floats, Floats]:
    """How far bots that alone were always (never) ahead may be below (above) their ratings, Elo.

    NaN for all others. See the notes above.
    """
    games, number = tally.games, len(theta)
    down, up = np.full(number, nan), np.full(number, nan)
    for bot in range(number):
        # Linked to itself always; so a single link means none to another.
        best, worst = above[:, bot].sum() == 1, above[bot].sum() == 1
        if not (best or worst):
            continue
        weight = games[bot] / games[bot].sum()
        gap = (theta[bot] - theta) if best else (theta - theta[bot])
        groups = tally.groups_across(_only(bot, number))
        (down if best else up)[bot] = ELO * slack(gap, weight, tail ** (1 / groups))
    return down, up


def _flags(tally: Tally, above: Flags, lone: Flags) -> list[str]:
    """Say what a reader of the ratings should not miss, per bot."""
    flags = [""] * len(tally.bots)
    blocks = _blocks(above & above.T)
    for block in blocks if len(blocks) > 1 else []:
        at = block[0]
        best = len(np.flatnonzero(above[:, at])) == len(block)
        worst = len(np.flatnonzero(above[at])) == len(block)
        word = "always ahead" if best else "never ahead" if worst else "no mixed results"
        if len(block) > 1 and (best or worst):
            word += f" of the rest, with {len(block) - 1} more"
        for bot in block:
            flags[bot] = word
    for bot, groups in enumerate(tally.groups):
        if lone[bot]:
            note = "one group: no interval"
        elif groups < FEW_GROUPS:
            note = f"only {groups} groups"
        else:
            continue
        flags[bot] = f"{flags[bot]}; {note}" if flags[bot] else note
    return flags
