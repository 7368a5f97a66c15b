"""Feeds broken PDFs to the loader: whatever is made of a file, reading ends in a named outcome and the app lives on.

``python -m evaluation.fuzz DIR --count N [--seed S] [--seconds 20] [--minutes M] [--keep FOLDER] [--out R.json]``

Each round takes a file of the folder, breaks it in one of the ways below, and reads it to the end (tables too, OCR
not). What ends in none of the named outcomes, takes over the time, or leaves a process behind is a fault; with
``--keep`` its file is written to FOLDER. The same seed gives the same files. ``--minutes`` ends the rounds early;
``--out`` is written as they go on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from src.loader import load
from src.records import LoadError, Outcome
from src.settings import Settings

MAX_BYTES = 4 * 2**20  # larger files make slow rounds and no other faults
HOSTILE = (
    b"0",
    b"-1",
    b"65536",
    b"2147483647",
    b"-2147483648",
    b"4294967296",
    b"99999999999999999999",
    b"1e38",
    b"0.00000001",
)
NAMED = {outcome.value for outcome in Outcome} - {Outcome.CRASH.value}
SETTLE_SECONDS = 5.0
KEPT_EVERY = 25


@dataclass(frozen=True, slots=True)
class Round:
    """One broken file: what it was made from and how, and how reading it ended."""

    number: int
    file: str
    way: str
    outcome: str
    seconds: float
    message: str
    fault: str


def flip_bits(data: bytes, random_: random.Random) -> bytes:
    """Single bits turned over, from one to a few hundred."""
    broken = bytearray(data)
    for _ in range(random_.choice((1, 3, 10, 50, 300))):
        broken[random_.randrange(len(broken))] ^= 1 << random_.randrange(8)
    return bytes(broken)


def truncate(data: bytes, random_: random.Random) -> bytes:
    """The end cut off."""
    return data[: random_.randrange(1, len(data))]


def cut_out(data: bytes, random_: random.Random) -> bytes:
    """A piece of the middle missing."""
    start = random_.randrange(len(data))
    return data[:start] + data[start + random_.randrange(1, 5000) :]


def overwrite(data: bytes, random_: random.Random) -> bytes:
    """A piece replaced by noise."""
    start = random_.randrange(len(data))
    noise = random_.randbytes(random_.randrange(1, 2000))
    return data[:start] + noise + data[start + len(noise) :]


def hostile_numbers(data: bytes, random_: random.Random) -> bytes:
    """Sizes, offsets, lengths and coordinates replaced by numbers that no program expects."""
    places = [m.span() for m in re.finditer(rb"(?<=[\s\[/])-?\d{1,10}(?=[\s\]/>])", data)]
    if not places:
        return overwrite(data, random_)
    broken = bytearray(data)
    for start, end in sorted(
        random_.sample(places, min(len(places), random_.choice((1, 2, 8)))), reverse=True
    ):
        broken[start:end] = random_.choice(HOSTILE)
    return bytes(broken)


def hostile_page(data: bytes, random_: random.Random) -> bytes:
    """Page boxes and turns replaced by hostile ones."""
    box = b" ".join(random_.choice(HOSTILE) for _ in range(4))
    broken = re.sub(rb"/MediaBox\s*\[[^\]]*\]", b"/MediaBox [" + box + b"]", data)
    return re.sub(rb"/Rotate\s+-?\d+", b"/Rotate " + random_.choice(HOSTILE), broken)


def twist_references(data: bytes, random_: random.Random) -> bytes:
    """References to other objects exchanged: loops, wrong types, missing objects."""
    places = [m.span(1) for m in re.finditer(rb"\s(\d+) \d+ R\b", data)]
    if not places:
        return overwrite(data, random_)
    broken = bytearray(data)
    for start, end in sorted(
        random_.sample(places, min(len(places), random_.choice((1, 3, 10)))), reverse=True
    ):
        broken[start:end] = str(random_.randrange(0, 60)).encode()
    return bytes(broken)


def repeat_piece(data: bytes, random_: random.Random) -> bytes:
    """A piece written many times over."""
    start = random_.randrange(len(data))
    piece = data[start : start + random_.randrange(1, 400)]
    return data[:start] + piece * random_.choice((2, 20, 500)) + data[start:]


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flip_bits,
    truncate,
    cut_out,
    overwrite,
    hostile_numbers,
    hostile_page,
    twist_references,
    repeat_piece,
)


def read(data: bytes, settings: Settings, seconds: float) -> tuple[str, str]:
    """Outcome and message of reading ``data`` to the end in a thread that is given up after ``seconds``."""
    ended: list[tuple[str, str]] = []
    cancel = threading.Event()

    def run() -> None:
        try:
            for _ in load(data, "broken.pdf", settings, cancel=cancel):
                pass
            ended.append((Outcome.READ.value, ""))
        except LoadError as error:
            ended.append((error.outcome.value, error.message))
        except Exception:  # noqa: BLE001 - whatever escapes the loader is what this program looks for
            ended.append((Outcome.CRASH.value, traceback.format_exc()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        cancel.set()
        thread.join(SETTLE_SECONDS)
        return Outcome.TIMEOUT.value, f"over {seconds:g} seconds"
    return ended[0]


def play(number: int, files: Sequence[Path], seed: int, seconds: float) -> tuple[Round, bytes]:
    """One round, the same for the same number and seed."""
    random_ = random.Random(f"{seed}-{number}")
    path, way = random_.choice(files), random_.choice(WAYS)
    data = way(path.read_bytes(), random_) or b"%PDF-"
    settings = Settings(ocr="off", page_seconds=min(5.0, seconds / 3), load_seconds=0.75 * seconds)
    started = time.monotonic()
    others = children()
    outcome, message = read(data, settings, seconds)
    fault = ""
    if outcome not in NAMED or (outcome == Outcome.TIMEOUT.value and message.startswith("over")):
        fault = outcome
    elif "Traceback" in message or "\n" in message.strip():
        fault = "the message is not one sentence"
    elif not ended_beside(others):
        fault = "a process is left behind"
    return Round(
        number, path.name, way.__name__, outcome, round(time.monotonic() - started, 2), message, fault
    ), data


def children() -> set[psutil.Process]:
    """The processes below this one."""
    return set(psutil.Process().children(recursive=True))


def ended_beside(others: set[psutil.Process]) -> bool:
    """Whether all processes but ``others``, which ran before the round, end by themselves soon."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while children() - others:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """Play the rounds; the exit status is 1 when there was a fault."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so many")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(argv)
    files = sorted(path for path in options.folder.rglob("*.pdf") if 0 < path.stat().st_size <= MAX_BYTES)
    if not files:
        parser.error(f"there is no PDF of at most {MAX_BYTES // 2**20} MB in {options.folder}")
    rounds: list[Round] = []
    end = time.monotonic() + 60 * options.minutes
    for number in range(options.first, options.first + options.count):
        if rounds and time.monotonic() > end:
            break
        result, data = play(number, files, options.seed, options.seconds)
        rounds.append(result)
        if result.fault:
            print(
                f"round {number}: {result.file} {result.way}: {result.fault} {result.message[-300:]}",
                flush=True,
            )
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}-{hashlib.sha256(data).hexdigest()[:8]}.pdf").write_bytes(data)
        if len(rounds) % KEPT_EVERY == 0:
            write_rounds(rounds, options.out)
    faults = sum(bool(result.fault) for result in rounds)
    counts = Counter(result.outcome for result in rounds)
    print(f"{len(rounds)} rounds: " + ", ".join(f"{count} {name}" for name, count in counts.most_common()))
    print(f"faults: {faults}; slowest round {max(result.seconds for result in rounds):.1f} s")
    write_rounds(rounds, options.out)
    return int(faults > 0)


def write_rounds(rounds: Sequence[Round], out: Path | None) -> None:
    """The rounds played so far."""
    if out:
        out.write_text(json.dumps({"rounds": [asdict(result) for result in rounds]}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
