import sys
from pathlib import Path

import numpy as np
import pytest

from fewlabels.web import memory
from fewlabels.web.memory import give_back


def resident():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) / 1e3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is nothing to ask elsewhere")
def test_what_is_free_goes_back_to_the_system():
    if not give_back():
        pytest.skip("this C library keeps nothing")
    many = [np.ones(10_000) for _ in range(2000)]  # 160 MB in pieces that are not mapped one by one
    last = np.ones(10_000)
    del many
    before = resident()
    assert give_back()
    assert resident() < before - 20
    assert last.sum() == 10_000


def test_where_it_cannot_be_asked_nothing_happens(monkeypatch):
    monkeypatch.setattr(memory.sys, "platform", "win32")
    memory._library.cache_clear()
    assert not give_back()
    memory._library.cache_clear()
