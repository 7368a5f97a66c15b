"""Check the gold questions against the PDFs and refuse every one that does not hold.

``python -m evaluation.build_gold --pdfs DIR [DIR ...]`` reads ``evaluation/gold/*.jsonl`` and exits with 1 and one
line a fault. What is checked: fields, unique ids, the split by hash of the id, the overlap of paraphrases with
their evidence, that evidence stands on its pages and on no other, that nothing answers the unanswerable.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import snowballstemmer

from evaluation.independent_text import IndependentDocument, find_pdf

GOLD = Path(__file__).parent / "gold"
NOT_QUESTIONS = frozenset({"alterations.jsonl", "tables.jsonl"})
KINDS = frozenset({"lexical", "paraphrase", "table", "multi", "everyday", "follow-up", "unanswerable"})
STEMMERS = {"en": "english", "de": "german", "fr": "french", "ar": "arabic", "ko": ""}
FIELDS: dict[str, type] = {
    "id": str,
    "doc": str,
    "question": str,
    "kind": str,
    "pages": list,
    "evidence": list,
    "answer": str,
    "language": str,
    "split": str,
}
OPTIONAL: dict[str, type] = {"scan": bool, "history": list, "absent": list}
TEST_BELOW = 0x66
MAX_EVIDENCE_WORDS = 14
MAX_SHARED = 0.25
STOPWORDS = frozenset(
    [
        "a",
        "about",
        "above",
        "after",
        "against",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "down",
        "during",
        "each",
        "few",
        "for",
        "from",
        "further",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "may",
        "me",
        "might",
        "more",
        "most",
        "much",
        "must",
        "my",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "or",
        "other",
        "our",
        "out",
        "over",
        "own",
        "per",
        "same",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "upon",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "you",
        "your",
        "many",
        "long",
        "often",
        "ever",
        "get",
        "give",
        "given",
        "go",
        "make",
        "made",
        "use",
        "used",
        "using",
        "let",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
        "ein",
        "eine",
        "einer",
        "eines",
        "einem",
        "einen",
        "und",
        "oder",
        "ist",
        "sind",
        "war",
        "wie",
        "was",
        "wer",
        "wo",
        "wann",
        "warum",
        "welche",
        "welcher",
        "welches",
        "welchen",
        "man",
        "sich",
        "in",
        "im",
        "auf",
        "an",
        "am",
        "zu",
        "zum",
        "zur",
        "von",
        "vom",
        "mit",
        "bei",
        "für",
        "aus",
        "nach",
        "über",
        "unter",
        "durch",
        "nicht",
        "kein",
        "keine",
        "es",
        "er",
        "sie",
        "wir",
        "ihr",
        "so",
        "als",
        "auch",
        "dass",
        "ob",
        "wenn",
        "dann",
        "le",
        "la",
        "les",
        "un",
        "une",
        "des",
        "du",
        "de",
        "d",
        "l",
        "et",
        "ou",
        "est",
        "sont",
        "était",
        "qui",
        "que",
        "quoi",
        "quel",
        "quelle",
        "quels",
        "quelles",
        "dans",
        "en",
        "sur",
        "sous",
        "par",
        "pour",
        "avec",
        "sans",
        "au",
        "aux",
        "ce",
        "cet",
        "cette",
        "ces",
        "se",
        "sa",
        "son",
        "ses",
        "il",
        "elle",
        "on",
        "nous",
        "vous",
        "ne",
        "pas",
        "plus",
        "a",
        "ont",
        "comment",
        "pourquoi",
    ]
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a question file, not yet believed."""

    file: str
    line: int
    fields: dict[str, Any]

    def fault(self, text: str) -> str:
        """One line for the author: where, which question, what is wrong."""
        return f"{self.file}:{self.line} {self.fields.get('id', '(no id)')}: {text}"


def split_of(identifier: str) -> str:
    """ "test" or "dev", by the first byte of the id's SHA-256: two in five questions are kept for the test."""
    return "test" if hashlib.sha256(identifier.encode()).digest()[0] < TEST_BELOW else "dev"


