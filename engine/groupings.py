"""Two groups of levels: which groupings of a categorical feature are candidates at a node.

Up to `MOST_LEVELS` present levels every grouping is one. Above, the levels are put in an order and
only cuts of that order are: by the share of the second class where there are two, or by the mean of
a number, the best grouping is among them (Breiman et al. 1984, section 4.2.2 and proposition 8.16;
Fisher 1958); for more classes the order is that of the first principal component of the class
shares (Coppersmith, Hong and Hosking 1999), which is a good order but may miss the best grouping.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.criteria import Counts, sizes_of
from engine.settings import ResolvedSettings
from engine.table import AnyArray, BoolArray, IntArray

MOST_LEVELS = 8
"""Present levels up to which every grouping is tried."""

Groups = tuple[tuple[int, ...], ...]


def groupings(rules: ResolvedSettings, tally: Counts) -> BoolArray:
    """The candidates of a feature, in the order of their first groups' lists of levels.

    Parameters
    ----------
    rules : ResolvedSettings
    tally : ndarray of shape (n_sums, n_levels)
        The sums of each level at the node.

    Returns
    -------
    ndarray of bool, shape (P, n_levels)
        Which levels are in the first group: the one that holds the first level present.
    """
    sizes = sizes_of(rules.criterion, tally)
    present = np.flatnonzero(sizes)
    if len(present) < 2:
        return np.zeros((0, tally.shape[1]), dtype=bool)
    if len(present) <= MOST_LEVELS:
        masks = every_grouping(len(present))
    else:
        masks = _cuts(level_order(rules, tally[:, present]))
    found = np.zeros((len(masks), tally.shape[1]), dtype=bool)
    found[:, present] = masks
    return found


def as_groups(first: BoolArray) -> Groups:
    """The two groups as level codes: absent levels are in the second.

    >>> as_groups(np.array([True, False, True]))
    ((0, 2), (1,))
    """
    return tuple(np.flatnonzero(first).tolist()), tuple(np.flatnonzero(~first).tolist())


@lru_cache(maxsize=MOST_LEVELS + 1)
def every_grouping(n_levels: int) -> BoolArray:
    """All groupings of n levels whose first group holds level 0, shape (2^(n − 1) − 1, n).

    >>> every_grouping(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    numbers = np.arange(2 ** (n_levels - 1) - 1)
    masks = np.ones((len(numbers), n_levels), dtype=bool)
    masks[:, 1:] = (numbers[:, None] >> np.arange(n_levels - 1)) & 1
    return masks[_by_level_list(masks)]


def level_order(rules: ResolvedSettings, tally: Counts) -> IntArray:
    """The levels in the order whose cuts are tried; all of them are present."""
    return np.asarray(level_orders(rules, tally[:, None, :])[0])


def level_orders(rules: ResolvedSettings, tally: Counts) -> IntArray:
    """The order of the levels at each node.

    Parameters
    ----------
    rules : ResolvedSettings
    tally : ndarray of shape (n_sums, n_nodes, n_levels)
        All of the levels are present.

    Returns
    -------
    ndarray of int64, shape (n_nodes, n_levels)
    """
    if rules.is_number:
        key = tally[1] / tally[0]
    elif len(tally) == 2:
        key = tally[1] / tally.sum(axis=0)
    else:
        key = _first_component(tally)
    scale = np.abs(key).max(axis=1, keepdims=True)
    order: AnyArray = np.argsort(np.round(key / np.where(scale > 0, scale, 1.0), 9), axis=1, kind="stable")
    return np.asarray(order)


def _first_component(tally: Counts) -> Counts:
    """Each level's class shares along their direction of greatest weighted variance, shape (n_nodes, n_levels)."""
    by_node = np.moveaxis(np.asarray(tally, dtype=np.float64), 0, 1)
    sizes = by_node.sum(axis=1, keepdims=True)
    centred = by_node / sizes - (by_node.sum(axis=2) / sizes.sum(axis=2))[:, :, None]
    spread = (centred * sizes) @ centred.swapaxes(1, 2)
    # Where two components spread alike, a trifle decides for one of them, always the same.
    trifle = 1e-7 * np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.diag(np.arange(len(tally)))
    direction = np.linalg.eigh(spread + trifle)[1][:, :, -1]
    # The sign of a component is arbitrary: its largest entry is made positive.
    place = np.round(np.abs(direction), 6).argmax(axis=1)[:, None]
    largest = np.take_along_axis(direction, place, axis=1)
    return np.asarray(((direction * np.sign(largest))[:, None, :] @ centred)[:, 0])


def _cuts(order: IntArray) -> BoolArray:
    n = len(order)
    masks = np.zeros((n - 1, n), dtype=bool)
    masks[:, order] = np.arange(n) <= np.arange(n - 1)[:, None]
    masks[~masks[:, 0]] ^= True
    return masks[_by_level_list(masks)]


def _by_level_list(masks: BoolArray) -> IntArray:
    """The order of the masks by their lists of places: (0,), (0, 1), (0, 1, 2), (0, 2) and so on."""
    return np.array(sorted(range(len(masks)), key=lambda i: np.flatnonzero(masks[i]).tolist()))
