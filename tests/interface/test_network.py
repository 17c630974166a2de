import sys

import pytest
from gallery import SEEDS, blob_points

from fewlabels import FewlabelsError, InterfaceLaplaceNetwork


def test_the_network_without_torch_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FewlabelsError, match=r"pip install '\.\[torch\]'"):
        InterfaceLaplaceNetwork(features=blob_points()[0]).scores(graph, SEEDS)
