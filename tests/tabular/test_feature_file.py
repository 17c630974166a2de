import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from labelling import label, read, write


@pytest.mark.parametrize(
    "kind", ["npy", "npz", "sparse", "csv", "csv with ids", "semicolons", "parquet", "lists", "images"]
)
def test_features_of_every_kind_give_the_same_labels(folder, kind):
    X = np.load("features.npy")
    ids = [f"p{i:03d}" for i in range(160)]
    name = "other.npz"
    match kind:
        case "npy":
            name = "features.npy"
        case "npz":
            np.savez(name, X=X, y=np.zeros(160))
        case "sparse":
            sp.save_npz(name, sp.csr_matrix(X))
        case "csv":
            np.savetxt(name := "other.csv", X, delimiter=",")
        case "csv with ids":
            write(
                name := "other.csv", "id,x,y", *[f"{i},{a!r},{b!r}" for i, (a, b) in zip(ids, X.tolist(), strict=True)]
            )
        case "semicolons":
            write(name := "other.csv", "x;y", *[f"{a!r};{b!r}" for a, b in X.tolist()])
        case "parquet":
            pq.write_table(pa.table({"id": ids, "x": X[:, 0], "y2": X[:, 1]}), name := "other.parquet")
        case "lists":
            pq.write_table(pa.table({"embedding": X.tolist()}), name := "other.parquet")
        case "images":
            np.save(name := "other.npy", X[:, :, None])
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    assert label(name, "labels.csv", "--out", "result.csv") == 0
    expected, found = read("expected.csv"), read("result.csv")
    assert [row["label"] for row in found] == [row["label"] for row in expected]
    assert found[7]["id"] == ("p007" if kind in ("csv with ids", "parquet") else "7")


def test_a_damaged_sparse_matrix_is_refused(folder, capsys):
    wild = np.r_[np.zeros(39, int), 10**6]
    np.savez("bad.npz", data=np.ones(40), indices=wild, indptr=np.arange(41), shape=np.array([40, 3]))
    assert label("bad.npz", "labels.csv", "--out", "result.csv") == 2
    assert "its sparse matrix is inconsistent" in capsys.readouterr().err