def content_words(text: str, language: str) -> frozenset[str]:
    """The stems of the words that carry meaning; numbers count as words."""
    words = [word for word in re.findall(r"\w+", text.casefold()) if word not in STOPWORDS]
    words = [word for word in words if len(word) > 1 or word.isdigit() or language == "ko"]
    name = STEMMERS.get(language, "")
    return frozenset(snowballstemmer.stemmer(name).stemWords(words) if name else words)


def read_entries(folder: Path) -> Iterator[Entry | str]:
    """The lines of the question files in ``folder``; a string is the fault of a line that is not a JSON object."""
    for path in sorted(folder.glob("*.jsonl")):
        if path.name in NOT_QUESTIONS:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                fields = json.loads(line)
            except json.JSONDecodeError as error:
                yield f"{path.name}:{number}: not JSON ({error.msg} at column {error.colno})"
                continue
            if isinstance(fields, dict):
                yield Entry(path.name, number, fields)
            else:
                yield f"{path.name}:{number}: a question is a JSON object, this is {type(fields).__name__}"


def form_faults(entry: Entry) -> list[str]:
    """What is wrong with a question as far as it can be seen without its PDF."""
    fields = entry.fields
    faults = [f"field {name!r} is missing" for name in FIELDS if name not in fields]
    known = FIELDS | OPTIONAL
    faults += [f"field {name!r} is unknown" for name in fields if name not in known]
    faults += [
        f"field {name!r} is {type(value).__name__}, expected {known[name].__name__}"
        for name, value in fields.items()
        if name in known and not isinstance(value, known[name])
    ]
    if faults:
        return faults
    if fields["kind"] not in KINDS:
        faults.append(f"kind is {fields['kind']!r}, expected one of {', '.join(sorted(KINDS))}")
    if fields["language"] not in STEMMERS:
        faults.append(f"language is {fields['language']!r}, expected one of {', '.join(sorted(STEMMERS))}")
    if fields["split"] != split_of(fields["id"]):
        faults.append(f"split is {fields['split']!r}, the hash of the id says {split_of(fields['id'])!r}")
    if not fields["question"].strip():
        faults.append("the question is empty")
    return faults + list(_kind_faults(fields))


def _kind_faults(fields: dict[str, Any]) -> Iterator[str]:
    if fields["kind"] == "unanswerable":
        for name in ("pages", "evidence", "answer"):
            if fields[name]:
                yield f"an unanswerable question has {name} {fields[name]!r}, expected none"
        if not fields.get("absent") and not fields.get("scan"):
            yield "an unanswerable question needs 'absent': words that no page holds together"
        return
    if "absent" in fields:
        yield "'absent' belongs to unanswerable questions only"
    for name in ("pages", "evidence", "answer"):
        if not fields[name]:
            yield f"{name} is empty"
    if not all(isinstance(page, int) and page > 0 for page in fields["pages"]):
        yield f"pages are {fields['pages']!r}, expected physical pages from 1"
    elif fields["pages"] != sorted(set(fields["pages"])):
        yield f"pages are {fields['pages']!r}, expected them in order and once each"
    for evidence in fields["evidence"]:
        if not isinstance(evidence, str) or not evidence.strip():
            yield f"evidence {evidence!r} is not a string with text"
        elif len(evidence.split()) > MAX_EVIDENCE_WORDS:
            yield f"evidence {evidence!r} has {len(evidence.split())} words, at most {MAX_EVIDENCE_WORDS} are quoted"
    if fields["kind"] == "follow-up" and not _is_history(fields.get("history")):
        yield 'a follow-up needs \'history\': earlier objects of "question" and "answer"'
    if fields["kind"] == "multi" and len(fields["evidence"]) < 2:
        yield "a multi question needs evidence from at least two places"


def _is_history(history: object) -> bool:
    return (
        isinstance(history, list)
        and bool(history)
        and all(
            isinstance(turn, dict)
            and set(turn) == {"question", "answer"}
            and all(isinstance(text, str) and text.strip() for text in turn.values())
            for turn in history
        )
    )


