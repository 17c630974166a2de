"""Files of every kind, most of them broken, given to `fewlabels label`: it answers, or refuses in one sentence.

Run: python tests/random_files.py --count 10000 --seed 0
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from fewlabels.bench.growth import peak_gigabytes
from fewlabels.cli import main as run

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = pq = None

MOST_GIGABYTES = 2.0
KINDS = []
NUMBERS = ["1", "2.5", "-3e2", "0", "7", " 8 ", "1e308", "0.001"]
ODD = ["nan", "inf", "", "x", "1,5", "1_0", "\u0661", "1e999", '"', "NULL", "-", "\0", "0x10", "é", "9" * 40]
TYPES = ["i1", "u8", "f2", "f4", "f8", "?", "c8", "U3", "S2", "M8[s]", "m8[D]", "V3", "O", "f16", ">f4"]


def kind(make):
    """Add a kind of file."""
    KINDS.append(make)
    return make


@kind
def some_bytes(rng):
    """Bytes that mean nothing, under any name."""
    start = rng.choice(
        [b"", b"\x93NUMPY", b"PK\x03\x04", b"PAR1", b"\xff\xfe", b"\xef\xbb\xbf", b"\x93NUMPY\x01\x00\xff\xff"]
    )
    return _ending(rng), start + rng.bytes(int(rng.integers(0, 400)))


@kind
def separated(rng):
    """Text in some dialect and encoding, with a cell or a line that is out of place now and then."""
    between, n, d = str(rng.choice([",", ";", "\t", " ", "|", "  ", ", "])), *map(int, rng.integers([0, 1], [30, 6]))
    odd = rng.choice([0.0, 0.0, 0.0, 0.02, 0.3])
    comma = between == ";" and rng.random() < 0.5
    lines = []
    if rng.random() < 0.5:
        lines.append(between.join(rng.choice(["x", "y", "id", "label", "row", "", "0", "1", "name", "a b"], size=d)))
    for row in range(n):
        cells = [_cell(rng, row, odd) for _ in range(d + int(rng.random() < odd / 4))]
        lines.append(between.join(cell.replace(".", ",") if comma else cell for cell in cells))
    text = str(rng.choice(["\n", "\r\n", "\r"])).join(lines) + str(rng.choice(["\n", "", "\n\n"]))
    code = rng.choice(
        ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "cp1252"], p=[0.6, 0.1, 0.1, 0.1, 0.05, 0.05]
    )
    return rng.choice([".csv", ".tsv", ".txt", ".CSV"]), text.encode(code, "replace")


@kind
def an_array(rng):
    """An array of any type and shape as .npy, whole or cut off."""
    file = io.BytesIO()
    with contextlib.suppress(Exception):
        np.save(file, _array(rng), allow_pickle=True)
    return rng.choice([".npy", ".npy", ".npy", ".npz", ".csv"]), _cut(rng, file.getvalue())


@kind
def an_archive(rng):
    """Arrays of any type as .npz, whole, cut off or altered; now and then a sparse matrix that does not fit."""
    file, names = io.BytesIO(), rng.choice(["X", "Z", "ids", "y", "features", "data", "id"], size=2, replace=False)
    arrays = {str(name): _array(rng) for name in names}
    if rng.random() < 0.4:
        n, d = (int(each) for each in rng.integers(1, 12, size=2))
        entries = rng.integers(0, 20)
        arrays = {
            "data": rng.normal(size=entries),
            "indices": rng.integers(-1, 14, size=entries),
            "indptr": np.sort(rng.integers(0, entries + 1, size=n + rng.integers(0, 3))),
            "shape": np.array([n, d] if rng.random() < 0.9 else [n, d, 2**40]),
            "format": np.array(rng.choice(["csr", "csc", "coo", "bsr"])),
        }
    with contextlib.suppress(Exception):
        np.savez(file, **arrays)
    return ".npz", _cut(rng, file.getvalue())


@kind
def a_table(rng):
    """A .parquet file with columns of any type, whole, cut off or altered."""
    if pq is None:
        return some_bytes(rng)
    n, columns = int(rng.integers(0, 30)), {}
    for _ in range(int(rng.integers(1, 5))):
        name = str(rng.choice(["x", "y", "id", "label", "row", "z", ""]))
        columns[name] = _column(rng, n)
    file = io.BytesIO()
    with contextlib.suppress(Exception):
        pq.write_table(pa.table(columns), file)
    return ".parquet", _cut(rng, file.getvalue())


def _ending(rng):
    return rng.choice([".csv", ".npy", ".npz", ".parquet", ".txt", ".tsv", "", ".xlsx", ".NPY"])


def _cell(rng, row, odd):
    if rng.random() < odd:
        return str(rng.choice(ODD))
    return str(row) if rng.random() < 0.1 else str(rng.choice(NUMBERS)) if rng.random() < 0.3 else f"{rng.normal():.3f}"


def _array(rng):
    shapes = [(12, 3), (30, 2), (40, 1), (6, 2, 2)] * 4 + [(), (0,), (5,), (1, 4), (0, 3), (4, 0)]
    shape = shapes[rng.integers(len(shapes))]
    values = rng.integers(-3, 4, size=shape) + (rng.random(shape) if rng.random() < 0.7 else 0.0)
    if rng.random() < 0.1 and values.size:
        values = np.where(rng.random(shape) < 0.1, rng.choice([np.nan, np.inf, 1e300]), values)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(values).astype(TYPES[rng.integers(len(TYPES))] if rng.random() < 0.3 else "f8", order="F")


def _column(rng, n):
    choices = [
        rng.normal(size=n),
        rng.integers(0, 5, size=n),
        [None if rng.random() < 0.5 else float(i % 3) for i in range(n)],
        [str(rng.choice(["ant", "bee", "", " "])) for _ in range(n)],
        [[1.0, float(i)] for i in range(n)],
        [[1.0] * int(rng.integers(0, 3)) for _ in range(n)],
        [{"a": 1}] * n,
        [b"\xff"] * n,
        [True] * n,
        np.arange(n),
        np.full(n, "2020-01-01", dtype="M8[D]"),
        [None] * n,
    ]
    return choices[rng.integers(len(choices))]


def _cut(rng, content):
    """Return the content whole, cut off, or with some bytes altered."""
    how = rng.integers(6) - 2
    if how < 2 or not content:
        return content
    if how == 2:
        return content[: int(rng.integers(len(content)))]
    altered = bytearray(content)
    for place in rng.integers(len(content), size=int(rng.integers(1, 5))):
        altered[place] = int(rng.integers(256))
    return bytes(altered)


def check(make, seed, folder):
    """Give one file to the command, as features or as labels, and hold it to its word."""
    rng = np.random.default_rng([KINDS.index(make), seed])
    ending, content = make(rng)
    for old in folder.iterdir():
        old.unlink()
    odd, other = folder / f"odd{ending}", folder / "good.csv"
    odd.write_bytes(content)
    if rng.random() < 0.75:
        other.write_text("row,label\n0,ant\n1,bee\n", encoding="utf-8")
        files = [str(odd), str(rng.choice([str(other), "label"], p=[0.9, 0.1]))]
    else:
        other.write_text("\n".join(f"{x:.3f},{y:.3f}" for x, y in rng.normal(size=(30, 2))), encoding="utf-8")
        files = [str(other), str(odd)]
    out = folder / "result.csv"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    said, heard = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(heard):
        try:
            code = run(["label", "-q", *files, "-o", str(out), "--method", "laplace", "--neighbors", "5"])
        except SystemExit as stop:
            code = stop.code
    lines = [line for line in heard.getvalue().splitlines() if not line.startswith("note: ")]
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    made = after.pop("result.csv", None)
    assert after == before, f"files were left behind or changed: {sorted(after)}"
    assert "Traceback" not in heard.getvalue()
    if code == 0:
        assert lines == [], lines
        assert made is not None
        assert made.decode("utf-8", "surrogateescape").startswith("id,label,confidence,reached")
        assert b"nan" not in made.lower() or b"nan" in content.lower(), "NaN in the result"
    else:
        assert code == 2, (code, lines)
        assert made is None
        assert len(lines) == 1, lines
        assert lines[0].startswith("fewlabels: "), lines
        assert len(lines[0]) < 1000, lines
    assert peak_gigabytes() < MOST_GIGABYTES, f"{peak_gigabytes():.1f} GB"
    return code


def main():
    """Check many files, and say which failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="do not stop at the first that fails")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    start, codes, failed = time.perf_counter(), {}, 0
    with tempfile.TemporaryDirectory() as name:
        for place in range(options.count):
            make, seed = KINDS[place % len(KINDS)], options.seed + place // len(KINDS)
            try:
                code = check(make, seed, Path(name))
                codes[code] = codes.get(code, 0) + 1
            except Exception as error:
                failed += 1
                sys.stdout.write(f"{make.__name__}, seed {seed}: {type(error).__name__}: {error}\n")
                sys.stdout.flush()
                if not options.all:
                    sys.exit(1)
    took = f"{time.perf_counter() - start:.0f} s, {peak_gigabytes():.2f} GB"
    said = f"{codes.get(0, 0):,} answered, {codes.get(2, 0):,} refused in a sentence, {failed} otherwise"
    sys.stdout.write(f"{options.count:,} files, {took}: {said}\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
