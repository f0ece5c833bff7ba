"""Random programs, each compared with the pure state after every step."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from reminisce.testing.cases import StoreCase
from reminisce.testing.model import StoreMachine
from reminisce.testing.promises import promise


@promise("store.model")
def test_every_program_leaves_the_store_as_the_pure_state_says(case: StoreCase) -> None:
    machine = type("Programs", (StoreMachine,), {"case": case})
    profile = settings.default
    assert profile is not None

    run_state_machine_as_test(
        machine,
        settings=settings(
            profile,
            max_examples=case.examples or profile.max_examples,
            deadline=None,
            stateful_step_count=25,
            # Opening a durable store takes as long as many steps of a program; that says nothing about the programs.
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
