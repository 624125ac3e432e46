"""What travels to the wall, and what a choice on it comes to."""

from __future__ import annotations

import json
import zlib

import pytest

import engine
from drawing.ensembles_wall import wall
from engine.ensembles import EnsembleSettings, grow_ensemble
from widgets.ensembles.wall import build


@pytest.fixture(scope="module")
def described() -> dict[str, object]:
    table = engine.read_table("datasets/files/play_tennis.csv", target="play", ignore=("day",))
    return wall(grow_ensemble(table, EnsembleSettings(n_members=3)), "key")


def test_a_wall_travels_as_deflated_json(described: dict[str, object]) -> None:
    packed = build(described)
    assert json.loads(zlib.decompress(packed.body)) == described
    assert packed.key == described["key"]


def test_equal_ensembles_have_equal_walls(described: dict[str, object]) -> None:
    assert build(described) == build(dict(described))


def test_a_wall_without_a_number_is_refused(described: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="JSON"):
        build({**described, "total": float("nan")})
