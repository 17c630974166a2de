"""Run the command line as ``python -m fewlabels``."""

from fewlabels.cli import start

if __name__ == "__main__":
    start()
