"""How fast: ours, the textbook, the peers and the machine's limit, side by side in one run, as ratios."""

from fewlabels.bench.measure import Measurement, Report, run_bench, stages

__all__ = ["Measurement", "Report", "run_bench", "stages"]