def page_faults(entry: Entry, document: IndependentDocument) -> list[str]:
    """What is wrong with a well-formed question against the text of its PDF; scans have no text to ask."""
    fields = entry.fields
    beyond = [page for page in fields["pages"] if page > len(document)]
    if beyond:
        return [f"pages {beyond} lie beyond the last page, {len(document)}"]
    if fields.get("scan"):
        return []
    if fields["kind"] == "unanswerable":
        pages = document.pages_with_all(fields["absent"])
        return [f"page {page} holds all of {fields['absent']!r}" for page in pages]
    faults, reached = [], set()
    for evidence in fields["evidence"]:
        found = set(document.pages_with(evidence))
        reached |= found
        if not found & set(fields["pages"]):
            faults.append(
                f"evidence {evidence!r} is not on pages {fields['pages']}, it is on {sorted(found)}"
            )
        elif found - set(fields["pages"]):
            extra = sorted(found - set(fields["pages"]))
            faults.append(f"evidence {evidence!r} is also on pages {extra}, which are not listed")
    bare = sorted(set(fields["pages"]) - reached)
    if bare and not faults:
        faults.append(f"pages {bare} hold none of the evidence")
    if fields["kind"] == "paraphrase" and not faults:
        faults += overlap_faults(fields, document)
    return faults


def overlap_faults(fields: dict[str, Any], document: IndependentDocument) -> list[str]:
    """A paraphrase may share at most a quarter of its content words with any sentence that holds its evidence."""
    asked = content_words(fields["question"], fields["language"])
    faults = []
    for evidence in fields["evidence"]:
        for page in sorted(set(document.pages_with(evidence)) & set(fields["pages"])):
            sentence = document.sentence_around(page, evidence)
            shared = asked & content_words(sentence, fields["language"])
            if len(shared) > MAX_SHARED * len(asked):
                faults.append(
                    f"the paraphrase shares {len(shared)} of {len(asked)} content words "
                    f"({', '.join(sorted(shared))}) with the sentence of {evidence!r} on page {page}"
                )
    return faults


def check(folder: Path, pdfs: Iterable[Path]) -> tuple[list[Entry], list[str]]:
    """The questions of ``folder`` and every fault found in them."""
    entries, faults = [], []
    for read in read_entries(folder):
        if isinstance(read, str):
            faults.append(read)
        else:
            entries.append(read)
    folders = list(pdfs)
    seen: dict[str, Entry] = {}
    documents: dict[str, IndependentDocument | str] = {}
    for entry in entries:
        problems = form_faults(entry)
        identifier = str(entry.fields.get("id"))
        if identifier in seen:
            first = seen[identifier]
            problems.append(f"the id is taken by {first.file}:{first.line}")
        seen.setdefault(identifier, entry)
        if not problems:
            doc = entry.fields["doc"]
            if doc not in documents:
                documents[doc] = _open(doc, folders)
            document = documents[doc]
            problems = [document] if isinstance(document, str) else page_faults(entry, document)
        faults += [entry.fault(problem) for problem in problems]
    return entries, faults


def _open(doc: str, folders: list[Path]) -> IndependentDocument | str:
    try:
        return IndependentDocument(find_pdf(doc, folders))
    except FileNotFoundError as error:
        return str(error)


def summary(entries: list[Entry]) -> str:
    """How many questions there are, by kind, language and split."""
    lines = [f"{len(entries)} questions over {len({entry.fields.get('doc') for entry in entries})} documents"]
    for name in ("kind", "language", "split"):
        counts = Counter(str(entry.fields.get(name)) for entry in entries)
        lines.append(f"{name}: " + ", ".join(f"{value} {count}" for value, count in counts.most_common()))
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Print the faults or the summary; 1 when a question is refused."""
    parser = argparse.ArgumentParser(description="Check the gold questions against their PDFs.")
    parser.add_argument(
        "--pdfs", type=Path, nargs="+", required=True, metavar="DIR", help="searched with subfolders"
    )
    parser.add_argument("--gold", type=Path, default=GOLD, metavar="DIR", help="folder of question files")
    arguments = parser.parse_args(argv)
    entries, faults = check(arguments.gold, arguments.pdfs)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults in {len(entries)} questions" if faults else summary(entries))
    return 1 if faults or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
