"""Clusters by name, refused where they cannot be, and not imported where they are not wanted."""

import subprocess
import sys

import pytest

from fewlabels.distributed.clusters import opened, shared_scratch
from fewlabels.errors import FewlabelsError, MissingExtraError


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
    with pytest.raises(MissingExtraError, match=r"\.\[dask\]"), opened("local:1"):
        raise AssertionError("opened")


def test_the_package_imports_none_of_it():
    code = "import sys, fewlabels, fewlabels.cli; print([m for m in ('dask', 'distributed') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_folders_that_are_no_shared_disk_are_refused(client, tmp_path):
    from pathlib import Path

    with pytest.raises(FewlabelsError, match="shared disk"):
        shared_scratch(client, Path("s3://bucket/blocks"))
    (tmp_path / "file").write_text("")
    with pytest.raises(FewlabelsError, match="cannot be written"):
        shared_scratch(client, tmp_path / "file" / "blocks")
    assert shared_scratch(client, tmp_path / "new") == tmp_path / "new"
    assert list((tmp_path / "new").iterdir()) == []


def test_a_worker_of_this_machine_is_not_given_up_while_it_is_being_started_again():
    import dask

    with opened("local:1"):
        timeout = dask.config.get("distributed.deploy.lost-worker-timeout")
        assert dask.utils.parse_timedelta(timeout) >= 3600, "a second loss within it would be the end of the worker"
