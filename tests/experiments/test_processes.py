import os
import subprocess
import sys

from fewlabels.experiments.processes import DENIED, STILL_ACTIVE, _is_running_on_windows, is_running


def test_this_process_runs_and_one_that_ended_does_not():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert is_running(os.getpid())
    assert not is_running(ended.pid)


class Kernel:
    """Windows' kernel as far as it is asked: processes by number, and their exit codes."""

    def __init__(self, codes, denied=()):
        self.codes, self.denied, self.open, self.error = codes, denied, [], 0

    def OpenProcess(self, rights, inherit, pid):
        if pid not in self.codes:
            self.error = DENIED if pid in self.denied else 87
            return 0
        self.open.append(pid)
        return pid

    def GetLastError(self):
        return self.error

    def GetExitCodeProcess(self, handle, place):
        place._obj.value = self.codes[handle]
        return 1

    def CloseHandle(self, handle):
        self.open.remove(handle)


def test_on_windows_the_exit_code_tells():
    kernel = Kernel({1: STILL_ACTIVE, 2: 0, 3: 1}, denied=(4,))
    assert [_is_running_on_windows(pid, kernel) for pid in range(1, 6)] == [True, False, False, True, False]
    assert kernel.open == []
