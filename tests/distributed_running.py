"""What tests of the cluster share: runs on it, and the same on one machine."""

import warnings
from pathlib import Path

import numpy as np

from fewlabels import Graph
from fewlabels.answer import answer
from fewlabels.distributed.labelling import Settings, labelled
from fewlabels.distributed.rows import matrix_of
from fewlabels.distributed.scratch import load
from fewlabels.distributed.sources import of_files
from fewlabels.distributed.stages import Stages
from fewlabels.methods import named_method


def stored(folder, X, pieces=3):
    """Write rows as several .npy files and return their paths."""
    folder.mkdir(exist_ok=True)
    paths = [Path(folder) / f"x-{place}.npy" for place in range(pieces)]
    for path, part in zip(paths, np.array_split(X, pieces), strict=True):
        np.save(path, part)
    return paths


def run(client, folder, X, seeds, **settings):
    """Label rows from files on the cluster, blocks in a folder."""
    paths = stored(folder / "features", X) if not (folder / "features").exists() else None
    paths = paths or sorted((folder / "features").glob("*.npy"))
    stages = Stages(client, folder / "scratch")
    return labelled(stages, of_files(stages, paths, 2**20), seeds, Settings(**settings))


def gathered(found, name):
    """Return what is known of each row, in the order of the input."""
    return np.concatenate([load(found.parts.folder / f"{name}-{p}.npy") for p in range(len(found.source.pieces))])


def by_row(found, of_block):
    """Return rows that blocks hold in the order of the input."""
    parts = [of_block(block) for block in range(found.graph.count)]
    rows = np.concatenate([load(found.blocks.folder / f"rows-{b}.npy") for b in range(found.graph.count)])
    whole = np.empty_like(np.concatenate(parts))
    whole[rows] = np.concatenate(parts)
    return whole


def weights_of(found):
    """Return the whole matrix of weights, rows and columns in the order of the input."""
    n = found.graph.n_nodes
    rows = np.concatenate([load(found.blocks.folder / f"rows-{b}.npy") for b in range(found.graph.count)])
    W = np.zeros((n, n))
    for block in range(found.graph.count):
        part = matrix_of(found.graph, block).toarray()
        start, stop = found.graph.starts[block : block + 2]
        columns = np.concatenate([np.arange(start, stop), load(found.graph.rows / f"halo-{block}.npy")])
        W[np.ix_(rows[start:stop], rows[columns])] = part
    return W


def one_machine(X, seeds, method="interface-laplace", *, keep_sizes=False, **graph):
    """Return the graph and the answer of one process."""
    made = Graph.from_features(X, **graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made, answer(made, seeds, named_method(method), keep_sizes=keep_sizes)


def limit_files(size):
    """Let the kernel refuse files of more bytes in this process; workers find this by the module's name."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
