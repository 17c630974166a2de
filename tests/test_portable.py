"""The package runs on Linux, macOS and Windows: what only some of them have is asked for first."""

import ast
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "fewlabels"

ONLY_POSIX = {
    "os": {
        "O_DIRECTORY", "chown", "fchmod", "fchown", "fork", "forkpty", "getuid", "geteuid", "getloadavg", "getpgid",
        "kill", "killpg", "lockf", "mkfifo", "nice", "posix_spawn", "pread", "preadv", "pwrite", "sched_getaffinity",
        "setsid", "sync", "sysconf", "uname", "wait", "waitpid",
    },
    "signal": {"SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "alarm", "pause", "pthread_kill", "sigwait"},
}  # fmt: skip
MODULES = {"fcntl", "grp", "pwd", "pty", "resource", "termios", "tty", "msvcrt", "winreg"}

GUARDED = {
    "experiments/processes.py": {"os.kill"},  # on Windows the kernel is asked
    "threads.py": {"os.sched_getaffinity"},  # the number of cores where it is missing
    "web/journal.py": {"os.O_DIRECTORY"},  # only where there is one
    "web/locks.py": {"msvcrt", "fcntl"},  # one for each system
    "bench/growth.py": {"resource"},  # not a number where it is missing
}


def used_by(path):
    """Return what a file uses that not every system has."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ONLY_POSIX.get(node.value.id, ()):
                found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            found.add(node.module)
    return found


def test_what_only_some_systems_have_is_asked_for_first():
    used = {path.relative_to(SOURCE).as_posix(): used_by(path) for path in SOURCE.rglob("*.py")}
    assert {name: words for name, words in used.items() if words} == GUARDED


def test_text_files_name_their_encoding():
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                text = node.func.attr in ("read_text", "write_text")
                assert not text or any(word.arg == "encoding" for word in node.keywords), f"{path}:{node.lineno}"
