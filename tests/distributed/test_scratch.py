"""Blocks on disk, the folders they are named by, and clusters by name."""

import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fewlabels.distributed.blocks import bisected
from fewlabels.distributed.clusters import opened
from fewlabels.distributed.columns import _from_order, _in_order
from fewlabels.distributed.ranking import ranked_levels
from fewlabels.distributed.scratch import key_of, load, load_rows, save, shape_of_file
from fewlabels.distributed.sources import of_files
from fewlabels.errors import FewlabelsError, MissingExtraError


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


def test_blocks_are_balanced_and_lie_together():
    rng = np.random.default_rng(0)
    centres, weights = rng.normal(size=(400, 3)), rng.uniform(0.5, 1.5, 400)
    order, first = bisected(centres, weights, 7)
    assert sorted(order.tolist()) == list(range(400))
    sums = np.add.reduceat(weights[order], first[:-1])
    assert sums.max() / sums.mean() < 1.15
    spread = [centres[order[a:b]].var(axis=0).sum() for a, b in pairwise(first)]
    assert np.mean(spread) < 0.6 * centres.var(axis=0).sum()


def test_numbers_in_single_precision_sort_as_whole_numbers_do():
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32) * 1e-3
    np.testing.assert_array_equal(np.argsort(_in_order(values)), np.argsort(values))
    np.testing.assert_array_equal(_from_order(_in_order(values)), values)


def test_confidences_are_handed_out_in_the_order_of_worth():
    rng = np.random.default_rng(0)
    worth, sure = rng.integers(0, 50, 300) / 7.0, rng.uniform(size=300)
    levels, values = ranked_levels(worth, sure, np.ones(300))
    ordered, at = np.sort(sure), np.argsort(worth, kind="stable")
    expected = np.empty(300)
    expected[at] = ordered
    for level, value in zip(levels, values, strict=True):
        assert value == pytest.approx(expected[worth == level].mean())


@pytest.mark.parametrize(
    ("name", "memory", "said"),
    [
        ("nowhere", None, "not known"),
        ("local:0", None, "at least one worker"),
        ("local:2", "much", "not a size"),
        ("local:2", "10MB", "at least 512MB"),
        ("tcp://127.0.0.1:1", "1GB", "for workers on this machine"),
    ],
)
def test_clusters_that_cannot_be_are_refused(name, memory, said):
    with pytest.raises(FewlabelsError, match=said), opened(name, memory):
        raise AssertionError("opened")


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"fewlabels\[dask\]"), opened("local:1"):
        raise AssertionError("opened")


def test_the_package_imports_none_of_it():
    code = "import sys, fewlabels, fewlabels.cli; print([m for m in ('dask', 'distributed') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


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
