"""Pages to look at: they show what was computed and never compute labels themselves."""

from fewlabels.report.layout import flat_map
from fewlabels.report.pages import Accuracy, DemoResult, Labelling, demo_page, labelling_page

__all__ = ["Accuracy", "DemoResult", "Labelling", "demo_page", "flat_map", "labelling_page"]
