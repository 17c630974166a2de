from fewlabels.datasets import data_folder


def test_the_folder_is_the_one_that_is_named(folder, monkeypatch):
    assert data_folder() == folder
    monkeypatch.delenv("FEWLABELS_DATA")
    assert data_folder().name == "fewlabels"
