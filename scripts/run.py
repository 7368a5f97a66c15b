#!/usr/bin/env python3
"""Set up ``.venv`` and start the app in the browser; Ctrl-C ends it.

usage: python3 scripts/run.py [--port N] [--headless]
"""

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from pathlib import Path

from installation import ROOT, SetUpError, ensure, say

HOST = "127.0.0.1"
FIRST_PORT, PORTS = 8501, 100
START_SECONDS = 180
# Streamlit runs beside a thread that reads this script's pipe: when this script ends, however it ends, the pipe
# closes and the server goes with it. A process group or a parent-death signal would not do on every system.
SERVER = """
import os, signal, threading, time
def leave_with_parent():
    while os.read(0, 1024):  # a buffered read would hold a lock that the interpreter wants at its end
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)
    os._exit(1)
threading.Thread(target=leave_with_parent, daemon=True).start()
from streamlit.web.cli import main
main(prog_name="streamlit")
"""


def is_free(port: int) -> bool:
    """Whether nothing listens on ``port`` of this machine and it may be bound."""
    with socket.socket() as client:
        client.settimeout(0.5)
        if client.connect_ex((HOST, port)) == 0:
            return False
    with socket.socket() as server:
        if os.name != "nt":
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((HOST, port))
        except OSError:
            return False
    return True


def choose_port(asked: "int | None") -> int:
    """``asked`` when it is free; without one the first free port from 8501 on."""
    if asked is not None:
        if not is_free(asked):
            raise SetUpError(
                f"Port {asked} is taken or not allowed. Choose another with --port, or leave --port out."
            )
        return asked
    for port in range(FIRST_PORT, FIRST_PORT + PORTS):
        if is_free(port):
            return port
    raise SetUpError(f"No port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free.")


def start(python: Path, port: int) -> subprocess.Popen:
    """Start the server; returns its process."""
    options = {
        "server.address": HOST,
        "server.port": port,
        "server.headless": "true",
        "logger.hideWelcomeMessage": "true",
        "logger.level": "warning",
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    return subprocess.Popen(
        [str(python), "-c", SERVER, "run", "serve.py", *arguments],
        cwd=str(ROOT),
        env=dict(os.environ, PYTHONNOUSERSITE="1"),
        stdin=subprocess.PIPE,
        # Ctrl-C is for this script, which then ends the server; a server that gets it too prints a traceback.
        start_new_session=os.name != "nt",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def wait_until_healthy(server: subprocess.Popen, address: str) -> None:
    """Return once the server answers; raises SetUpError when it ends or takes too long."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.time() + START_SECONDS
    while time.time() < end:
        if server.poll() is not None:
            raise SetUpError("The app ended while it started; what it printed above says why.")
        with contextlib.suppress(OSError), opener.open(address + "/_stcore/health", timeout=2) as reply:
            if reply.read() == b"ok":
                return
        time.sleep(0.1)
    raise SetUpError(f"The app did not answer within {START_SECONDS} s.")


def stop(server: subprocess.Popen) -> None:
    """End the server: politely, then not."""
    if server.poll() is not None:
        return
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def open_browser(address: str) -> None:
    """Open the page, unless the only browser would be a text one in this terminal."""
    if (
        os.name == "nt"
        or sys.platform == "darwin"
        or os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
    ):
        webbrowser.open(address)


def main(arguments: list) -> int:
    """Set up, start, wait until the app ends or is ended; returns the exit status."""
    parser = argparse.ArgumentParser(description="Set up .venv and start DocEngine; Ctrl-C ends it.")
    parser.add_argument(
        "--port", type=int, help="port on 127.0.0.1 (default: the first free one from 8501 on)"
    )
    parser.add_argument("--headless", action="store_true", help="do not open the browser")
    options = parser.parse_args(arguments)
    if options.port is not None and not 1 <= options.port <= 65535:
        parser.error("--port must lie between 1 and 65535")
    if options.port is not None:
        choose_port(options.port)
    python = ensure("requirements.txt")
    port = choose_port(options.port)
    address = f"http://{HOST}:{port}"
    server = start(python, port)
    try:
        wait_until_healthy(server, address)
        print(f"DocEngine is at {address} (Ctrl-C ends it)", flush=True)
        if not options.headless:
            open_browser(address)
        return server.wait()
    finally:
        stop(server)


def _end(number: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    try:
        sys.exit(main(sys.argv[1:]))
    except SetUpError as error:
        say(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        say("\nStopped.")
        sys.exit(0)
