"""Label in a row over HTTP, as a person at the page would, and watch the memory and the time of the server.

Run: python benchmarks/page_load.py --labels 500            (scikit-learn's digits)
     python benchmarks/page_load.py --given 450 --labels 20 (what the labels after 450 random ones cost)
     python benchmarks/page_load.py --features X.npy --truth y.npy --labels 50
"""

from __future__ import annotations

import argparse
import os
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
        # a connection for every request: one that is kept is lost when either side is paused for a while
        alone = httpx.Limits(max_keepalive_connections=0)
        self._http = httpx.Client(base_url=f"http://{parts.netloc}", timeout=600, limits=alone)
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

    def recoloured(self) -> tuple[float, float]:
        """Wait for the answer to the newest label and take it; return when the first colours came, and the last."""
        before = self.get("/api/state")["version"]
        first = None
        while (state := self.get("/api/state"))["stale"] or state["solving"]:
            if first is None and state["version"] > before:
                self._http.get("/api/points").raise_for_status()
                first = time.perf_counter()
            time.sleep(0.01)
        self._http.get("/api/points").raise_for_status()
        last = time.perf_counter()
        return first or last, last

    def megabytes(self) -> float:
        """Return the memory of the server."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1e3

    def seconds(self) -> float:
        """Return the seconds of cores that the server has used; they do not depend on who else is at work."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def at_rest(self) -> float:
        """Return the memory of the server once it has nothing more to do."""
        while True:
            before = self.seconds()
            time.sleep(2.0)
            if self.seconds() - before < 0.05:
                return self.megabytes()

    def end(self) -> int:
        """End the server and return its exit code."""
        self._http.close()
        self.process.terminate()
        return self.process.wait(60)


def labelled(page: Page, truth: np.ndarray, labels: int) -> None:
    """Answer what is asked, so many times, and print how it went."""
    keys, glances, colours, memory, busy, rest = [], [], [], [], [page.seconds()], []
    warm = max(1, int(WARM * labels))
    for number in range(labels):
        if number == warm:
            rest.append(page.at_rest())
        node = page.cards()[0]["node"]
        start = time.perf_counter()
        page.label(node, str(truth[node]))
        page.cards()
        keys.append(time.perf_counter() - start)
        first, last = page.recoloured()
        glances.append(first - start)
        colours.append(last - start)
        memory.append(page.megabytes())
        busy.append(page.seconds())
    rest.append(page.at_rest())
    each = np.diff(busy)
    print(f"key press to next card: median {1e3 * np.median(keys):.0f} ms, worst {1e3 * max(keys):.0f} ms")
    print(f"first colours: median {np.median(glances):.2f} s, worst {max(glances):.2f} s")
    print(f"all points coloured anew: median {np.median(colours):.2f} s, worst {max(colours):.2f} s")
    for what, some in (
        (f"labels {warm} to {2 * warm}", slice(warm, 2 * warm)),
        (f"the last {warm}", slice(-warm, None)),
    ):
        print(f"  {what}: median {np.median(colours[some]):.2f} s, {np.mean(each[some]):.2f} s of cores a label")
    at_work = max(memory[warm : 2 * warm]), max(memory[-warm:])
    for what, (first, last) in (("at rest", rest), ("at most, while it works", at_work)):
        growth = 100 * (last / first - 1)
        print(f"memory {what}: {first:.0f} MB after {warm} labels, {last:.0f} MB after {labels}: {growth:+.1f}%")


def main() -> None:
    """Start the page, label, start it again, and print what both took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=500)
    parser.add_argument("--given", type=int, default=0, help="random labels to begin with")
    parser.add_argument("--features", type=Path, help="an .npy file (default: scikit-learn's digits)")
    parser.add_argument("--truth", type=Path, help="an .npy file with the class of every row")
    options = parser.parse_args()
    if options.features is None:
        from sklearn.datasets import load_digits

        X, truth = load_digits(return_X_y=True)
    else:
        X, truth = np.load(options.features), np.load(options.truth)
    with tempfile.TemporaryDirectory() as name:
        np.save(Path(name) / "X.npy", X)
        arguments = ["X.npy", *given(Path(name), truth, options.given)]
        page = Page(arguments, Path(name))
        try:
            page.cards()
            print(f"start to first card: {time.perf_counter() - page.begun:.1f} s")
            labelled(page, truth, options.labels)
            while not list(Path(name).glob("*.map.npz")):
                time.sleep(0.1)
        finally:
            print(f"ended with exit code {page.end()}")
        again = Page(arguments, Path(name))
        again.cards()
        print(f"start to first card with all that is kept: {time.perf_counter() - again.begun:.1f} s")
        again.end()


def given(folder: Path, truth: np.ndarray, count: int) -> list[str]:
    """Write labels of so many random rows into a file, and return its name; nothing for none."""
    if not count:
        return []
    rows = np.random.default_rng(0).permutation(len(truth))[:count]
    lines = [f"{row},{truth[row]}" for row in rows.tolist()]
    (folder / "labels.csv").write_text("\n".join(["row,label", *lines]))
    return ["labels.csv"]


if __name__ == "__main__":
    main()
