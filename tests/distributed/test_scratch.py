"""Blocks on disk, and the folders they are named by."""

import resource
from pathlib import Path

import numpy as np
import pytest

from fewlabels.distributed.scratch import key_of, load, load_rows, save, shape_of_file
from fewlabels.errors import FewlabelsError


def test_rows_of_a_block_are_read_and_no_others(tmp_path):
    X = np.arange(12.0).reshape(6, 2)
    save(tmp_path / "x.npy", X)
    np.testing.assert_array_equal(load(tmp_path / "x.npy"), X)
    np.testing.assert_array_equal(load_rows(tmp_path / "x.npy", 2, 4), X[2:4])
    assert load_rows(tmp_path / "x.npy", 4, 4).shape == (0, 2)
    assert shape_of_file(tmp_path / "x.npy")[0] == (6, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_a_folder_is_named_by_all_that_made_it():
    made = key_of("edges", Path("a/blocks-1"), np.arange(3), 2)
    assert made == key_of("edges", Path("b/blocks-1"), np.arange(3), 2)
    assert (
        len(
            {
                made,
                key_of("edges", Path("a/blocks-2"), np.arange(3), 2),
                key_of("edges", Path("a/blocks-1"), np.arange(4), 2),
            }
        )
        == 3
    )


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(FewlabelsError, match="make room"):
        save(tmp_path / "none" / "x.npy", np.ones(3))
    with pytest.raises(FewlabelsError, match="cannot be read"):
        load(tmp_path / "x.npy")


def test_a_block_that_is_cut_short_is_refused(tmp_path):
    save(tmp_path / "x.npy", np.arange(100.0))
    whole = (tmp_path / "x.npy").read_bytes()
    (tmp_path / "x.npy").write_bytes(whole[:-8])
    with pytest.raises(FewlabelsError, match="ends before"):
        load(tmp_path / "x.npy")


@pytest.mark.parametrize("size", [4_000, 19_900, 20_000, 23_000, 200_000])
def test_a_write_that_the_kernel_cuts_short_leaves_no_block(tmp_path, size):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, before[1]))
    try:
        with pytest.raises(FewlabelsError, match="make room"):
            save(tmp_path / "x.npy", np.ones(size, dtype=np.uint8))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
