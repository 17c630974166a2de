import numpy as np
import pytest

from fewlabels.cli import main
from fewlabels.experiments.confidence import calibration_error

pytestmark = pytest.mark.usefixtures("no_data")


def test_the_confidence_study_measures_against_the_truth(tmp_path, capsys):
    command = ["paper", "confidence", "--dataset", "digits", "--trials", "2", "--rates", "1", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr().out
    rows = {line.split("|")[1].strip(): float(line.split("|")[2].split()[0]) for line in said.splitlines()[4:13]}
    assert 80 < rows["accuracy"] < 100
    assert rows["calibration error"] < 15
    assert rows["accuracy of the first 50% by confidence"] >= rows["accuracy of the first 50% by margin"] - 1
    assert (tmp_path / "confidence-digits.png").exists()


def test_calibration_error_is_zero_when_confidence_is_right():
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.3, 1.0, size=200_000)
    assert calibration_error(sure, rng.random(sure.size) < sure) < 0.6
    assert calibration_error(np.full(10, 0.8), np.zeros(10, dtype=bool)) == pytest.approx(80.0)
