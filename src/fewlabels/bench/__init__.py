"""How fast: ours, the textbook, the peers and the machine's limit, side by side in one run, as ratios."""

from fewlabels.bench.measure import PARTS, run_bench, stages
from fewlabels.bench.record import Measurement, Report

__all__ = ["PARTS", "Measurement", "Report", "run_bench", "stages"]
