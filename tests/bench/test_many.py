import json

import numpy as np
import pytest

from fewlabels import InterfaceLaplace, Seeds
from fewlabels.bench.many import main
from fewlabels.datasets import load_dataset


@pytest.mark.usefixtures("no_data")
def test_what_is_told_is_a_fit_of_so_many_labels(capsys):
    main(["digits", "40"])
    told = json.loads(capsys.readouterr().out)
    data = load_dataset("digits")
    nodes = np.random.default_rng(0).choice(data.y.size, size=40, replace=False)
    labels = InterfaceLaplace().scores(data.graph, Seeds.from_classes(nodes, data.y[nodes])).argmax(axis=1)
    assert told["m"] == 40
    assert told["accuracy"] == pytest.approx(np.mean(labels == data.y))
    assert told["gigabytes"] >= 0
