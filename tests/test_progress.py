import contextlib
import signal

import pytest

from fewlabels.progress import interrupts_kept, shown, track


def test_an_interrupt_that_a_library_swallowed_is_not_lost():
    taken = []

    def work():
        with interrupts_kept(), shown():
            for step in track(range(5), "working"):
                taken.append(step)
                with contextlib.suppress(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert taken == [0]
