import contextlib
import signal

import pytest

from fewlabels.progress import heard_by, interrupts_kept, shown, track


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


def test_a_listener_hears_how_far_each_loop_is_and_nobody_else_does(capsys):
    told = []
    with shown(), heard_by(lambda what, done: told.append((what, done))):
        assert list(track([1, 2, 3, 4], "counting")) == [1, 2, 3, 4]
        assert list(track(iter("ab"), "reading", total=4)) == ["a", "b"]
        assert list(track(iter("a"), "endless")) == ["a"]
    assert list(track([1], "after")) == [1]
    counting = [("counting", 0.0), ("counting", 0.25), ("counting", 0.5), ("counting", 0.75)]
    assert told == [*counting, ("reading", 0.0), ("reading", 0.25), ("endless", 0.0)]
    assert capsys.readouterr().err == ""
