"""The command line, one file per command: fewlabels label, page, demo, bench, features and paper."""

from fewlabels.cli.main import main

__all__ = ["main"]
