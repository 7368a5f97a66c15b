"""Gets the PDFs that the question files ask about and checks each against its hash.

``python -m evaluation.fetch_documents --to DIR [--from DIR] [NAME ...]``

They are not committed. ``evaluation/documents.json`` holds name, public address, size and SHA-256 of each. ``--from``
takes them from a folder (in or below it) instead of fetching them. Files that are there and right are left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

MANIFEST = Path(__file__).parent / "documents.json"
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Listed:
    """A document of the manifest; ``url`` is empty where no lasting public address is known."""

    name: str
    sha256: str
    bytes: int
    url: str

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.pdf"


class UnavailableError(Exception):
    """A document that could not be got, with the reason."""


def read_manifest(path: Path = MANIFEST) -> tuple[Listed, ...]:
    """The documents of a manifest."""
    return tuple(Listed(**entry) for entry in json.loads(path.read_text(encoding="utf-8")))


def is_right(path: Path, listed: Listed) -> bool:
    """Whether ``path`` is the listed file, by its hash."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == listed.sha256


def from_folder(folder: Path) -> Callable[[Listed, Path], None]:
    """A source that copies the right file of that name out of ``folder``."""

    def get(listed: Listed, target: Path) -> None:
        found = sorted(folder.rglob(listed.file))
        right = [path for path in found if is_right(path, listed)]
        if not right:
            reason = "another content under that name" if found else "no such file"
            raise UnavailableError(f"{listed.file}: {reason} in {folder}")
        shutil.copyfile(right[0], target)

    return get


def from_address(listed: Listed, target: Path) -> None:
    """Fetch the listed file from its public address."""
    if not listed.url:
        raise UnavailableError(f"{listed.file}: no public address is known, use --from")
    request = urllib.request.Request(listed.url, headers={"User-Agent": "docengine-evaluation"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            data = reply.read(listed.bytes + 1)
    except OSError as error:
        raise UnavailableError(f"{listed.file}: {error}") from error
    if hashlib.sha256(data).hexdigest() != listed.sha256:
        raise UnavailableError(f"{listed.file}: {listed.url} now serves another content")
    target.write_bytes(data)


def fetch(
    wanted: Sequence[Listed], target: Path, get: Callable[[Listed, Path], None]
) -> tuple[list[str], list[str]]:
    """Bring ``wanted`` into ``target``; returns the names that are there and one sentence for each that is not."""
    target.mkdir(parents=True, exist_ok=True)
    there, faults = [], []
    for listed in wanted:
        path = target / listed.file
        part = path.with_suffix(".part")
        try:
            if not is_right(path, listed):
                get(listed, part)
                part.replace(path)  # a run cut off leaves no half file under the name
            there.append(listed.name)
        except UnavailableError as error:
            faults.append(str(error))
        finally:
            part.unlink(missing_ok=True)
    return there, faults


def main(argv: Sequence[str] | None = None) -> int:
    """Fetch or copy; exit status 1 when a document is missing."""
    parser = argparse.ArgumentParser(
        prog="evaluation.fetch_documents", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("names", nargs="*", help="only these (default: all)")
    parser.add_argument("--to", type=Path, required=True, help="where the PDFs go")
    parser.add_argument("--from", dest="folder", type=Path, help="a folder to take them from")
    options = parser.parse_args(argv)
    listed = read_manifest()
    unknown = set(options.names) - {each.name for each in listed}
    if unknown:
        parser.error(f"not in {MANIFEST.name}: {', '.join(sorted(unknown))}")
    wanted = [each for each in listed if not options.names or each.name in options.names]
    there, faults = fetch(wanted, options.to, from_folder(options.folder) if options.folder else from_address)
    print(f"{len(there)} of {len(wanted)} documents are in {options.to}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
