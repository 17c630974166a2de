import pytest
from gallery import some_images

from fewlabels.cli import main
from fewlabels.datasets import load_dataset


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    """An empty data folder."""
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    return tmp_path


def test_pixels_become_a_data_set(folder, capsys):
    some_images(folder)
    assert main(["features", "toy", "--model", "pixels"]) == 0
    data = load_dataset("toy")
    assert data.features.shape == (300, 36)
    assert data.features.max() <= 1.0
    assert data.neighbors.n_neighbors == 30
    assert main(["features", "toy", "--model", "pixels"]) == 2
    assert "is there already" in capsys.readouterr().err
