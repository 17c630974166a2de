"""The cluster beside one machine: equal labels, memory of every worker, time and bytes moved per stage.

Run: FEWLABELS_DATA=folder python benchmarks/cluster.py equal [--datasets mnist,covtype:60000,mixture] [--blocks 2,5,16]
     python benchmarks/cluster.py memory [--points 3000000] [--workers 4] [--memory 1GB]
     python benchmarks/cluster.py scaling [--points 250000,500000,1000000] [--workers 1,2,4]
     python benchmarks/cluster.py engine [--points 1000000]
     python benchmarks/cluster.py kills [--times 3]

`equal` builds both graphs and compares neighbours by recall, and labels on the cluster's own graph. `memory` samples
what the scheduler counts for each worker, and the client's resident set. `engine` times the command with and without
--cluster local:2, one after the other. `kills` ends a worker in every stage, several times, and compares the answers.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import scipy.sparse as sp

from fewlabels import Graph, Seeds
from fewlabels.answer import answer
from fewlabels.distributed.clusters import opened
from fewlabels.distributed.labelling import Settings, labelled, piece_bytes
from fewlabels.distributed.rows import matrix_of
from fewlabels.distributed.scratch import load
from fewlabels.distributed.sources import of_files
from fewlabels.distributed.stages import Stages
from fewlabels.methods import InterfaceLaplace
from fewlabels.progress import shown

ROWS_AT_ONCE = 250_000
CLASSES, LATENT, WIDTH, PER_CLASS = 10, 8, 64, 5


def write_mixture(folder, points):
    """Write a mixture of ten classes on a curved surface of eight dimensions in 64, file by file; return labels."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLASSES, LATENT)) * 2.0
    lift = rng.normal(size=(2, LATENT, WIDTH)) / np.sqrt(LATENT)
    labels = []
    for place, start in enumerate(range(0, points, ROWS_AT_ONCE)):
        y = rng.integers(0, CLASSES, min(ROWS_AT_ONCE, points - start))
        z = centres[y] + rng.normal(size=(y.size, LATENT))
        np.save(folder / f"x-{place:04d}.npy", (z @ lift[0] + np.sin(z @ lift[1])).astype(np.float32))
        labels.append(y)
    return np.concatenate(labels)


def drawn(y):
    """Return five labels of each class."""
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.choice(np.flatnonzero(y == j), PER_CLASS, replace=False) for j in np.unique(y)])
    return Seeds.from_classes(rows, y[rows])


def data_of(name, folder):
    """Write a data set as .npy files into a folder; return its labels. After a colon, so many of its rows."""
    name, _, points = name.partition(":")
    if name == "mixture":
        return write_mixture(folder, int(points or 1_000_000))
    from fewlabels.datasets import DATASETS, load_dataset
    from fewlabels.datasets.suite import load_suite

    if name in DATASETS:
        data = load_dataset(name)
        X, y = np.asarray(data.features), np.asarray(data.y)
    else:
        X, y = load_suite(name)
    some = np.sort(np.random.default_rng(0).permutation(len(y))[: int(points or len(y))])
    X, y = X[some], y[some]
    np.save(folder / "x-0.npy", X.reshape(len(X), -1).astype(np.float32))
    return y


def on_cluster(client, folder, scratch, seeds, **settings):
    """Label the files of a folder on the cluster."""
    stages = Stages(client, Path(scratch))
    source = of_files(stages, sorted(folder.glob("*.npy")), piece_bytes(client))
    return labelled(stages, source, seeds, Settings(**settings))


def graph_of(found):
    """Return the cluster's graph as one of this process, rows in the order of the input, and that order."""
    rows = np.concatenate([load(found.blocks.folder / f"rows-{b}.npy") for b in range(found.graph.count)])
    parts = []
    for block in range(found.graph.count):
        W = matrix_of(found.graph, block).tocoo()
        start, stop = found.graph.starts[block : block + 2]
        columns = np.concatenate([np.arange(start, stop), load(found.graph.rows / f"halo-{block}.npy")])
        parts.append((rows[W.row + start], rows[columns[W.col]], W.data))
    i, j, w = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Graph.from_weights(sp.csr_array((w, (i, j)), shape=(rows.size, rows.size))), rows


