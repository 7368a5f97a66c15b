"""A worker that misbehaves on request, for the tests of the app's side."""

from __future__ import annotations

import os
import sys
import time

from src.loader.wire import Frame, read_frame, write_frame


def main() -> None:
    request = read_frame(sys.stdin.buffer)
    assert request is not None
    if request.kind == "hang":
        time.sleep(60)
    if request.kind == "die":
        os._exit(3)
    if request.kind == "grow":
        held = []
        for _ in range(100):
            held.append(b"x" * (16 * 2**20))
            time.sleep(0.1)
    if request.kind == "rubbish":
        sys.stdout.buffer.write(b"this is no frame at all, far from it")
        sys.stdout.buffer.flush()
        time.sleep(60)
    if request.kind == "environment":
        write_frame(sys.stdout.buffer, Frame("environment", dict(os.environ)))


if __name__ == "__main__":
    main()
