"""Features in pieces: files that go together, and those that do not."""

import numpy as np
import pytest

from fewlabels.distributed.sources import of_files, rows_of
from fewlabels.errors import FewlabelsError


def test_files_that_do_not_go_together_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.ones((4, 3)))
    np.save(tmp_path / "b.npy", np.ones((4, 2)))
    np.save(tmp_path / "c.npy", np.asfortranarray(np.ones((4, 3))))
    (tmp_path / "d.csv").write_text("1,2,3\n")
    for names, said in {("a", "b"): "has 2 features", ("a", "c"): "column by column"}.items():
        with pytest.raises(FewlabelsError, match=said):
            of_files(None, [tmp_path / f"{name}.npy" for name in names], 2**20)
    with pytest.raises(FewlabelsError, match="different endings"):
        of_files(None, [tmp_path / "a.npy", tmp_path / "d.csv"], 2**20)
    with pytest.raises(FewlabelsError, match="no such file"):
        of_files(None, [tmp_path / "e.csv"], 2**20)


def test_a_large_file_is_cut_into_pieces_and_rows_that_are_no_numbers_are_named(tmp_path):
    X = np.arange(40.0).reshape(10, 4)
    X[7, 2] = np.nan
    np.save(tmp_path / "a.npy", X)
    source = of_files(None, [tmp_path / "a.npy", tmp_path / "a.npy"], 3 * 4 * 8)
    assert [(piece.start, piece.stop, piece.first) for piece in source.pieces][3:5] == [(9, 10, 9), (0, 3, 10)]
    assert (source.n_points, source.n_features, source.itemsize) == (20, 4, 8)
    np.testing.assert_array_equal(rows_of(source.pieces[1], "euclidean"), X[3:6])
    with pytest.raises(FewlabelsError, match=r"rows from 6 on: the features of row 1 contain NaN"):
        rows_of(source.pieces[2], "euclidean")