def equal(options):
    """Compare neighbours and labels with those of one machine."""
    print(
        "data | blocks | edges equal | recall | scores apart | labels equal | confidence apart: mean, most | "
        "residuals: here, there | edges between blocks | halo per row"
    )
    for name in options.datasets.split(","):
        with tempfile.TemporaryDirectory() as folder, opened("local:2") as client:
            features = Path(folder) / "features"
            features.mkdir()
            y = data_of(name, features)
            seeds = drawn(y)
            X = np.concatenate([np.load(path) for path in sorted(features.glob("*.npy"))])
            known = Graph.from_features(X, 10).weights.astype(bool)
            del X
            for blocks in map(int, options.blocks.split(",")):
                found = on_cluster(client, features, Path(folder) / "scratch", seeds, blocks=blocks)
                graph, rows = graph_of(found)
                same = (graph.weights.astype(bool).multiply(known)).nnz / known.nnz
                one = answer(graph, seeds, InterfaceLaplace())
                scores = np.empty(one.spread.scores.shape)
                scores[rows] = np.concatenate([found.scores.block(b)[2] for b in range(blocks)])
                codes, sure = (
                    np.concatenate(
                        [load(found.parts.folder / f"{kind}-{p}.npy") for p in range(len(found.source.pieces))]
                    )
                    for kind in ("codes", "confidence")
                )
                apart = np.linalg.norm(scores - one.spread.scores) / np.linalg.norm(one.spread.scores)
                unsure = np.abs(sure - one.labelled.confidence)
                print(
                    f"{name} | {blocks} | {same:.4f} | {found.recall:.3f} | {apart:.1e} | "
                    f"{(codes == one.labelled.codes).mean():.5f} | {unsure.mean():.4f}, {unsure.max():.2f} | "
                    f"{found.residuals['scores solve']:.1e}, {one.spread.solves[-1].residual:.1e} | "
                    f"{found.pictured.across:.0%} | {found.pictured.halo / y.size:.2f}",
                    flush=True,
                )


def memory(options):
    """Tell the peak memory of every worker by the cluster's own count, and of the client."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        features = Path(folder) / "features"
        features.mkdir()
        y = write_mixture(features, options.points)
        peaks, done = {}, threading.Event()
        with shown(), opened(f"local:{options.workers}", options.memory) as client:

            def watch():
                me = psutil.Process()
                while not done.wait(0.5):
                    told = client.scheduler_info(n_workers=-1)["workers"]
                    now = {name: worker["metrics"]["memory"] for name, worker in told.items()}
                    now["client"] = me.memory_info().rss
                    for name, held in now.items():
                        peaks[name] = max(peaks.get(name, 0), held)

            watcher = threading.Thread(target=watch)
            watcher.start()
            begun = time.perf_counter()
            try:
                found = on_cluster(client, features, Path(folder) / "scratch", drawn(y))
            finally:
                done.set()
                watcher.join()
        print(f"{options.points:,} points in {found.graph.count} blocks, {time.perf_counter() - begun:.0f} s")
        print("\n".join(f"{name}: peak {held / 1e6:,.0f} MB" for name, held in sorted(peaks.items())))
        print("\n".join(map(str, found.told)))


def scaling(options):
    """Tell time and bytes moved of every stage, for several sizes and numbers of workers."""
    print("points | workers | stage | blocks or rounds | seconds | MB read | MB written")
    for points in map(int, options.points.split(",")):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            features = Path(folder) / "features"
            features.mkdir()
            seeds = drawn(write_mixture(features, points))
            for workers in map(int, options.workers.split(",")):
                with opened(f"local:{workers}") as client:
                    scratch = Path(folder) / f"scratch-{workers}"
                    found = on_cluster(client, features, scratch, seeds)
                print(
                    f"{points} | {workers} | in all | {found.graph.count} | {sum(t.seconds for t in found.told):.2f} | "
                    f"halo {found.pictured.halo / points:.2f} a row | recall {found.recall:.3f}",
                    flush=True,
                )
                for each in found.told:
                    print(
                        f"{points} | {workers} | {each.name} | {each.made} | {each.seconds:.2f} | "
                        f"{each.read / 1e6:.1f} | {each.written / 1e6:.1f}",
                        flush=True,
                    )


def engine(options):
    """Time the command on one machine and on two workers of it."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        features = Path(folder)
        y = write_mixture(features, options.points)
        X = np.concatenate([np.load(path) for path in sorted(features.glob("x-*.npy"))])
        np.save(features / "all.npy", X)
        del X
        seeds = drawn(y)
        lines = "".join(f"{row},{y[row]}\n" for row in seeds.indices.tolist())
        (features / "labels.csv").write_text("row,label\n" + lines)
        took = {}
        for name, more in {
            "one machine": ["--method", "interface-laplace"],
            "local:2": ["--cluster", "local:2"],
        }.items():
            command = [sys.executable, "-m", "fewlabels", "label", "all.npy", "labels.csv", "--force", "--out", "r.csv"]
            command += more
            begun = time.perf_counter()
            subprocess.run(command, cwd=folder, check=True)
            took[name] = time.perf_counter() - begun
        print(f"{took}; {took['local:2'] / took['one machine']:.2f} times as long")


