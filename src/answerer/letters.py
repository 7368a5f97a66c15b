"""Who sent a letter: told by its head, and by the name under its closing words."""

from __future__ import annotations

import re

from src.records import Document, Page

LAST_PAGES = 3  # a longer text is no letter
SHORT = 90  # characters of a line of the letter's head
SIGNED = 200  # characters behind the closing words that sign
_LETTER = r"(?:this|the|that|it|dieser?|der|cette|la|esta)?\s*(?:letter|mail|e-?mail|message|notice|brief|schreiben|lettre|carta)?"
SENDER = re.compile(
    rf"^\W*(?:who(?:['’]?s| is| was) {_LETTER} from|from whom is {_LETTER}|who (?:sent|signed|is sending|writes) (?:me |us )?{_LETTER}"
    rf"|(?:who(?:['’]?s| is) )?(?:the )?(?:sender|signatory)(?: of {_LETTER})?|von wem (?:ist|kommt) {_LETTER}|wer hat {_LETTER} (?:geschickt|unterschrieben)"
    rf"|de qui (?:est|vient) {_LETTER}|de quién es {_LETTER})\W*$",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"^\W*(?:dear|hello|hi|to whom it may concern|sehr geehrte\w*|liebe[rs]?|hallo|madame|monsieur|chère?|bonjour|estimad[oa]s?|hola)\b",
    re.IGNORECASE | re.MULTILINE,
)
CLOSING = re.compile(
    r"^\W*(?:(?:with )?(?:kind|best|warm|many)?\s*(?:regards|wishes)|yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|respectfully"
    r"|mit freundlichen grüßen|(?:freundliche|herzliche|viele|liebe) grüße|cordialement|bien à vous|veuillez agréer[^\n]*|atentamente|saludos)\b",
    re.IGNORECASE | re.MULTILINE,
)
_FROM = re.compile(r"^\s*(?:from|von|de|sender|absender)\s*[:\t]\s*\S", re.IGNORECASE)


def signature(document: Document) -> tuple[Page, int, int] | None:
    """Where a letter is signed: its page and the characters from its closing words on; None where none closes."""
    for page in reversed(document.pages[:LAST_PAGES]):
        closings = list(CLOSING.finditer(page.text))
        if closings:
            start = closings[-1].start()
            while page.text[start].isspace():
                start += 1
            end = min(len(page.text), start + SIGNED)
            cut = page.text.rfind("\n", start, end) if end < len(page.text) else end
            return page, start, max(cut, closings[-1].end())
    return None


def sender(lines: list[str], asks_signature: bool) -> str:
    """The line of a letter's first page that names who sends it, "" where it has no salutation or none is named."""
    for line in lines:
        if _FROM.match(line):
            return line.strip()
    greeted = next((place for place, line in enumerate(lines) if _SALUTATION.match(line)), None)
    if greeted and not asks_signature and len(lines[0]) <= SHORT and any(map(str.isalpha, lines[0])):
        return lines[0].strip()
    return ""
