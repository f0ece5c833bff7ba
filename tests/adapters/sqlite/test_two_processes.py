"""Two processes write for one owner at once. `bench/two_processes.py` does the same with thousands."""

from pathlib import Path

from tests.support.two_processes import race


def test_every_write_of_two_processes_is_kept_once(tmp_path: Path) -> None:
    done = race(tmp_path, count=25)

    assert len(done.kept) == 50
    assert sorted(done.kept) == sorted(set(done.acknowledged))
    assert done.revisions == tuple(range(1, 51))
