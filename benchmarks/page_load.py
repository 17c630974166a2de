"""Label in a row over HTTP, as a person at the page would, and watch the memory and the time of the server.

Run: python benchmarks/page_load.py --labels 500            (scikit-learn's digits)
     python benchmarks/page_load.py --features X.npy --truth y.npy --labels 50
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np

WARM = 0.1
"""The share of the labels after which memory is compared with that at the end: buffers are there by then."""


class Page:
    """The page of one process, seen from outside."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self.begun = time.perf_counter()
        command = [sys.executable, "-m", "fewlabels", "page", "--no-browser", "--quiet", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        parts = urlsplit(self.process.stdout.readline().strip())
        self._http = httpx.Client(base_url=f"http://{parts.netloc}", timeout=60)
        self._headers = {"Origin": f"http://{parts.netloc}", "X-Fewlabels": "1"}
        self._http.get("/?" + parts.query)

    def get(self, path: str) -> Any:
        """Return what is told, decoded."""
        return self._http.get(path).raise_for_status().json()

    def cards(self) -> list[Any]:
        """Return the cards of what is asked next, once there are any."""
        while not (found := self.get("/api/cards?view=next")["cards"]):
            time.sleep(0.02)
        return list(found)

    def label(self, node: int, name: str) -> None:
        """Give a label."""
        body = {"id": uuid.uuid4().hex, "kind": "label", "nodes": [node], "label": name}
        self._http.post("/api/actions", json=body, headers=self._headers).raise_for_status()

    def recoloured(self) -> None:
        """Wait for the answer to the newest label and take it."""
        while (state := self.get("/api/state"))["stale"] or state["solving"]:
            time.sleep(0.01)
        self._http.get("/api/points").raise_for_status()

    def megabytes(self) -> float:
        """Return the memory of the server."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1e3

    def end(self) -> int:
        """End the server and return its exit code."""
        self._http.close()
        self.process.terminate()
        return self.process.wait(60)


def labelled(page: Page, truth: np.ndarray, labels: int) -> None:
    """Answer what is asked, so many times, and print how it went."""
    keys, colours, memory = [], [], []
    for _ in range(labels):
        node = page.cards()[0]["node"]
        start = time.perf_counter()
        page.label(node, str(truth[node]))
        page.cards()
        keys.append(time.perf_counter() - start)
        page.recoloured()
        colours.append(time.perf_counter() - start)
        memory.append(page.megabytes())
    warm = max(1, int(WARM * labels))
    first, last = colours[warm : 2 * warm], colours[-warm:]
    print(f"key press to next card: median {1e3 * np.median(keys):.0f} ms, worst {1e3 * max(keys):.0f} ms")
    print(f"all points coloured anew: median {np.median(colours):.2f} s, worst {max(colours):.2f} s")
    print(f"  labels {warm} to {2 * warm}: median {np.median(first):.2f} s; the last {warm}: {np.median(last):.2f} s")
    growth = 100 * (memory[-1] / memory[warm - 1] - 1)
    print(f"memory after {warm} labels {memory[warm - 1]:.0f} MB, after {labels} {memory[-1]:.0f} MB: {growth:+.1f}%")


def main() -> None:
    """Start the page, label, start it again, and print what both took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=500)
    parser.add_argument("--features", type=Path, help="an .npy file (default: scikit-learn's digits)")
    parser.add_argument("--truth", type=Path, help="an .npy file with the class of every row")
    options = parser.parse_args()
    if options.features is None:
        from sklearn.datasets import load_digits

        truth, arguments = load_digits().target, ["--demo"]
    else:
        truth, arguments = np.load(options.truth), [str(options.features.resolve()), "--journal", "labels.jsonl"]
    with tempfile.TemporaryDirectory() as name:
        page = Page(arguments, Path(name))
        page.cards()
        print(f"start to first card: {time.perf_counter() - page.begun:.1f} s")
        labelled(page, truth, options.labels)
        while not list(Path(name).glob("*.map.npz")):
            time.sleep(0.1)
        print(f"ended with exit code {page.end()}")
        again = Page(arguments, Path(name))
        again.cards()
        print(f"start to first card with all that is kept: {time.perf_counter() - again.begun:.1f} s")
        again.end()


if __name__ == "__main__":
    main()
