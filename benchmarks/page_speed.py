"""Measure the labelling page in a browser on MNIST: start, key press to next card, label to map recoloured.

Run: FEWLABELS_DATA=... python benchmarks/page_speed.py   (needs the extra 'test' and Chromium)
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ARGUMENTS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
PATIENCE = 300_000
WATCH = """
window.pressed = 0;
window.cards = [];
window.versions = [];
document.addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
document.addEventListener("DOMContentLoaded", () => {
  const painted = (then) => requestAnimationFrame(() => setTimeout(then));
  new MutationObserver(() => {
    const since = window.pressed;
    painted(() => window.cards.push(performance.now() - since));
  }).observe(document.querySelector("#focus"), { attributeFilter: ["data-node"] });
  const map = document.querySelector("#map");
  new MutationObserver(() => window.versions.push([Number(map.dataset.version), performance.now()]))
    .observe(map, { attributeFilter: ["data-version"] });
});
"""
LOOKS_APART = 0.25
"""Seconds between two looks at what the server says; the page notes itself when it was drawn, and a look costs time."""
STATE = """async () => {
  const busy = !document.querySelector("#solving").hidden;
  return { ...(await (await fetch("/api/state")).json()), busy };
}"""


class Window:
    """The page in a browser, and the command behind it."""

    def __init__(self, browser: Any, folder: Path, truth: np.ndarray) -> None:
        self.truth = truth
        self.since = time.perf_counter()
        command = [sys.executable, "-m", "fewlabels", "page", "mnist.npy", "--port", "0", "--no-browser", "--quiet"]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.page = browser.new_page(viewport={"width": 1400, "height": 900})
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(WATCH)
        self.page.goto(self.process.stdout.readline().strip())
        self.page.wait_for_selector("#focus[data-node]")
        self.first_card = time.perf_counter() - self.since

    def __enter__(self) -> Window:
        """Hand out the window; the command behind it ends with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.page.close()
        self.process.terminate()
        self.process.wait()

    def press(self) -> None:
        """Label the present card as it truly is, by its key or by naming the class."""
        node = self.page.wait_for_selector("#focus[data-node]").get_attribute("data-node")
        name = f"digit {self.truth[int(node)]}"
        key = self.page.locator(f"#class-list li[data-name='{name}'] kbd")
        if key.count():
            self.page.keyboard.press(key.text_content().lower())
        else:
            self.page.keyboard.press("n")
            self.page.keyboard.type(name)
            self.page.keyboard.press("Enter")
        while self.page.get_attribute("#focus", "data-node") == node:
            time.sleep(0.005)

    def settled(self) -> int:
        """Wait until the server has answered everything and the map shows it; return the version."""
        while True:
            state = self.page.evaluate(STATE)
            drawn = int(self.page.get_attribute("#map", "data-version") or 0)
            if (
                not (state["busy"] or state["stale"] or state["solving"] or state["stage"])
                and drawn >= state["version"]
            ):
                return int(state["version"])
            time.sleep(LOOKS_APART)


def cards(window: Window, count: int) -> list[float]:
    """Return milliseconds from key press to the next card painted, while labels are being spread."""
    window.page.evaluate("() => { window.cards.length = 0; }")
    for _ in range(count):
        window.press()
        time.sleep(0.25)
    return [float(each) for each in window.page.evaluate("window.cards")][:count]


def recolourings(window: Window, count: int) -> list[float]:
    """Return seconds from key press to the map drawn with the answer, one label at a time."""
    found = []
    for _ in range(count):
        window.settled()
        window.page.evaluate("() => { window.versions.length = 0; }")
        window.press()
        pressed = window.page.evaluate("window.pressed")
        version = window.settled()
        drawn = next(at for shown, at in window.page.evaluate("window.versions") if shown >= version)
        found.append((drawn - pressed) / 1000)
    return found


def main() -> None:
    """Run everything and print a table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=50)
    parser.add_argument("--recolourings", type=int, default=15)
    options = parser.parse_args()
    data = Path(os.environ["FEWLABELS_DATA"])
    with np.load(data / "mnist_labels.npz") as file:
        truth = file["y"].astype(int)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        with np.load(data / "mnist_features.npz") as file:
            np.save(Path(name) / "mnist.npy", file["Z"])
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        with Window(browser, Path(name), truth) as window:
            without = window.first_card
            window.settled()
            for _ in range(20):
                window.press()
            window.settled()
            pressed = cards(window, options.presses)
            recoloured = recolourings(window, options.recolourings)
        with Window(browser, Path(name), truth) as again:
            pass
        for journal in Path(name).glob("*.labels.jsonl"):
            journal.unlink()
        with Window(browser, Path(name), truth) as unlabelled:
            pass
        browser.close()
    print(f"| {len(truth):,} points, in the browser | median | worst |\n|---|---|---|")
    print(
        f"| key press to next card, {len(pressed)} keys | {statistics.median(pressed):.0f} ms | {max(pressed):.0f} ms |"
    )
    middle = statistics.median(recoloured)
    print(f"| label to map recoloured, {len(recoloured)} labels | {middle:.2f} s | {max(recoloured):.2f} s |")
    print(f"| start to first card, nothing kept | {without:.1f} s | |")
    print(f"| start to first card, graph and map kept | {unlabelled.first_card:.1f} s | |")
    print(f"| start to first card, graph, map and labels kept | {again.first_card:.1f} s | |")


if __name__ == "__main__":
    main()
