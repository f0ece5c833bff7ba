"""
Withdrawals killed at random moments finish when they are run again, and withdrawals beside writers miss nothing.
`bench/erase.py` does the same hundreds of times.
"""

from pathlib import Path

from tests.support.killed_erasures import campaign
from tests.support.racing_erasures import race


def test_a_withdrawal_killed_at_random_moments_leaves_nothing_once_it_is_run_again(tmp_path: Path) -> None:
    done = campaign(tmp_path, kills=4, seed=4)

    assert done.kills == 4
    assert done.unbegun + done.half + done.done == 4
    assert (done.found, done.complaints) == (0, [])


def test_a_withdrawal_beside_two_writing_processes_erases_or_refuses_every_write(tmp_path: Path) -> None:
    done = race(tmp_path, rounds=10, seed=4)

    assert done.rounds == 10
    assert (done.acknowledged > 0, done.refused > 0) == (True, True)
    assert (done.left, done.complaints) == ([], [])
