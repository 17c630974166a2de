"""Everything that must hold, in one command: lint, format, types, architecture, doctests and tests."""

import os
import subprocess
import sys

CHECKS = [
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
    ["lint-imports", "--no-logo"],
    ["pytest", "-n", "2", "--dist", "worksteal"],
]


def main() -> int:
    """Run every check, also after one has failed, and say at the end which did."""
    failed = []
    # two test processes share two cores: a thread each
    alone = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    for command in CHECKS:
        print(f"\n== {' '.join(command)}", flush=True)
        module = {"lint-imports": ["-c", "from importlinter.cli import lint_imports_command as run; run()"]}
        start = module.get(command[0], ["-m", command[0]])
        if subprocess.run([sys.executable, *start, *command[1:]], check=False, env=alone).returncode:
            failed.append(command[0])
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall checks passed", flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
