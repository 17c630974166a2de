import io
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from fewlabels import FewlabelsError, FewlabelsWarning
from fewlabels.tabular.inputs import beginning_of, check_input, from_standard_input


def test_what_is_not_a_file_is_called_what_it_is(tmp_path):
    (tmp_path / "points.csv").write_text("1,2\n")
    check_input(tmp_path / "points.csv", "give one")
    for path, said in (
        (tmp_path, "is a folder; name a file in it"),
        (Path(os.devnull), "is not a file but a device"),
        (tmp_path / "point.csv", r"no such file \(there is points.csv\); give one"),
        (tmp_path / "other.npy", r"no such file; give one"),
    ):
        with pytest.raises(FewlabelsError, match=said):
            check_input(path, "give one")


def given(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize(
    ("content", "ending"), [(b"1,2\n", ".csv"), (b"\x93NUMPY\x01", ".npy"), (b"PAR1..", ".parquet")]
)
def test_standard_input_is_a_file_with_the_fitting_ending_that_goes_again(monkeypatch, content, ending):
    given(monkeypatch, content)
    with from_standard_input("-") as path:
        assert path.suffix == ending == beginning_of(path)
        assert path.read_bytes() == content
    assert not path.exists()
    with from_standard_input("features.npy") as path:
        assert path == Path("features.npy")


def test_messages_call_it_standard_input(monkeypatch):
    given(monkeypatch, b"")
    with pytest.raises(FewlabelsError, match=r"^standard input: is odd"), from_standard_input("-") as path:
        raise FewlabelsError(f"{path}: is odd.")
    given(monkeypatch, b"")
    with pytest.warns(FewlabelsWarning, match=r"^standard input: well"), from_standard_input("-") as path:
        warnings.warn(f"{path}: well.", FewlabelsWarning, stacklevel=1)


def test_a_closed_standard_input_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FewlabelsError, match="standard input is closed"), from_standard_input("-"):
        pass


def test_an_archive_is_known_by_how_it_begins(tmp_path):
    np.savez(tmp_path / "x", X=np.eye(2))
    assert beginning_of(tmp_path / "x.npz") == ".npz"
