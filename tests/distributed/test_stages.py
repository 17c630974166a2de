"""Stages on workers: what ends them is one sentence."""

import pytest

from fewlabels.distributed.stages import Stages
from fewlabels.errors import FewlabelsError

scheduler = pytest.importorskip("distributed.scheduler")


def _deserted():
    raise scheduler.NoWorkerError("task", 300.0)


@pytest.mark.skipif(not hasattr(scheduler, "NoWorkerError"), reason="older versions wait for workers for ever")
def test_a_cluster_without_workers_is_told(client, tmp_path):
    stages = Stages(client, tmp_path)
    with pytest.raises(FewlabelsError, match="all workers have ended"):
        list(stages.results([client.submit(_deserted, pure=False)], "edges"))
