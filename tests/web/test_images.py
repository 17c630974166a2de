import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.web.images import ArrayImages, FolderImages, raster_type
from fewlabels.web.png import png

PICTURE = png(np.zeros((2, 2), dtype=np.uint8))


@pytest.fixture(name="folder")
def _folder(tmp_path):
    folder = tmp_path / "images"
    folder.mkdir()
    return folder


def fill(folder, *names):
    for name in names:
        (folder / name).write_bytes(PICTURE + name.encode())


def shown(images, row):
    found = images.of(row)
    return None if found is None else found.data[len(PICTURE) :].decode()


def test_files_are_matched_by_id_by_row_or_by_order(folder):
    fill(folder, "a.png", "b.jpg", "c.PNG")
    strangers = FolderImages(folder, ["x", "y", "z"], 3)
    assert [shown(strangers, row) for row in range(3)] == ["a.png", "b.jpg", "c.PNG"]
    some = FolderImages(folder, ["c", "x", "a"], 3)
    assert [shown(some, row) for row in range(3)] == ["c.PNG", None, "a.png"]
    by_id = FolderImages(folder, ["c", "b", "a", "x"], 4)
    assert [shown(by_id, row) for row in range(4)] == ["c.PNG", "b.jpg", "a.png", None]
    assert [by_id.has(row) for row in range(4)] == [True, True, True, False]
    whole = FolderImages(folder, ["b.jpg", "c", "a"], 3)
    assert [shown(whole, row) for row in range(3)] == ["b.jpg", "c.PNG", "a.png"]


def test_numbered_files_are_rows_or_stand_in_natural_order(folder):
    fill(folder, "2.png", "10.png", "1.png")
    assert [shown(FolderImages(folder, None, 3), row) for row in range(3)] == ["1.png", "2.png", "10.png"]
    assert shown(FolderImages(folder, None, 11), 10) == "10.png"


def test_a_folder_that_fits_nothing_is_refused(folder):
    fill(folder, "a.png")
    with pytest.raises(FewlabelsError, match=r"none of its 1 images is named by an id.*\(0.png\)"):
        FolderImages(folder, None, 5)
    with pytest.raises(FewlabelsError, match="no such folder"):
        FolderImages(folder / "none", None, 5)


def test_links_that_lead_out_are_not_followed(folder, tmp_path):
    (tmp_path / "secret.png").write_bytes(PICTURE)
    (folder / "0.png").symlink_to(tmp_path / "secret.png")
    fill(folder, "1.png")
    (folder / "2.png").symlink_to(folder / "1.png")
    (folder / "deeper").mkdir()
    (folder / "deeper" / "x.png").write_bytes(PICTURE)
    (folder / "3.png").symlink_to(folder / "deeper" / "x.png")
    (folder / "4.png").symlink_to(folder / "nothing")
    images = FolderImages(folder, None, 9)
    assert [images.of(row) is not None for row in range(5)] == [False, True, True, False, False]


def test_a_file_is_what_its_first_bytes_say(folder):
    (folder / "0.png").write_text("<svg onload='alert(1)'/>")
    (folder / "1.png").write_text("<!doctype html><script>alert(1)</script>")
    (folder / "2.gif").write_bytes(PICTURE)
    (folder / "3.png").mkdir()
    (folder / "4.png").write_bytes(b"")
    images = FolderImages(folder, None, 9)
    assert [images.of(row) is None for row in range(5)] == [True, True, False, True, True]
    assert images.of(2).kind == "image/png"
    webp, bmp = b"RIFF\x00\x00\x00\x00WEBPVP8 ", b"BM1234"
    assert [raster_type(data) for data in (b"\xff\xd8\xff\xe0", webp, bmp, b"RIFF1234WAVE", b"%PDF")] == [
        "image/jpeg",
        "image/webp",
        "image/bmp",
        None,
        None,
    ]


def test_a_huge_file_is_not_read(folder, monkeypatch):
    fill(folder, "0.png")
    monkeypatch.setattr("fewlabels.web.images.MOST_BYTES", 10)
    assert FolderImages(folder, None, 2).of(0) is None


def test_arrays_of_any_range_are_images():
    pixels = np.array([[[-1.0, 0.0]], [[np.nan, 1.0]]])
    images = ArrayImages(np.nan_to_num(pixels), 2)
    assert raster_type(images.of(0).data) == "image/png"
    assert images.has(1)
    assert not images.has(2)
    assert ArrayImages(np.zeros((2, 3, 3)), 2).of(1).data == png(np.zeros((3, 3), dtype=np.uint8))
    with pytest.raises(FewlabelsError, match="for 3 points"):
        ArrayImages(pixels, 3)
