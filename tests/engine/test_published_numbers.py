"""Every number of growth and prediction that the lecture notes print, to 1e-9 of the exact value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.engine.published import CHECKS, LATER, LATER_IDS, Entry, entries

CHECKED = [entry for entry in entries() if entry.what in CHECKS and entry.id not in LATER_IDS]


def assert_equal(found: Any, exact: Any) -> None:
    """Numbers to 1e-9 (relative for large ones), everything else exactly."""
    if isinstance(exact, bool | str):
        assert found == exact
    elif isinstance(exact, Mapping):
        assert set(found) == set(exact)
        for key, value in exact.items():
            assert_equal(found[key], value)
    elif isinstance(exact, Sequence):
        assert len(found) == len(exact)
        for one, other in zip(found, exact, strict=True):
            assert_equal(one, other)
    else:
        assert found == pytest.approx(exact, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("entry", CHECKED, ids=lambda entry: entry.id)
def test_the_engine_gives_the_published_number(entry: Entry) -> None:
    assert_equal(CHECKS[entry.what](entry), entry.exact)


def test_every_entry_is_checked_here_or_elsewhere_or_has_a_reason() -> None:
    assert not set(CHECKS) & set(LATER)
    left = [entry for entry in entries() if entry.what in LATER or entry.id in LATER_IDS]
    assert len(CHECKED) + len(left) == len(entries()) == 214
    assert Counter(LATER_IDS.get(e.id, LATER.get(e.what)) for e in left) == {
        "checked with AdaBoost, in tests/engine/ensembles": 15,
        "checked with gradient boosting, in tests/engine/ensembles": 10,
        "belongs to trees for numbers: the criterion is variance": 1,
        "picks the greatest of four given numbers: there is no table behind them": 1,
    }


def test_every_identifier_of_a_published_number_is_used_once() -> None:
    assert max(Counter(entry.id for entry in entries()).values()) == 1
