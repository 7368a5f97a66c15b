"""The Dockerfile's steps without a Docker engine.

The files that the image would hold, its requirements in an environment of their own, then its command as a user
without rights, in a network that has nothing but loopback: the app must become healthy and answer a question.
As root the network is really cut off; for other users that part is left out, and said.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534
SECONDS = 120
QUESTION, WORD = "How long is the warranty of the pump?", "27 months"


def instruction(name: str) -> str:
    """The text behind the last ``name`` of the Dockerfile, continued lines joined."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    return re.findall(rf"^\s*{name}\s+(.*)$", text, re.MULTILINE)[-1]


def command(name: str) -> list[str]:
    """The JSON list of a CMD or HEALTHCHECK instruction."""
    text = instruction(name)
    found: list[str] = json.loads(text[text.index("[") :])
    return found


def copy_context(target: Path) -> None:
    """Copy what .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if any(name == keep or name.startswith(keep + "/") for keep in kept):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def find_python() -> str:
    """A Python 3.11 to 3.13 that the user without rights can run, 3.12 (the image's) first."""
    code = "import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    names = ["python3.12", "python3.11", "python3.13", "python3"]
    for path in [
        p for name in names for p in ("/usr/local/bin/" + name, "/usr/bin/" + name, shutil.which(name)) if p
    ]:
        with contextlib.suppress(OSError):
            if subprocess.run([path, "-c", code], stderr=subprocess.DEVNULL, **_user()).returncode == 0:
                return path
    raise SystemExit("No Python 3.11 to 3.13 with venv that a user without rights can run.")


def _user() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def build(box: Path) -> Path:
    """Files and packages as the image has them; returns the folder of the environment's commands."""
    copy_context(box / "app")
    python = find_python()
    print("packages with", python, flush=True)
    subprocess.run([python, "-m", "venv", str(box / "venv")], check=True)
    bin_folder = box / "venv" / "bin"
    pip = [bin_folder / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", box / "app" / "requirements.txt"], check=True)
    compiled = [bin_folder / "python", "-m", "compileall", "-q", "src", "scripts", "app.py", "serve.py"]
    subprocess.run(compiled, cwd=box / "app", check=True)
    page = Canvas(str(box / "pump.pdf"))
    page.drawString(72, 720, "The warranty of the pump is 27 months from the day of hand-over.")
    page.drawString(72, 690, "The pump must be oiled every spring, and the filter is changed once a year.")
    page.showPage()
    page.save()
    return bin_folder


def cut_off() -> None:
    """Raise loopback in the new, empty network, and prove that nothing else is reachable."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        up = struct.pack("16sh", b"lo", 1)  # SIOCSIFFLAGS with IFF_UP
        fcntl.ioctl(control, 0x8914, up + bytes(22))
    with socket.socket() as outside:
        outside.settimeout(5)
        try:
            outside.connect(("192.0.2.1", 443))
        except OSError as error:
            print("no network:", error.strerror, flush=True)
        else:
            raise SystemExit("The network is not cut off.")


def run(box: Path) -> None:
    """Start the image's command, wait for its health check, ask a question; raises SystemExit on failure."""
    bin_folder = box / "venv" / "bin"
    scratch = box / "tmp"
    scratch.mkdir(exist_ok=True)
    scratch.chmod(0o777)
    environ = {
        "PATH": f"{bin_folder}:/usr/bin:/bin",
        "HOME": "/nonexistent",
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
    }
    environ |= dict(pair.split("=", 1) for pair in instruction("ENV").split())
    start = time.time()
    log = (box / "log").open("wb")
    app = subprocess.Popen(command("CMD"), cwd=box / "app", env=environ, stdout=log, stderr=log, **_user())
    try:
        while subprocess.run(
            command("HEALTHCHECK"), env=environ, stderr=subprocess.DEVNULL, **_user()
        ).returncode:
            if app.poll() is not None or time.time() > start + SECONDS:
                raise SystemExit("The app did not become healthy:\n" + (box / "log").read_text())
            time.sleep(0.3)
        print(f"healthy after {time.time() - start:.1f} s", flush=True)
        page = urllib.request.urlopen("http://127.0.0.1:8501/", timeout=10).read().decode()
        if "<title>Streamlit</title>" not in page:
            raise SystemExit("The page is not served:\n" + page[:500])
        ask = [str(bin_folder / "python"), "scripts/ask.py", str(box / "pump.pdf"), QUESTION, "--json"]
        asked = subprocess.run(
            ask, cwd=box / "app", env=environ, capture_output=True, text=True, timeout=120, **_user()
        )
        answer = json.loads(asked.stdout or "{}")
        if WORD not in answer.get("answer", "") or answer["citations"][0]["pages"] != [1]:
            raise SystemExit(f"Wrong answer: {asked.stdout}\n{asked.stderr}")
        print("answered:", answer["answer"], flush=True)
    finally:
        app.terminate()
        app.wait(timeout=30)


def main() -> None:
    """Build, then run in an empty network."""
    if sys.argv[1:2] == ["--inside"]:
        cut_off()
        run(Path(sys.argv[2]))
        return
    box = Path(tempfile.mkdtemp(prefix="docengine-container-"))
    box.chmod(0o755)
    try:
        build(box)
        if os.geteuid() == 0:
            inside = ["unshare", "--net", "--", sys.executable, __file__, "--inside", str(box)]
            sys.exit(subprocess.run(inside).returncode)
        print("not root: the network stays reachable in this run")
        run(box)
    finally:
        shutil.rmtree(box)


if __name__ == "__main__":
    main()