def kills(options):
    """End a worker in every stage, several times, and compare with an undisturbed run."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, opened("local:2") as client:
        features = Path(folder) / "features"
        features.mkdir()
        seeds = drawn(write_mixture(features, options.points))
        calm = on_cluster(client, features, Path(folder) / "calm", seeds, blocks=4)
        stages = [told.name for told in calm.told]
        results = Stages.results
        for time_ in range(options.times):
            for stage in stages:
                seen = []

                def watched(self, futures, what, *, quiet=False, stage=stage, seen=seen, time_=time_):
                    if what == stage and len(seen) == 0:
                        seen.append(what)
                        # a worker killed before may be gone and not yet missed
                        found = client.run(os.getpid, on_error="return").values()
                        pids = [pid for pid in found if isinstance(pid, int)]
                        os.kill(pids[time_ % len(pids)], signal.SIGKILL)
                    yield from results(self, futures, what, quiet=quiet)

                Stages.results = watched
                try:
                    found = on_cluster(client, features, Path(folder) / f"{time_}-{stage}", seeds, blocks=4)
                finally:
                    Stages.results = results
                same = all(
                    np.array_equal(
                        load(calm.parts.folder / f"{kind}-{p}.npy"), load(found.parts.folder / f"{kind}-{p}.npy")
                    )
                    for kind in ("codes", "confidence")
                    for p in range(len(calm.source.pieces))
                )
                print(f"{stage}, time {time_ + 1}: {'same' if same else 'DIFFERENT'}", flush=True)


def main():
    """Parse the arguments and run one comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["equal", "memory", "scaling", "engine", "kills"])
    parser.add_argument("--datasets", default="mnist,covtype,mixture")
    parser.add_argument("--blocks", default="2,5,16")
    parser.add_argument("--points")
    parser.add_argument("--workers")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--folder", help="where to put features and blocks; default the system's temporary folder")
    options = parser.parse_args()
    points = {"memory": 3_000_000, "engine": 1_000_000, "kills": 20_000}
    sizes = "250000,500000,1000000,2000000,4000000"
    options.points = (
        (options.points or sizes) if options.what == "scaling" else int(options.points or points.get(options.what, 0))
    )
    options.workers = options.workers or ("1,2,4" if options.what == "scaling" else "4")
    {"equal": equal, "memory": memory, "scaling": scaling, "engine": engine, "kills": kills}[options.what](options)


if __name__ == "__main__":
    main()
