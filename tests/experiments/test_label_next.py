import pytest

from fewlabels.experiments import Request, label_next, perform

pytestmark = pytest.mark.usefixtures("no_data")


def test_runs_of_what_to_label_next_are_kept_and_only_what_lacks_is_run(tmp_path, monkeypatch):
    def label_next_of(draws, **only):
        return perform(Request(names=["label-next"], datasets=["digits"], trials=draws, folder=tmp_path), **only)

    label_next_of(1, only_trials=True)
    ran = []
    monkeypatch.setattr(label_next, "_run", lambda data, store, *, strategy, t: (ran.append((strategy, t)), 1 / 0))
    label_next_of(1, only_trials=True)
    assert not ran
    with pytest.raises(ZeroDivisionError):
        label_next_of(2, only_trials=True)
    assert ran == [("mixed", 1)]
    table = label_next_of(1, only_tables=True)[0].table
    assert len({table.entry(strategy, "10").values for strategy in table.rows}) == 1
    assert table.entry("mixed", "50").mean > 90
