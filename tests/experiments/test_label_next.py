import numpy as np
import pytest

from fewlabels.experiments import Request, label_next, perform


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    """A data folder with one small set; digits are always there."""
    (tmp_path / "suite").mkdir()
    y = np.arange(150) % 3
    X = (np.eye(3)[y] + 0.3 * np.random.default_rng(0).normal(size=(150, 3))).astype(np.float32)
    np.savez(tmp_path / "suite" / "small.npz", X=X, y=y.astype(np.int16), classes=np.array(["a", "b", "c"]))
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    return tmp_path / "results"


def test_runs_of_what_to_label_next_are_kept_and_only_what_lacks_is_run(folder, monkeypatch):
    def label_next_of(draws, **only):
        request = Request(
            names=["label-next"], datasets=["small"], trials=draws, folder=folder, rows=["mixed", "random"]
        )
        return perform(request, **only)

    label_next_of(1, only_trials=True)
    ran = []

    def fails(each, shelf, store, strategy, t):
        ran.append((each.name, strategy, t))
        raise ZeroDivisionError

    monkeypatch.setattr(label_next, "_run", fails)
    label_next_of(1, only_trials=True)
    assert not ran
    with pytest.raises(ZeroDivisionError):
        label_next_of(2, only_trials=True)
    assert ran == [("small", "mixed", 1)]
    table = label_next_of(1, only_tables=True)[0].table
    assert table.rows == ["small, mixed", "small, random"]
    assert table.entry("small, mixed", "1").values == table.entry("small, random", "1").values
    assert table.entry("small, mixed", "5").mean > 85
