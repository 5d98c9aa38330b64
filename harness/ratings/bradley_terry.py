"""Bradley-Terry ratings on "a finished the match ahead of b", errors clustered by group.

The model: a finishes ahead of b with probability 1/(1 + exp(θ_b - θ_a)) (Bradley and Terry 1952). The pairs
of a match are not independent, and still less those of a group, in which one deal is played from several
seats. So the estimate is that of independent pairs, but its covariance is the cluster-robust "sandwich"
(Liang and Zeger 1986), with S_c the score of cluster c and C clusters:

    V = C/(C - 1) · H⁺ (Σ_c S_c S_cᵀ) H⁺,    SE_ab = √(V_aa + V_bb - 2 V_ab),    t quantile with C - 1 df.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, log, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError, near
from harness.ratings.newton import information, logistic, maximise, pseudo_inverse, reachable, slack
from harness.ratings.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ELO = 400.0 / log(10.0)
"""Elo points per unit of θ: 400 points are odds of ten to one."""

FEW_GROUPS = 10
"""A bot in fewer groups than this is flagged: errors estimated from so few are too small."""

Anchor = tuple[str, float] | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class BradleyTerry:
    """Ratings of some bots and how sure they are; made by `fit`.

    Bots without a finite rating of their own (always or never ahead of the others, alone or as a block) have
    got a finite one by half a pseudo-win, a flag, and an interval that is open to that side. Where it is one
    bot alone, the other end is the exact bound given the others' ratings (see `fit`).

    Attributes
    ----------
    bots : list of str
        Labels, in the order of all arrays.
    theta : ndarray of float64, shape (bots,)
        Ratings in natural units (log odds), summing to zero unless one is anchored.
    cov : ndarray of float64, shape (bots, bots)
        Covariance V of `theta`, natural units squared (multiply by ``ELO**2`` for Elo); NaN with fewer than
        two clusters, and in row and column of a bot that met others in one group only.
    se_matrix : ndarray of float64, shape (bots, bots)
        Standard error of the difference of each two ratings, Elo; NaN where `cov` is.
    games : ndarray of int64, shape (bots, bots)
        How often two bots met, seat by seat.
    ahead : ndarray of float64, shape (bots, bots)
        How often the row's bot was ahead of the column's, ties half.
    clusters : int
        C, groups in which two different bots met.
    confidence : float
        Of the intervals, 0 to 1.
    flags : list of str
        Remarks, empty for most bots.
    """

    bots: list[str]
    theta: Floats
    cov: Floats
    se_matrix: Floats
    games: NDArray[np.int64]
    ahead: Floats
    clusters: int
    confidence: float
    flags: list[str]
    _tally: Tally
    _above: Flags  # is the row's bot linked to the column's by a chain of being ahead?
    _down: Floats  # how far a bot that is always ahead, alone, may be below its rating, Elo; NaN for others
    _up: Floats  # how far one that is never ahead may be above
    _held: int | None

    @property
    def elo(self) -> Floats:
        """Ratings in Elo, shape (bots,)."""
        return np.asarray(self.theta * ELO, np.float64)

    def se_diff(self, a: str, b: str) -> float:
        """Give the standard error of the difference between two bots' ratings, in Elo; NaN if unknown.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        return float(self.se_matrix[self._index(a), self._index(b)])

    def interval(self, bot: str) -> tuple[float, float]:
        """Give the confidence interval of a bot's rating against the mean of all or the anchor, in Elo.

        Infinite to the side on which the results set no bound; (NaN, NaN) if the bot met others in fewer
        than two groups.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        at = self._index(bot)
        centre = float(self.elo[at])
        if self._held is not None:
            lead, low, high = self._lead(at, self._held)
            return centre - lead + low, centre - lead + high
        variance = float(self.cov[at, at])
        if not isfinite(variance):
            return nan, nan
        half = self._quantile * ELO * sqrt(max(variance, 0.0))
        # Against the mean of all, which moves along, a bot moves by less than against the others.
        part = 1.0 - 1.0 / len(self.bots)
        down = part * self._down[at] if isfinite(self._down[at]) else half
        up = part * self._up[at] if isfinite(self._up[at]) else half
        # The results bound a rating from above only by those it finished behind, be it through others.
        others = self._above & ~self._above.T
        below = others[at].any() or not others.any()
        behind = others[:, at].any() or not others.any()
        return float(centre - down) if below else -inf, float(centre + up) if behind else inf

    def lead(self, a: str, b: str) -> tuple[float, float, float]:
        """Give how far a is ahead of b, in Elo, with the confidence interval of that difference.

        Infinite to the side on which the results set no bound; NaN if one of them met others in fewer than
        two groups. It does not depend on an anchor, nor on how sure other bots' ratings are.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        return self._lead(self._index(a), self._index(b))

    def share(self, a: str, b: str) -> float:
        """Give the share of their shared matches in which a finished ahead of b, ties half; NaN if none."""
        i, j = self._index(a), self._index(b)
        games = float(self.games[i, j])
        return float(self.ahead[i, j]) / games if games else nan

    def worst_misfit(self, least: float = 0.02, games: int = 1_000) -> tuple[str, str, float, float] | None:
        """Find the pair whose results are furthest from what the ratings say.

        Parameters
        ----------
        least : float
            Smallest difference of shares worth telling.
        games : int
            Fewest meetings of a pair worth looking at.

        Returns
        -------
        (str, str, float, float) or None
            A bot, the one it met, the share of matches it finished ahead, and what the ratings say.
        """
        expected = 1 / (1 + np.exp(self.theta[None, :] - self.theta[:, None]))
        enough = self.games >= games
        seen = np.where(enough, self.ahead / np.maximum(self.games, 1), expected)
        i, j = np.unravel_index(int(np.argmax(np.abs(seen - expected))), seen.shape)
        if abs(seen[i, j] - expected[i, j]) < least:
            return None
        return self.bots[i], self.bots[j], float(seen[i, j]), float(expected[i, j])

    @cached_property
    def table(self) -> pd.DataFrame:
        """Ratings as a table, best first.

        Columns: ``bot``, ``elo``, ``elo_low``, ``elo_high``; ``score`` (mean of (n - standing)/(n - 1), 0 to
        1), ``win_rate`` (0 to 1), ``matches`` (seats played), ``groups``; ``los_next`` (likelihood that the
        bot is stronger than the next in the table, 0 to 1; NaN for the last); ``flag`` (a remark or "").
        """
        import pandas as pd

        # By rating as printed with many digits, so that equal ones stand in the order of their names.
        order = sorted(range(len(self.bots)), key=lambda i: (-round(float(self.elo[i]), 9), self.bots[i]))
        ends = [self.interval(self.bots[i]) for i in order]
        return pd.DataFrame(
            {
                "bot": [self.bots[i] for i in order],
                "elo": self.elo[order],
                "elo_low": [low for low, _ in ends],
                "elo_high": [high for _, high in ends],
                "score": self._tally.score[order],
                "win_rate": self._tally.win_rate[order],
                "matches": self._tally.matches[order],
                "groups": self._tally.groups[order],
                "los_next": [*map(self._superior, order, order[1:]), nan],
                "flag": [self.flags[i] for i in order],
            }
        )

    def pairs(self) -> pd.DataFrame:
        """Give for each ordered pair that met how often, and how often the first was ahead.

        Returns
        -------
        pandas.DataFrame
            Columns ``bot``, ``other``, ``games``, ``ahead`` (share, 0 to 1, ties half).
        """
        import pandas as pd

        first, second = np.nonzero(self.games)
        games = self.games[first, second]
        return pd.DataFrame(
            {
                "bot": [self.bots[i] for i in first],
                "other": [self.bots[i] for i in second],
                "games": games,
                "ahead": self.ahead[first, second] / games,
            }
        )

    def _lead(self, i: int, j: int) -> tuple[float, float, float]:
        """Lead of bot i on bot j, Elo, and its interval."""
        lead, error = float(self.theta[i] - self.theta[j]) * ELO, float(self.se_matrix[i, j])
        if i == j:
            return 0.0, 0.0, 0.0
        if not isfinite(error):
            return lead, nan, nan
        half = self._quantile * error
        down, up = self._reach(i, j, half), self._reach(j, i, half)
        return lead, lead - down if self._above[i, j] else -inf, lead + up if self._above[j, i] else inf

    def _reach(self, i: int, j: int, half: float) -> float:
        """How far the lead of bot i on bot j may be below its estimate, Elo."""
        ends = [float(end) for end in (self._down[i], self._up[j]) if isfinite(end)]
        if not ends:
            return half
        # Both at once: two bots alone say the same thing twice; else each may be off against those between.
        return max(ends) if len(self.bots) == 2 else sum(ends)

    @cached_property
    def _quantile(self) -> float:
        # Not scipy.stats, which takes half a second to import.
        from scipy.special import stdtrit

        return float(stdtrit(self.clusters - 1, 0.5 + self.confidence / 2))

    def _superior(self, i: int, j: int) -> float:
        """Likelihood that bot i is stronger than bot j."""
        from scipy.special import ndtr

        gap, error = float(self.elo[i] - self.elo[j]), float(self.se_matrix[i, j])
        if error == 0:
            return 1.0 if gap > 0 else 0.5
        return float(ndtr(gap / error))

    def _index(self, bot: str) -> int:
        try:
            return self.bots.index(bot)
        except ValueError:
            raise PresiError(f"bot {bot!r} is not rated; {near(bot, self.bots)}") from None


