"""Finds a Python, makes ``.venv`` and installs a requirements file into it; standard library only.

Written so that old interpreters (3.6 and later) can parse it: a machine's ``python3`` may be one that DocEngine
itself cannot run on, and its user must read a sentence, not a SyntaxError.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Iterator

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 13)
INSTALL_MB = 2600  # what the test requirements take on disk, and the wheels while they are unpacked
PROBE = """
import sys, struct, sysconfig
missing = []
for name in ("ensurepip", "venv", "ssl", "zlib"):
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
if struct.calcsize("P") != 8:
    missing.append("64-bit")
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    missing.append("the GIL")
print("%d.%d" % sys.version_info[:2], *missing, sep=",")
"""


class SetUpError(Exception):
    """Why the app cannot be set up, as one sentence that says what to do."""


def say(text: str) -> None:
    """Tell the person at the terminal; standard output stays free for what a script prints as its result."""
    print(text, file=sys.stderr, flush=True)


# --- a Python ----------------------------------------------------------------------------------------------


def candidates() -> "Iterator[list]":
    """Commands that may be a Python, the running one first."""
    versions = ["3.12", "3.13", "3.11"]
    # Inside a virtual environment the one it was made with: this may be the environment to be made anew.
    yield [getattr(sys, "_base_executable", None) or sys.executable]
    for version in versions:
        found = shutil.which("python" + version)
        if found:
            yield [found]
    if os.name == "nt":
        launcher = shutil.which("py")
        for version in versions if launcher else []:
            yield [launcher, "-" + version]
    home = Path.home()
    places = [
        Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions",
        home / ".local" / "share" / "uv" / "python",
        Path("/opt/homebrew/bin"),
        Path("/usr/local/bin"),
        Path("/Library/Frameworks/Python.framework/Versions"),
    ]
    for place in places:
        for version in versions:
            for pattern in (
                version + "*/bin/python3",
                "cpython-" + version + "*/bin/python3",
                "python" + version,
            ):
                for path in sorted(place.glob(pattern), reverse=True):
                    yield [str(path)]


def probe(command: list) -> "tuple | None":
    """(version, what it lacks) of the Python that ``command`` starts, None when it does not start."""
    try:
        run = subprocess.run(
            [*command, "-c", PROBE],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            universal_newlines=True,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = run.stdout.strip().split(",")
    numbers = parts[0].split(".")
    if run.returncode or len(numbers) != 2 or not all(n.isdigit() for n in numbers):
        return None
    return (int(numbers[0]), int(numbers[1])), parts[1:]


def find_python() -> list:
    """The command of a Python that can run DocEngine and make a virtual environment."""
    lacking = None
    for command in candidates():
        found = probe(command)
        if not found or not OLDEST <= found[0] <= NEWEST:
            continue
        if not found[1]:
            return command
        lacking = lacking or (found[0], found[1])
    if lacking:
        raise SetUpError(_lacking_sentence(*lacking))
    here = "{}.{}.{}".format(*sys.version_info[:3])
    raise SetUpError(
        f"DocEngine needs Python 3.11, 3.12 or 3.13; this is {here} and no other was found. Install one, for example "
        f"with: {install_command()}"
    )


def _lacking_sentence(version: tuple, missing: list) -> str:
    name = "{}.{}".format(*version)
    if "ensurepip" in missing or "venv" in missing:
        hint = f"sudo apt install python{name}-venv" if _system() == "debian" else install_command(name)
        return f"Python {name} is here, but not its venv module (ensurepip). Install it with: {hint}"
    return "Python {} is here, but it lacks {}. Install another one, for example with: {}".format(
        name, " and ".join(missing), install_command()
    )


def install_command(version: str = "3.12") -> str:
    """The command that installs a Python on this system."""
    commands = {
        "debian": "sudo apt install python{0} python{0}-venv",
        "fedora": "sudo dnf install python{0}",
        "macos": "brew install python@{0}",
        "windows": "winget install Python.Python.{0}",
    }
    return commands.get(_system(), "https://www.python.org/downloads/").format(version)


def _system() -> str:
    if os.name == "nt":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    with contextlib.suppress(OSError):
        text = Path("/etc/os-release").read_text()
        for line in text.splitlines():
            key, _, value = line.partition("=")
            if key in ("ID", "ID_LIKE") and any(word in value for word in ("debian", "ubuntu")):
                return "debian"
            if key in ("ID", "ID_LIKE") and any(word in value for word in ("fedora", "rhel")):
                return "fedora"
    return "other"


# --- the virtual environment -------------------------------------------------------------------------------


def venv_python(root: Path = ROOT) -> Path:
    """The interpreter of the virtual environment under ``root``."""
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def closure(name: str, root: Path = ROOT) -> list:
    """``name`` and the requirements files that it takes in by ``-r``."""
    names = [name]
    for line in (root / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            names += closure(line[3:].strip(), root)
    return names


def fingerprint(name: str, root: Path = ROOT) -> str:
    """Hash of what ``name`` asks for, files taken in by ``-r`` included."""
    digest = hashlib.sha256()
    for each in closure(name, root):
        digest.update((root / each).read_bytes())
    return digest.hexdigest()


def is_ready(name: str, root: Path = ROOT) -> bool:
    """Whether ``.venv`` holds what the requirements file ``name`` asks for now."""
    return venv_python(root).exists() and _read_stamp(root).get(name) == fingerprint(name, root)


def ensure(name: str, root: Path = ROOT) -> Path:
    """Make ``.venv`` under ``root`` and install the requirements file ``name``; returns its interpreter.

    At once when a stamp says that it was done. An environment that does not run, or whose installation was cut
    off, is made anew.
    """
    if is_ready(name, root) and _runs(root):
        return venv_python(root)
    with _lock(root):
        if not (is_ready(name, root) and _runs(root)):
            _make(root)
            _install(name, root)
    return venv_python(root)


def _stamp(root: Path) -> Path:
    return root / ".venv" / "docengine.json"


def _unfinished(root: Path) -> Path:
    return root / ".venv" / "installing"


def _read_stamp(root: Path) -> dict:
    try:
        stamp = json.loads(_stamp(root).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(stamp: dict, root: Path = ROOT) -> None:
    """Note in ``.venv`` which requirements files it holds: name -> fingerprint."""
    _stamp(root).write_text(json.dumps(stamp, indent=1), encoding="utf-8")


def _make(root: Path) -> None:
    """Make the virtual environment, or keep the one there is when it works."""
    home = root / ".venv"
    found = probe([str(venv_python(root))]) if venv_python(root).exists() else None
    suits = found is not None and OLDEST <= found[0] <= NEWEST
    if suits and not _unfinished(root).exists() and _runs(root, "import pip"):
        return
    command = find_python()
    if home.is_symlink() or home.is_file():
        home.unlink()
    elif home.exists():
        say("Making .venv anew: the one there is unfinished or does not run.")
        shutil.rmtree(str(home))
    say("Making .venv with {} ...".format(" ".join(command)))
    run = subprocess.run(
        [*command, "-m", "venv", str(home)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    if run.returncode:
        raise SetUpError(explain(run.stdout))


def _runs(root: Path, code: str = "pass") -> bool:
    run = subprocess.run(
        [str(venv_python(root)), "-c", code], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return run.returncode == 0


def _install(name: str, root: Path) -> None:
    free = shutil.disk_usage(str(root)).free // 2**20
    if free < INSTALL_MB and not _read_stamp(root):
        raise SetUpError(
            f"DocEngine needs about {INSTALL_MB} MB of disk for its packages, and {free} MB are free."
        )
    say(f"Installing {name} into .venv; the first time this takes a minute or more ...")
    start = time.time()
    _unfinished(root).touch()
    pip = [
        str(venv_python(root)),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--progress-bar=off",
    ]
    lines = []
    run = subprocess.Popen(
        [*pip, "--retries=2", "-r", name],
        cwd=str(root),
        # A pip.conf that asks for user installs makes pip refuse to work in a virtual environment.
        env=dict(os.environ, PIP_USER="0", PYTHONNOUSERSITE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        universal_newlines=True,
    )
    with run:
        for line in run.stdout:
            lines.append(line)
            _show(line)
    _show("")
    if run.returncode:
        text = "".join(lines)
        if "Installing collected packages" not in text:
            _unfinished(root).unlink()
        raise SetUpError(explain(text))
    stamp = _read_stamp(root)
    stamp.update({each: fingerprint(each, root) for each in closure(name, root)})
    write_stamp(stamp, root)
    _unfinished(root).unlink()
    say(f"Installed in {time.time() - start:.0f} s.")


def _show(line: str) -> None:
    """One changing line on a terminal for what pip is doing; nothing elsewhere."""
    if sys.stderr.isatty():
        words = line.strip()[:78] if line.startswith(("Collecting", "  Downloading", "Installing")) else ""
        if words or not line:
            sys.stderr.write("\r\033[K" + words)
            sys.stderr.flush()


FAULTS = [
    (
        ("No space left", "Errno 28", "not enough space"),
        "The disk is full: free about 2.5 GB and start again.",
    ),
    (
        ("ensurepip",),
        "This Python cannot make virtual environments. Install its venv module, for example with: {install}",
    ),
    (
        ("CERTIFICATE_VERIFY_FAILED", "SSLError"),
        "The package index could not be reached safely (certificate). Behind a company proxy, set PIP_CERT to its "
        "certificate file and start again.",
    ),
    (
        (
            "NewConnectionError",
            "ConnectTimeoutError",
            "ReadTimeoutError",
            "Temporary failure in name resolution",
            "NameResolutionError",
            "Connection refused",
            "Connection broken",
            "ConnectionResetError",
            "Cannot connect to proxy",
            "ProxyError",
            "Network is unreachable",
            "Failed to establish a new connection",
            "Read timed out",
        ),
        "The package index could not be reached. Check the network (HTTPS_PROXY behind a proxy, PIP_INDEX_URL for a "
        "mirror) and start again; what was fetched is kept.",
    ),
    (
        ("No matching distribution found",),
        "A package is not offered for this Python and system: {line}",
    ),
    (
        ("Permission denied", "Errno 13"),
        "The project's folder cannot be written to. Move it to a folder of your own, or mend its permissions.",
    ),
]


def explain(output: str) -> str:
    """One sentence for what pip or venv printed when it failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for marks, sentence in FAULTS:
        for line in reversed(lines):
            if any(mark in line for mark in marks):
                return sentence.format(line=line[:300], install=install_command())
    return "The packages could not be installed: " + (" ".join(lines[-3:])[:500] or "pip said nothing.")


@contextlib.contextmanager
def _lock(root: Path) -> "Iterator[None]":
    """Hold back a second script until the first has set up: two pips in one environment break it."""
    user = os.getuid() if hasattr(os, "getuid") else ""
    digest = hashlib.sha256(str(root).encode()).hexdigest()[:12]
    path = Path(tempfile.gettempdir()) / f"docengine-{user}-{digest}.lock"
    with open(str(path), "a+") as file:
        waited = False
        while not _try_lock(file):
            if not waited:
                say("Another script is setting up .venv; waiting for it ...")
            waited = True
            time.sleep(0.5)
        yield


def _try_lock(file: "IO[str]") -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
