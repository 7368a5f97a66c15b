#!/usr/bin/env python3
"""Set up ``.venv`` and run the tests.

usage: python3 scripts/test.py [--all] [pytest's own arguments]

Without --all the fast suite runs: no network, no key, no model weights. --all adds the groups with real weights,
with the page in Chromium, with real virtual environments and, where DOCENGINE_CORPUS names their folder, with a
collection of real PDFs.
"""

import os
import subprocess
import sys

from installation import ROOT, SetUpError, ensure, say

EVERY_GROUP = "weights or browser or corpus or setup or not (weights or browser or corpus or setup)"


def main(arguments: list) -> int:
    """Run the tests; returns pytest's exit status, 1 when the set-up failed."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        python = ensure("requirements-test.txt")
    except SetUpError as error:
        say(str(error))
        return 1
    selection = ["-m", EVERY_GROUP] if "--all" in arguments else []
    command = [str(python), "-m", "pytest", *selection, *[a for a in arguments if a != "--all"]]
    run = subprocess.Popen(command, cwd=str(ROOT), env=dict(os.environ, PYTHONNOUSERSITE="1"))
    while True:
        try:
            return run.wait()
        except KeyboardInterrupt:
            continue  # pytest got it too, and ends with its summary


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\nStopped. Start again to go on with the installation.")
        sys.exit(130)
