"""Install the wheel in fresh environments, on the lowest versions of pyproject.toml and on the newest, and try it.

    python3 tests/lowest_versions.py [lowest] [newest] [bare] [docs]

It builds source and wheel, lets twine look at both, and then tries, for each environment (all unless some are named):
"lowest" and "newest" have the extras fast, page and parquet, "bare" has none, "docs" builds the site on the lowest.
It needs `build` and `twine`, some gigabytes of disk and some minutes; pip fetches the packages.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = {"lowest": "fast,page,parquet", "newest": "fast,page,parquet", "bare": "", "docs": "docs"}
ON_LOWEST = {"lowest", "docs"}
SMOKE = """
import csv, sys, warnings
from importlib.metadata import version
warnings.simplefilter("error", RuntimeWarning)
import numpy as np
from sklearn.datasets import load_digits
import fewlabels
from fewlabels import FewLabelClassifier, FewLabelRegressor, Graph
from fewlabels.cli import main

X, truth = load_digits(return_X_y=True)
y = np.full(len(X), -1)
first = np.unique(truth, return_index=True)[1]
y[first] = truth[first]
model = FewLabelClassifier().fit(X, y)
assert np.mean(model.transduction_ == truth) > 0.85
assert model.predict_proba(X[:5]).shape == (5, 10)
model.add_labels(model.suggest(2), truth[model.suggest(2)])
values = np.where(np.arange(len(X)) % 9 == 0, truth, np.nan)
assert FewLabelRegressor("laplace").fit(X, values).score(X, truth.astype(float)) > 0.7
large = np.repeat(X, 3, axis=0) + np.random.default_rng(0).normal(size=(3 * len(X), 64))
for search in ("exact", "approximate"):
    found = FewLabelClassifier("poisson", search=search).fit(large, np.repeat(y, 3)).transduction_
    assert np.mean(found == np.repeat(truth, 3)) > 0.8
np.save("X.npy", X)
with open("labels.csv", "w") as file:
    file.write("row,label\\n" + "".join(f"{row},digit {truth[row]}\\n" for row in first))
kinds = ["csv", *(["parquet"] if "parquet" in sys.argv[1] else [])]
for kind in kinds:
    assert main(["label", "X.npy", "labels.csv", "--out", f"out.{kind}", "--report", f"{kind}.html", "--quiet"]) == 0
with open("out.csv", newline="") as file:
    assert len(list(csv.reader(file))) == 1798
assert main(["demo", "--out", "demo.html", "--quiet"]) == 0
if "page" in sys.argv[1]:
    fewlabels.page(X, y).close()
print(fewlabels.__version__, *(f"{name} {version(name)}" for name in sys.argv[2].split(",")))
"""


def main():
    """Try every environment that is named, and say at the end which failed."""
    wanted = sys.argv[1:] or list(ENVIRONMENTS)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        run(sys.executable, "-m", "build", "--outdir", room / "dist", ROOT)
        run(sys.executable, "-m", "twine", "check", "--strict", *(room / "dist").iterdir())
        for name in wanted:
            print(f"\n== {name}", flush=True)
            try:
                attempt(name, ENVIRONMENTS[name], room)
            except subprocess.CalledProcessError as error:
                failed.append(name)
                print(f"failed: {error}", flush=True)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nthe wheel works in all of them", flush=True)
    return bool(failed)


def attempt(name, extras, room):
    """Make an environment, install the wheel in it and try it."""
    wheel = next((room / "dist").glob("*.whl"))
    bounds = lowest(["", *extras.split(",")])
    place = room / name
    venv.create(place, with_pip=True)
    python = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pins = []
    if name in ON_LOWEST:
        (place / "lowest.txt").write_text("".join(f"{package}=={version}\n" for package, version in bounds.items()))
        pins = ["--constraint", place / "lowest.txt"]
    run(python, "-m", "pip", "install", "--quiet", *pins, f"{wheel}[{extras}]" if extras else wheel)
    if name == "docs":
        run(python, "-m", "sphinx", "-W", "-q", "-b", "html", ROOT / "docs", place / "site", cwd=place)
    else:
        (place / "smoke.py").write_text(SMOKE, encoding="utf-8")
        run(python, "smoke.py", extras, ",".join(bounds), cwd=place)


def lowest(extras):
    """Return the lowest version of every package that these extras need, "" being what is always needed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [line for extra in extras for line in needs(project, extra)]
    return dict(re.match(r"([\w-]+)>=([\w.]+)", line).groups() for line in lines)


def needs(project, extra):
    """Return the requirements of an extra, those of other extras that it names included."""
    found = []
    for line in project["optional-dependencies"][extra] if extra else project["dependencies"]:
        own = re.match(r"fewlabels\[(.*)\]", line)
        found += [each for other in own[1].split(",") for each in needs(project, other)] if own else [line]
    return found


def run(*command, cwd=None):
    """Run a command, and fail where it fails."""
    subprocess.run([str(part) for part in command], check=True, cwd=cwd)


if __name__ == "__main__":
    sys.exit(main())
