import subprocess
import sys


def test_without_numba_the_plain_way_is_taken():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\n"
        "import fewlabels.compiled\n"
        "from fewlabels import Graph, Poisson, Seeds\n"
        "fewlabels.compiled.PAY_FROM = 0\n"
        "graph = Graph.from_features(np.random.default_rng(0).normal(size=(4000, 8)))\n"
        "print([s.status for s in Poisson().spread(graph, Seeds.from_classes([0, 1], [0, 1])).solves])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "['converged']", done.stderr


def test_importing_the_package_imports_no_compiler():
    code = "import sys, fewlabels; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