def fit(tally: Tally, anchor: Anchor | None = None, confidence: float = 0.95) -> BradleyTerry:
    """Rate the bots of a tally.

    Parameters
    ----------
    tally : Tally
        Of any number of matches.
    anchor : (str, float), optional
        A bot and its rating in Elo, which the others are measured against; also as ``{bot: elo}``. By default
        ratings sum to zero.
    confidence : float
        Of the intervals, between 0 and 1.

    Returns
    -------
    BradleyTerry

    Raises
    ------
    PresiError
        If there are no matches, bots that never met (not even through others), an unknown anchor, or a
        confidence out of range.
    WorkError
        If the fit does not converge.

    Notes
    -----
    Where the results of two blocks of bots against each other all went one way, the best fit is infinite.
    Then, and only between such blocks, half a pseudo-win each way is added, spread over the pairs as their
    matches are: 10-0 becomes 10.5-0.5. Those two halves count as one more cluster in the errors (not in C).

    Results that all went one way do not tell how alike the matches of a group are. So the closed end of the
    interval of a bot that alone was always (never) ahead is exact and takes each group as one trial: let p
    be its mean chance over the opponents it met. All its G groups go one way with probability at most p^G,
    whatever their matches share; the end is where p^G = (1 - confidence)/2, given the others' ratings.

    A bot that met others in one group only is fitted to that group, whose score is then zero: the formula
    would call its rating certain. Its errors are NaN instead.
    """
    if not 0 < confidence < 1:
        raise PresiError(f"confidence {confidence}: allowed is a number between 0 and 1, as 0.95")
    games, ahead = tally.games, tally.ahead
    if not games.any():
        raise PresiError("there are no matches between different bots: nothing to rate")
    _check_met(tally.bots, games > 0)
    held = _anchor(tally.bots, anchor)

    above = reachable(ahead > 0)
    extra, pairs_of_blocks = _pseudo_wins(games, above)
    theta = maximise(ahead + extra)
    chance = logistic(theta[:, None] - theta[None, :])[0]
    inverse = pseudo_inverse(information(theta, games + 2.0 * extra))
    clusters = tally.cluster_count
    if clusters < 2:
        cov = np.full(games.shape, nan)
    else:
        meat = tally.meat(chance)
        for block in pairs_of_blocks:
            score = (block * (1.0 - 2.0 * chance)).sum(axis=1)
            meat += np.outer(score, score)
        cov = clusters / (clusters - 1) * inverse @ meat @ inverse
        cov = (cov + cov.T) / 2.0
    lone = _in_one_group(tally)
    cov[lone], cov[:, lone] = nan, nan
    variance = np.diag(cov)
    square = variance[:, None] + variance[None, :] - 2 * cov
    down, up = _exact_ends(tally, theta, above, (1 - confidence) / 2)
    if held is not None:
        at, elo = held
        theta = theta - theta[at] + elo / ELO
        cov = cov - cov[at][None, :] - cov[:, at][:, None] + cov[at, at]
    return BradleyTerry(
        bots=list(tally.bots),
        theta=theta,
        cov=np.asarray(cov, np.float64),
        se_matrix=np.asarray(ELO * np.sqrt(np.maximum(square, 0.0))),
        games=games,
        ahead=ahead,
        clusters=clusters,
        confidence=confidence,
        flags=_flags(tally, above, lone),
        _tally=tally,
        _above=above,
        _down=down,
        _up=up,
        _held=None if held is None else held[0],
    )


def rate(
    results: pd.DataFrame | Tally,
    anchor: Anchor | None = None,
    confidence: float = 0.95,
) -> BradleyTerry:
    """Rate results from anywhere; to users this is `harness.ratings.bradley_terry`.

    Parameters
    ----------
    results : pandas.DataFrame or Tally
        A table with the columns ``order`` (``a>b>c`` from first to last, ties ``a=b>c``), ``group``
        (optional: what shares luck) and ``count`` (optional: how often that happened; without a group, each
        time independently). See `harness.ratings.orders.tally_orders`.
    anchor, confidence
        As for `fit`.

    Returns
    -------
    BradleyTerry

    Raises
    ------
    PresiError
        As `fit`, and if the table cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> rating = rate(pd.DataFrame({"order": ["a>b", "b>a"], "count": [64, 36]}))
    >>> rating.table[["bot", "elo"]].round(3).values.tolist()
    [['a', 49.975], ['b', -49.975]]
    >>> round(rating.se_diff("a", "b"), 3)
    36.374
    """
    if isinstance(results, Tally):
        return fit(results, anchor, confidence)
    from harness.ratings.orders import tally_orders

    return fit(tally_orders(results), anchor, confidence)


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

    NaN for all others. See the notes of `fit`.
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
