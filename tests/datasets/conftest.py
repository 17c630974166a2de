import pytest


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    """An empty data folder."""
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    return tmp_path
