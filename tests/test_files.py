import stat

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.files import digest, load_arrays, replacing, save_arrays


def test_a_block_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")

    def half_written():
        with replacing(path) as file:
            file.write(b"new")
            raise KeyError("half way")

    with pytest.raises(KeyError, match="half way"):
        half_written()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_stands_until_the_block_ends_and_lends_its_permissions(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FewlabelsError, match="choose a folder that exists"), replacing(tmp_path / "gone" / "a.txt"):
        pass


@pytest.mark.parametrize("compress", [True, False])
def test_arrays_come_back_as_they_were(tmp_path, compress):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array(["x", "yy"]), "c": np.zeros(0, dtype=np.int8)}
    save_arrays(tmp_path / "arrays.npz", arrays, compress=compress)
    again = load_arrays(tmp_path / "arrays.npz", "some arrays")
    assert list(again) == ["a", "b", "c"]
    for name, array in arrays.items():
        assert again[name].dtype == array.dtype
        np.testing.assert_array_equal(again[name], array)


def test_a_single_array_or_a_pickle_is_no_archive_of_arrays(tmp_path):
    np.save(tmp_path / "one.npy", np.arange(3))
    with pytest.raises(FewlabelsError, match=r"not an \.npz archive.*; expected some arrays"):
        load_arrays(tmp_path / "one.npy", "some arrays")
    np.savez(tmp_path / "objects.npz", a=np.array([{}], dtype=object))
    with pytest.raises(FewlabelsError, match="make it again"):
        load_arrays(tmp_path / "objects.npz", "some arrays")


@pytest.mark.parametrize(
    "other",
    [
        {"b": np.arange(6)},
        {"a": np.arange(6.0)},
        {"a": np.arange(6).reshape(2, 3)},
        {"a": np.array([0, 1, 2, 3, 4, 6])},
        {"a": np.arange(6), "b": np.arange(1)},
    ],
    ids=["name", "type", "shape", "contents", "one more"],
)
def test_the_checksum_tells_any_change_and_not_the_order_in_memory(other):
    square = np.arange(6).reshape(2, 3)
    assert digest({"a": np.arange(6)}) != digest(other)
    assert digest({"a": np.zeros(6)}) != digest({"a": np.zeros(6, dtype=int)}), "the same bytes of another type"
    assert digest({"a": square}) == digest({"a": np.asfortranarray(square)})
