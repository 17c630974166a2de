import json
import subprocess
import sys

import numpy as np
import pytest

from fewlabels.bench.growth import main, mixture, peak_gigabytes


def test_the_mixture_has_its_classes():
    X, y = mixture(500)
    assert X.shape == (500, 64)
    assert set(y) == set(range(10))


def test_a_size_is_measured_from_features_to_the_next_question(capsys):
    main(["400", "exact"])
    told = json.loads(capsys.readouterr().out)
    stages = ("neighbours", "graph", "first fit", "second fit", "fresh answer", "one more label", "next question")
    assert all(told[stage] > 0 for stage in stages)
    assert told["n"] == 400


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the count goes on from the process that started it")
def test_the_peak_is_that_of_this_program_not_of_the_one_that_started_it():
    held = np.ones(60_000_000)
    told = subprocess.run(
        [sys.executable, "-c", "from fewlabels.bench.growth import peak_gigabytes; print(peak_gigabytes())"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert float(told.stdout) < held.nbytes / 1e9 < peak_gigabytes()
