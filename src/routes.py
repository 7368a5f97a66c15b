"""Which way a question goes: into the documents, over a whole document, across several, or no document at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from src.answerer.questions import read_question
from src.records import BlockKind, Document
from src.settings import Settings


class Route(StrEnum):
    """The ways; their names are those of ``Answer.route``."""

    DOCUMENT = "document"
    SUMMARY = "summary"
    COMPARE = "compare"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Way:
    """A route with what it is limited to: ``documents`` (ids named in the question, empty for all), ``pages``, and
    the heading that ``topic`` names. ``listing`` says that a list of everything is asked for."""

    route: Route
    documents: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    topic: str = ""
    listing: bool = False


LONGEST_PLAIN = 400  # characters; a longer text is no greeting, no request for a summary, and slow to match
_WHOLE = (
    r"(?:(?:this|the|that|these|those|my|our|all|both|entire|whole|full|uploaded|attached|each|it)\s+)*"
    r"(?:documents?|papers?|pdfs?|reports?|files?|articles?|books?|texts?|manuals?|contracts?|agreements?|slides?|presentation"
    r"|thesis|study|brochure|handbook|guide|whitepaper|policy|it|this|them|everything)"
)
_PLEASE = r"^(?:(?:please|kindly|can you|could you|would you|will you|i want you to|i need you to|let us|let's|now|ok|hi|hello)[,]?\s+)*"
_AMOUNT = r"(?:\s+(?:in|with|as|using|to|for|within)\s+.{1,60})?"
_SUMMARY = re.compile(
    rf"{_PLEASE}(?:"
    rf"(?:give|write|provide|make|create|show|prepare|i need|i want|i'd like)?\s*(?:me\s+|us\s+)?(?:an?\s+|the\s+)?"
    rf"(?:(?:short|brief|quick|concise|executive|one[- ]page|high[- ]level|general|detailed|one[- ]paragraph|bullet(?:ed)?(?:[- ]point)?)\s+)*"
    rf"(?:summary|overview|abstract|synopsis|outline|recap|tl;?dr|gist|digest)(?:\s+(?:of|on|for|about)\s+{_WHOLE})?{_AMOUNT}"
    rf"|(?:briefly\s+|quickly\s+)?(?:summari[sz]e|recap|sum up|outline|condense)(?:\s+{_WHOLE})?(?:\s+for me)?{_AMOUNT}"
    rf"|what(?:'s|\s+is|\s+are|\s+does)\s+{_WHOLE}\s+(?:all\s+)?(?:about|say|cover|discuss|deal with|contain|describe)"
    rf"|what\s+(?:is|are|does)\s+{_WHOLE}\s+(?:talk|talking)\s+about"
    rf"|what(?:'s|\s+is)\s+in\s+{_WHOLE}"
    rf"|(?:what(?:'s| is| are)|list|give me|tell me|show me|name)?\s*(?:me\s+)?(?:the\s+)?(?:main|key|central|most important|major|principal|core)\s+"
    rf"(?:points?|ideas?|topics?|takeaways?|themes?|messages?|findings?|arguments?|contents?|insights?|facts)"
    rf"(?:\s+(?:of|in|from)\s+{_WHOLE})?(?:\s+(?:made|covered|discussed))?{_AMOUNT}"
    rf"|(?:give me |write )?(?:a )?tl;?dr"
    rf"|(?:summari[sz]e|sum up|list|outline)\s+(?:the|its)\s+(?:main|key|central|most important)\s+(?:points?|ideas?|topics?|takeaways?|findings?){_AMOUNT}"
    rf"|(?:describe|explain)\s+(?:what\s+)?(?:the|this)\s+(?:document|paper|pdf|report|file|article|book|text)(?:\s+(?:is about|to me|says))?"
    rf"|(?:bitte\s+)?(?:fasse?|fass)\s+(?:bitte\s+)?(?:das|dieses|den|diesen|die|diese)\s+\w+\s+zusammen|(?:eine\s+)?(?:kurze\s+)?zusammenfassung"
    rf"(?:\s+(?:des|der|von)\s+.{{1,40}})?|worum\s+geht(?:\s+es|['’]?s)(?:\s+(?:in|hier)\b.{{0,40}})?"
    rf"|(?:r[ée]sume[rz]?|r[ée]sum[ée])(?:\s+(?:moi|de|du|le|la|ce|cet|cette)\b.{{0,40}})?|de\s+quoi\s+(?:parle|traite)\b.{{1,40}}"
    rf"|(?:resume|resumir|resumen)(?:\s+(?:el|la|este|esta|de|del)\b.{{0,40}})?|de\s+qu[eé]\s+trata\b.{{0,40}}"
    r")\s*[?.!]*$",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"{_PLEASE}(?:briefly\s+)?(?:summari[sz]e|sum up|recap|outline|(?:give me |write )?(?:an?\s+)?(?:short\s+|brief\s+)?(?:summary|overview)\s+of)\s+"
    r"(?P<part>.{2,80}?)\s*[?.!]*$",
    re.IGNORECASE,
)
# a question that only names a section: "what's the conclusion?", "limitations?"
_SECTION = re.compile(
    rf"{_PLEASE}(?:what(?:['’]?s|\s+(?:is|are|was|were|does))?|tell me|give me|show me|list|state|quote|describe|explain)?\s*(?:me\s+)?(?:the|its|their)?\s*"
    r"(?:(?:main|key|overall|final|authors['’]?|paper['’]?s|report['’]?s)\s+)*"
    r"(?P<part>conclusions?|concluding remarks|limitations?|future work|abstract|executive summary|introduction|contributions?|discussion"
    r"|recommendations?|related work|background|purpose|scope|methodology)"
    rf"(?:\s+(?:of|in|from|(?:made |drawn )?(?:by|in))\s+{_WHOLE})?(?:\s+say)?\s*[?.!]*$"
    r"|(?:was|wie|welches?)\s+(?:ist|lautet|sind)\s+(?:das|die|der)\s+(?P<de>fazit|schlussfolgerung(?:en)?|zusammenfassung)\s*[?.!]*$"
    r"|quelles?\s+(?:est|sont)\s+(?:la|les)\s+(?P<fr>conclusions?|limites?)\s*[?.!]*$",
    re.IGNORECASE,
)
_SPACED = (
    r"[0-9A-Za-z\u00C0-\u024F\u0370-\u052F]"  # digits, and letters of scripts that put spaces between words
)
_NUMBER = re.compile(r"^(?:[\divxlc]+[. )]+(?:\d+[. )]*)*)?", re.IGNORECASE)
_PAGES = re.compile(
    r"\b(?:pages?|pp?\.)\s+(\d{1,4})(?:\s*(?:-|–|to|and|through)\s*(\d{1,4}))?", re.IGNORECASE
)
_LISTING = re.compile(
    rf"{_PLEASE}(?:list|enumerate|name|find|show(?: me)?|give me|extract|identify|collect|what are)\s+(?:me\s+)?(?:(?:a|the)\s+(?:full|complete)\s+list\s+of"
    r"|(?:all|every|each)(?:\s+(?:of\s+)?the)?)\s+(?!\w+ing\b)\w+",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"\b(?:compare[ds]?|comparison|contrast|differences?\s+between|differ(?:s|ed)?|versus|vs\.?|in common"
    r"|(?:both|each|all|these|the two|the three|every|which)(?:\s+of)?(?:\s+(?:the|these|those|two|three|my))*\s+"
    r"(?:documents?|papers?|reports?|files?|pdfs?|contracts?|versions?|manuals?))\b",
    re.IGNORECASE,
)
_SET = r"(?:documents?|papers?|reports?|files?|pdfs?|contracts?|versions?|manuals?|ones?|of them)"
_FRAME = re.compile(
    r"\b(?:please\s+)?(?:compare[ds]?|comparison of|contrast|what (?:is|are) the (?:main |key )?(?:differences?|similarit(?:y|ies))(?: between)?|differences? between"
    rf"|how (?:do|does)(?=.*\bdiffer)|differ(?:s|ed)?(?: from)?|versus|vs\.?|in common)\b"
    rf"|\b(?:in|of|by|from|across|between|among|for|do|does)?\s*(?:(?:both|each|all|these|those|every|either|the|two|three|my|of)\s+)+{_SET}\b"
    rf"|\bwhich\s+{_SET}\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:hi|hey|hello|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|moin|servus"
    r"|bonjour|bonsoir|salut|hola|buenos d[ií]as|buenas tardes|ciao|buongiorno|ol[áa]|namaste|привет|здравствуйте|你好|こんにちは|안녕하세요)"
    r"(?:[,!. ]+(?:there|all|everyone|docengine|bot|assistant|again))?[\s!.,?]*$",
    re.IGNORECASE,
)
_HOW_ARE_YOU = re.compile(
    r"^(?:(?:hi|hey|hello)[,!. ]+)?(?:how are you(?: doing)?(?: today)?|how's it going|what's up|wie geht(?:'s| es)(?: dir)?|ça va)[\s!.?]*$",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"^(?:(?:ok|okay|great|perfect|good|nice|super|wonderful|cool|awesome|excellent|alright)[,!. ]*)*(?:thanks|thank you|thx|ty|cheers|many thanks|danke(?: schön)?"
    r"|vielen dank|merci(?: beaucoup)?|gracias|grazie|obrigad[oa]|спасибо|谢谢|ありがとう)?(?:[,!. ]+(?:so much|very much|a lot|for (?:your|the) help|again))*[\s!.]*$",
    re.IGNORECASE,
)
_BYE = re.compile(
    r"^(?:bye|goodbye|see you(?: later)?|good night|tsch[üu]ss|auf wiedersehen|au revoir|adi[óo]s)[\s!.]*$",
    re.IGNORECASE,
)
_APP = r"(?:you|docengine|this (?:app|application|tool|site|page|program|service|chat|assistant|bot)|the (?:app|application|tool|chatbot|assistant))"
_ABOUT_APP: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "model",
            rf"^(?:which|what)\s+(?:ai|llm|language\s+model|model|gpt)\s+(?:do|does|are|is)\s+{_APP}\b.{{0,30}}$|^are you (?:chat\s?gpt|gpt.{{0,5}}|claude|gemini|an? (?:ai|llm|bot|robot|human|person))[\s?]*$",
        ),
        (
            "privacy",
            rf"^(?:is|are)\s+my\s+(?:data|documents?|files?|pdfs?|uploads?|questions?)\s+(?:safe|private|stored|saved|kept|secure|shared|confidential)\b.{{0,40}}$|^(?:do|does|will)\s+{_APP}\s+(?:store|save|keep|share|upload|send)\s+(?:my|the|any|our)\b.{{0,40}}$|^where\s+(?:is|are|do)\s+my\s+(?:data|documents?|files?|pdfs?|uploads?)\s+(?:stored|kept|go|saved|sent)[\s?]*$",
        ),
        (
            "upload",
            r"^how\s+(?:do|can)\s+i\s+(?:upload|add|load|open|delete|remove)\s+(?:an?|my|the|another|more|several)\s+(?:documents?|pdfs?|files?)[\s?]*$",
        ),
        (
            "files",
            rf"^(?:which|what)\s+(?:file\s+)?(?:types?|formats?|files?)\s+(?:can|do|does|are)\s+(?:{_APP}|i|supported)\b.{{0,40}}$|^can\s+{_APP}\s+(?:read|open|handle|process)\s+(?:scans?|scanned|images?|tables?|word|excel|pdfs?|handwriting)\b.{{0,30}}$",
        ),
        (
            "what",
            rf"^(?:who|what)\s+are\s+you[\s?]*$|^what(?:'s| is)\s+(?:docengine|your name|this (?:app|tool|site|page))\b[\s?]*$|^what\s+can\s+(?:{_APP}\s+(?:do|help)(?:\s+(?:for me|here|with|me with))?|i\s+ask(?:\s+(?:you|here))?)[\s?]*$|^how\s+(?:do|does|can)\s+(?:{_APP}|i use (?:this|it|the app|docengine|this app|this tool))\s*(?:work|function)?[\s?]*$|^how\s+can\s+you\s+help(?:\s+me)?[\s?]*$|^(?:can\s+you\s+)?help(?:\s+me)?[\s?!.]*$|^who\s+(?:made|built|created|wrote)\s+{_APP}[\s?]*$|^what\s+do\s+you\s+do[\s?]*$",
        ),
        (
            "check",
            rf"^how\s+(?:do|does)\s+{_APP}\s+(?:check|verify|cite)\b.{{0,40}}$|^(?:can|should)\s+i\s+trust\s+(?:{_APP}|your answers?|the answers?)[\s?]*$|^(?:do|can)\s+you\s+(?:make (?:things|stuff) up|hallucinate|lie)[\s?]*$",
        ),
    )
)


def choose_way(question: str, documents: Sequence[Document]) -> Way:
    """The way of the standalone ``question``. Cautious: what is not plainly something else asks the documents."""
    text = _plain(question)
    if len(text) > LONGEST_PLAIN:
        return Way(Route.DOCUMENT, documents_named(text, documents))
    if chat_topic(text):
        return Way(Route.CHAT)
    named = documents_named(text, documents)
    bare = _without_names(text, documents)
    if _SUMMARY.match(text) or _SUMMARY.match(bare):
        return Way(Route.SUMMARY, named)
    if match := _PART.match(text):
        part = match["part"]
        if pages := _PAGES.search(part):
            first = int(pages[1])
            return Way(Route.SUMMARY, named, tuple(range(first, int(pages[2] or first) + 1)[:200]))
        if any(_same_heading(part, heading) for document in documents for heading in _headings(document)):
            return Way(Route.SUMMARY, named, topic=part)
    if (match := _SECTION.match(text)) and (topic := _section_named(match, documents)):
        return Way(Route.SUMMARY, named, topic=topic)
    if len(documents) > 1 and (len(named) > 1 or (_COMPARE.search(text) and len(named) != 1)):
        return Way(Route.COMPARE, named)
    if _LISTING.match(text):
        return Way(Route.DOCUMENT, named, listing=True)
    return Way(Route.DOCUMENT, named)


def _section_named(match: re.Match[str], documents: Sequence[Document]) -> str:
    """The heading that a question which only names a section means; "" when no document has it."""
    part = next(group for group in match.groups() if group).casefold()
    wanted = [re.escape(part.rstrip("s")) + "s?"]
    if part.startswith("conclu"):  # papers that have none close with a discussion or a summary
        wanted = [r"(?:summary and |discussion and )?conclu\w+", "discussion", "summary"]
    bare = [_NUMBER.sub("", " ".join(h.split())) for document in documents for h in _headings(document)]
    for words in wanted:
        # "Limitation of Liens" is another thing
        pattern = re.compile(rf"{words}(?:,? and [\w ]+)?\W*$", re.IGNORECASE)
        if found := next((heading for heading in bare if pattern.match(heading)), ""):
            return found
    return ""


def documents_named(question: str, documents: Sequence[Document]) -> tuple[str, ...]:
    """Ids of the documents whose file name or title stands in ``question``; only asked when there are several."""
    if len(documents) < 2:
        return ()
    folded = _folded(question)
    return tuple(d.id for d in documents if any(_standing(name).search(folded) for name in _names(d)))


def single_question(question: str, documents: Sequence[Document]) -> str:
    """What a comparing question asks of each document alone; "" when it names nothing but the documents."""
    text = _without_names(question, documents)
    text = re.sub(
        r"\bthe document(?:(?:,| and| or| to| with| vs\.?| versus)+ the document)*\b",
        " ",
        text,
        flags=re.IGNORECASE,
    )
    text = _FRAME.sub(" ", text)
    text = re.sub(
        r"^\W*(?:(?:in|of|on|for|between|and|or|with|to|the|by|about|regarding|terms)\W+)+",
        "",
        " ".join(text.split()),
    )
    text = re.sub(r"(?:\s+(?:in|of|on|for|between|and|or|with|to|the|from|across|among))+\W*$", "?", text)
    return text if read_question(text).stems else ""


def heading_matches(topic: str, headings: Sequence[str]) -> bool:
    """Whether a section under ``headings`` is the one ``topic`` names ("section 3", "the risk factors")."""
    return any(_same_heading(topic, heading) for heading in headings)


def chat_topic(question: str) -> str:
    """What a question that no document can answer is about ("greeting", "model", ...); "" for all others."""
    text = _plain(question)
    if len(text) > LONGEST_PLAIN or not any(c.isalpha() for c in text):
        return ""
    for name, pattern in (
        ("greeting", _GREETING),
        ("wellbeing", _HOW_ARE_YOU),
        ("thanks", _THANKS),
        ("bye", _BYE),
    ):
        if pattern.match(text):
            return name
    return next((name for name, pattern in _ABOUT_APP if pattern.match(text)), "")


def chat_answer(topic: str, documents: Sequence[Document], settings: Settings) -> str:
    """The answer to a question about the app itself, true for these settings."""
    ask = (
        "Ask about it and the answer comes with the pages it rests on."
        if documents
        else "Add a PDF to begin."
    )
    host = settings.openai_base_url or "the OpenAI service"
    sent = (
        f"passages of them go to {host} with each question"
        if settings.uses_model
        else "nothing leaves this machine"
    )
    match topic:
        case "greeting":
            return f"Hello. {ask}"
        case "wellbeing":
            return f"Ready to read. {ask}"
        case "thanks":
            return "You are welcome."
        case "bye":
            return "Goodbye."
        case "model":
            if settings.uses_model:
                return f"The answers are written by the model {settings.model}, and every citation is checked by code."
            return "No language model writes the answers: they are quoted from the document."
        case "privacy":
            return (
                f"Documents are held in memory only, for at most {settings.hold_minutes:.0f} minutes after their last use;"
                f" {sent}."
            )
        case "upload":
            return "Drop PDF files into the upload field; each can be removed again in the list of documents."
        case "files":
            return "PDF files, with text, tables, forms or scanned pages; pages that could not be read are named."
        case "check":
            return (
                "Every quote and number is looked up on the page it cites; sentences that the page does not support are"
                " struck, and a click on a citation shows the words marked on the page."
            )
    return (
        "DocEngine answers questions about PDF documents and shows the page and the words each answer rests on; it says"
        f" so when a document does not hold the answer. {ask}"
    )


def _headings(document: Document) -> list[str]:
    found = [entry.title for entry in document.outline]
    for page in document.pages:
        found += [page.text[b.start : b.end] for b in page.blocks if b.kind is BlockKind.HEADING]
    return found


def _same_heading(part: str, heading: str) -> bool:
    wanted = re.sub(r"^(?:the|this|its)\s+|\s+(?:section|chapter|part|paragraph)$", "", _folded(part)).strip()
    given = _folded(heading)
    if match := re.match(r"(?:section|chapter|part|appendix|annex|article)\s+([\w.]+)$", wanted):
        return bool(
            re.match(
                rf"(?:(?:section|chapter|part|appendix|annex|article)\s+)?{re.escape(match[1])}(?:\s|$)",
                given,
            )
        )
    given = re.sub(r"^(?:(?:section|chapter|part|appendix)\s+)?[\divxlc]+(?:\s\d+)*\s+", "", given)
    return bool(wanted) and (
        given == wanted or given.startswith(wanted + " ") or given.endswith(" " + wanted)
    )


def _names(document: Document) -> list[str]:
    stem = _folded(re.sub(r"\.pdf$", "", document.name, flags=re.IGNORECASE))
    title = _folded(document.title)
    return [name for name in dict.fromkeys((stem, title)) if len(name) >= 4 and not name.isdigit()]


def _without_names(question: str, documents: Sequence[Document]) -> str:
    text = question
    for document in documents:
        for name in (
            document.name,
            re.sub(r"\.pdf$", "", document.name, flags=re.IGNORECASE),
            document.title,
        ):
            if len(name) >= 4:
                text = _standing(name).sub("the document", text)
    return re.sub(r"\bthe the document\b", "the document", text)


def _standing(name: str) -> re.Pattern[str]:
    """Finds ``name`` where it is not part of a longer word or number: "house 1" is not named by "house 17"."""
    return re.compile(rf"(?<!{_SPACED}){re.escape(name)}(?!{_SPACED})", re.IGNORECASE)


def _plain(question: str) -> str:
    """One line, without the signs that open a question or a call in Spanish."""
    return " ".join(question.split()).lstrip("¿¡ ")


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold().replace("_", " ")))
