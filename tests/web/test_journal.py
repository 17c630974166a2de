import errno
import json
import os
import subprocess

import pytest

from fewlabels import FewlabelsError
from fewlabels.web.journal import Journal, JournalError

ORIGIN = {"points": 5, "features": "abc"}


@pytest.fixture(name="path")
def _path(tmp_path):
    return tmp_path / "labels.jsonl"


def opened(path, origin=ORIGIN):
    journal = Journal(path, origin)
    journal.close()
    return journal.entries


def written(path, *entries):
    journal = Journal(path, ORIGIN)
    for entry in entries:
        journal.append(entry)
    journal.close()


def test_lines_come_back_in_order_whatever_they_hold(path):
    entries = [{"a": "ü\u2028\r\n\u0000"}, {"b": [1, 2]}, {}]
    written(path, *entries)
    assert opened(path) == entries
    written(path, {"c": 1})
    assert opened(path) == [*entries, {"c": 1}]


def test_a_line_that_was_torn_by_a_kill_is_cut_off(path):
    written(path, {"a": 1}, {"b": 2})
    whole = path.read_bytes()
    for length in range(whole.rindex(b'{"b"') + 1, len(whole)):
        path.write_bytes(whole[:length])
        assert opened(path) == [{"a": 1}]
        assert path.read_bytes() == whole[: whole.rindex(b'{"b"')]


def test_a_first_line_that_was_torn_begins_anew(path):
    written(path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert opened(path) == []
        assert path.read_bytes() == whole


@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b'{"a":1', b"\xff\xfe", b""])
def test_any_other_damage_is_one_sentence_and_changes_nothing(path, line):
    written(path, {"a": 1})
    path.write_bytes(path.read_bytes() + line + b"\n" + b'{"b":2}\n')
    before = path.read_bytes()
    with pytest.raises(FewlabelsError, match="line 3 is damaged; restore"):
        opened(path)
    assert path.read_bytes() == before


def test_the_journal_of_other_data_is_refused_and_left_alone(path):
    written(path, {"a": 1})
    before = path.read_bytes()
    with pytest.raises(FewlabelsError, match="belongs to other features; give those it was begun with"):
        opened(path, ORIGIN | {"features": "abd"})
    path.write_text("id,label\n3,cat\n")
    with pytest.raises(FewlabelsError, match="not a journal of the labelling page"):
        opened(path)
    assert path.read_text() == "id,label\n3,cat\n"
    path.write_bytes(before)
    assert opened(path) == [{"a": 1}]


def test_a_second_page_on_one_journal_is_refused(path):
    first = Journal(path, ORIGIN)
    with pytest.raises(FewlabelsError, match="another page has this journal open; close that page"):
        Journal(path, ORIGIN)
    first.append({"a": 1})
    first.close()
    assert opened(path) == [{"a": 1}]


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(FewlabelsError, match="cannot be opened"):
        Journal(tmp_path / "none" / "labels.jsonl", ORIGIN)


def test_a_line_that_does_not_reach_the_disk_is_not_there(path, monkeypatch):
    journal = Journal(path, ORIGIN)
    journal.append({"a": 1})
    whole, true_write = path.read_bytes(), os.write

    def half(descriptor, data):
        if len(data) > 1:
            return true_write(descriptor, bytes(data)[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(JournalError, match=r"No space left on device.*nothing was changed"):
        journal.append({"b": 2})
    assert path.read_bytes() == whole
    monkeypatch.undo()
    journal.append({"c": 3})
    journal.close()
    assert opened(path) == [{"a": 1}, {"c": 3}]


def test_a_file_that_cannot_be_cut_back_is_not_written_to_any_more(path, monkeypatch):
    journal = Journal(path, ORIGIN)

    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(JournalError, match="Input/output error"):
        journal.append({"a": 1})
    monkeypatch.undo()
    with pytest.raises(JournalError, match="start again"):
        journal.append({"b": 2})
    journal.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="a small disk is mounted by root alone")
def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], check=False)
    if mount.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        journal, kept = Journal(disk / "labels.jsonl", ORIGIN), []

        def fill():
            for number in range(100_000):
                journal.append({"number": number, "label": "x" * 500})
                kept.append(number)

        with pytest.raises(JournalError, match="No space left"):
            fill()
        journal.close()
        assert [entry["number"] for entry in opened(disk / "labels.jsonl")] == kept
        assert len(kept) > 10
        for line in (disk / "labels.jsonl").read_text().splitlines():
            json.loads(line)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize(
    "text", [b'{"precious":1}', b"notes without an end", b'{"journal":"fewlabels journal 1","points":4']
)
def test_a_file_of_somebody_else_without_an_end_is_refused_and_stays(path, text):
    path.write_bytes(text)
    with pytest.raises(FewlabelsError, match="is not a journal"):
        Journal(path, ORIGIN)
    assert path.read_bytes() == text


def test_a_journal_of_an_earlier_version_tells_less_and_goes_on(path):
    written(path, {"a": 1})
    assert opened(path, ORIGIN | {"ids": "new"}) == [{"a": 1}]
