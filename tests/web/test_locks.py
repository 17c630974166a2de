import os
import subprocess
import sys

from fewlabels.web.locks import lock

HOLD = """
import os, sys
from fewlabels.web.locks import lock
print(lock(os.open(sys.argv[1], os.O_RDWR)), flush=True)
input()
"""


def test_a_lock_holds_between_processes_and_dies_with_them(tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "True\n"
        mine = os.open(path, os.O_RDWR)
        assert not lock(mine)
        other.kill()
        other.wait()
        assert lock(mine)
        os.close(mine)
