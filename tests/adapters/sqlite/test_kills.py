"""A writer killed at random moments loses nothing that it acknowledged. `bench/crash.py` does the same a thousand times."""

from pathlib import Path

from tests.support.crash import campaign


def test_nothing_acknowledged_is_lost_to_kills_at_random_moments(tmp_path: Path) -> None:
    done = campaign(tmp_path, kills=8, seed=8)

    assert done.kills == 8
    assert done.acknowledged > 0
    assert (done.lost, done.torn, done.complaints) == (0, 0, [])
    assert len(list((tmp_path / "keys").iterdir())) == 1
