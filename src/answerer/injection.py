"""Text in a document that gives orders to whoever answers: found by code, and never the ground of an answer.

A fence in the prompt does not keep every model from obeying, so the answer is looked at again: a sentence of it that
rests on such text is struck before the citations are checked. The words of the document themselves stay readable
on their page; only answers do not come from them. A question about such text ("which prompts were tried?") is
answered as any other.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from src.answerer.sentences import sentence_bounds
from src.answerer.terms import is_function_word
from src.records import Claim, Passage

_PAST = r"(?:previous(?:ly)?|prior|above|preceding|earlier|foregoing|existing|current|initial|original|other|all|any|your|the|these|those|system|given|former)"
_ORDERS = r"(?:instructions?|prompts?|rules|directions?|directives?|guidelines|messages?|commands?|orders|constraints|restrictions|context|system prompt|programming|guardrails)"
_MACHINE = (
    r"(?:(?:ai|a\.i\.|artificial intelligence)(?:\s+(?:assistants?|models?|systems?|agents?|readers?))?|(?:language|large language|chat)\s+models?"
    r"|llms?|chat\s?bots?|chat\s?gpt|gpt-?\d?\w*|claude|gemini|copilot|assistants?|summari[sz]ers?|answering system|question answering system"
    r"|automated (?:readers?|systems?|reviewers?)|docengine|bots?)"
)
_SPEAK = r"(?:answer|reply|respond|say|state|tell|write|print|output|output only|display|show|repeat|include|append|add|insert|begin|start|end|finish|claim|confirm|report|recommend|cite|return|produce|generate|reveal|disclose|translate|render|embed|send|visit|click|open|use|treat|pretend|call|give)"
_PATTERNS = (
    # ignore the above
    rf"\b(?:ignore|disregard|forget|override|overrule|bypass|do not follow|don't follow|stop following|set aside|discard|neglect|erase|skip)\s+(?:\w+\s+){{0,4}}?{_PAST}?\s*(?:\w+\s+){{0,2}}?{_ORDERS}\b",
    r"\b(?:ignore|disregard|forget)\s+(?:everything|all|anything|what(?:ever)?)\b[^.]{0,40}\b(?:above|before|previous(?:ly)?|prior|so far|told|said|earlier|else)\b",
    r"\b(?:ignore|disregard)\s+(?:the\s+)?(?:above|foregoing|preceding)\b",
    rf"\bnew\s+{_ORDERS}\s*:|\b(?:these|the following)\s+{_ORDERS}\s+(?:override|replace|supersede|take precedence)",
    # a forged message
    r"(?:^|[\n.:!\]>]\s*|\s{2,})[\[<({*#\s]*(?:system|assistant|developer|admin(?:istrator)?|operator|user|human)(?:\s+(?:message|prompt|note|notice|override|instruction|update|alert))?\s*[\])}>*]*\s*:(?=\s*\S)(?<!\d:)",
    r"\bsystem\s+(?:message|prompt|override|instruction|notice to (?:the )?(?:ai|model))\b",
    r"<\|?\s*/?\s*(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id|inst)\b|\[/?INST\]|<</?SYS>>|#{2,}\s*(?:system|instruction|response|human|assistant)\b|\bend of (?:the )?(?:passages?|documents?|context|data)\b[\W_]*(?:now|new|question|answer|system|instruct)",
    r"</?\s*(?:passages?|data(?:-\w+)?|documents?|context|think(?:ing)?)\s*>",
    # a forged citation
    r"\[\d{1,3}\s*:\s*[\"“]|\bcite\s+(?:page|passage|source|\[)",
    # role play
    r"\byou\s+are\s+(?:now|no longer|from now on|hereby)\s+(?:an?\s|the\s|my\s|called|named|acting|operating|playing|free\b|unrestricted|bound|subject to|in\s+\w+\s+mode|going to (?:act|answer)|required to (?:answer|act)|\w*bot\b|dan\b)|\bfrom now on,?\s+(?:you|answer|always|respond|reply|act|every|each|all)\b|\b(?:act|behave|respond|answer)\s+as\s+(?:if you (?:are|were)|though you|an?\s+(?:unrestricted|evil|different|pirate|jailbroken|uncensored|helpful))\b"
    r"|\bpretend\s+(?:to be|that you|you are|you're)\b|\b(?:developer|debug|god|dan|jailbreak|maintenance)\s+mode\b|\bdo anything now\b|\byour\s+(?:new|true|real|only)\s+(?:task|goal|role|purpose|job|instructions?|identity|objective)\b|\bas an? (?:ai|language model)\b",
    # orders to the machine that reads
    rf"\b(?:dear|attention|note (?:to|for)|notice (?:to|for)|message (?:to|for)|instructions? (?:to|for)|important (?:note |notice |information )?(?:to|for)|hey|hello|hi)\s*:?\s*(?:all\s+|any\s+|the\s+|every\s+)?{_MACHINE}\b",
    rf"\b(?:if|when|whenever)\s+you\s+(?:are|'re)\s+(?:an?\s+|the\s+)?{_MACHINE}\b",
    rf"\b(?:the\s+|all\s+|any\s+|every\s+|an?\s+)?{_MACHINE}\s+(?:must|should|shall|will|is required to|are required to|has to|have to|needs to|is instructed to|are instructed to|reading this|processing this|summari[sz]ing this)\b[^.]{{0,60}}\b{_SPEAK}\b",
    r"\b(?:any|every|all|each|your|the|this|that|their)\s+(?:user(?:'s)?|reader(?:'s)?)?\s*(?:question|answer|response|reply|query|summary|output)s?\b[^.]{0,60}\b(?:must|should|shall|has to|have to|needs to)\s+(?:(?:only|always|also|now)\s+)?(?:be|include|contain|begin|start|end|say|state|consist|read|mention|cite)\b",
    r"\b(?:answer|reply to|respond to|treat)\s+(?:(?:all|any|every|each|the|this|that|your|future|following|user'?s?|reader'?s?)\s+)+(?:questions?|queries|query|prompts?|requests?|messages?)\b[^.]{0,40}?\s(?:with|by|as|only|using)\b"
    r"|\b(?:end|begin|start|finish|prefix|replace|preface|append|translate|rewrite)\s+(?:(?:to|all|any|every|each|the|your|future|of)\s+)+(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))\b"
    r"|\b(?:reveal|disclose|print|output|repeat|show|leak|send|display|tell|write|give|email|forward)\s+(?:(?:me|us|out|the|your|all|any|whole|entire|full|this|user'?s?)\s+)+(?:system prompt|hidden prompt|initial prompt|prompt|conversation(?: history)?|chat(?: history)?|api[- ]?keys?|secret keys?|credentials|environment variables|instructions above)\b"
    r"|\b(?:tell|inform|assure|convince|advise|instruct|ask)\s+(?:the|every|all|any|your)\s+(?:users?|person asking|questioner|asker)\b"
    r"|\b(?:the|your)\s+(?:only\s+|correct\s+|right\s+|true\s+)*answer\s+(?:to\s+(?:all|any|every|each|whatever|this|the)\s+(?:\w+\s+){0,3}?questions?\s+)?is\s+(?:always|now)\b|\banswer\s+to\s+(?:all|any|every)\s+(?:\w+\s+){0,3}?questions?\b",
    r"(?:^|[.!?:;]\s*|\b(?:please|then|and|instead|now|must|always|only|simply|just|should)\s+)(?:answer|reply|respond)\s+(?:(?:only|exactly|just|always|instead|solely|back)\s+)*(?:with|in|by|that|as|to)\b[^.]{0,30}(?:[\"“'‘:]|\b(?:word|phrase|sentence|text|pirate|json|base64|rhyme|poem|one word|nothing but)\b)",
    r"\b(?:when|if|whenever)\s+(?:you(?:'re| are)\s+)?(?:asked|questioned|prompted|queried)\b[^.]{0,80}\b(?:say|answer|reply|respond|state|claim|tell|write|output)\b",
    r"\b(?:regardless of|no matter|whatever)\s+(?:what\s+)?(?:the\s+|is\s+)?(?:question|query|user|asked|prompt)\b",
    # the machine addressed as such
    r"(?:^|[.!?]\s*)(?:ai|assistants?|chat\s?bots?|llms?|language models?|machines?)(?:\s+(?:readers?|systems?|models?|assistants?))?\s*[:,]\s*(?:please\s+)?(?:treat|confirm|say|state|answer|reply|respond|report|claim|mention|ignore|do|write|include|omit|rate|approve)\b"
    r"|\b(?:read|processed|parsed|summari[sz]ed)\s+by\s+(?:an?|any|the)\s+(?:machine|ai|llm|language model|chat\s?bot|bot)\b|\b(?:the|any)\s+(?:machine|model|program|software|system)\s+(?:that\s+)?(?:reading|reads|processing|processes)\s+this\s+(?:text|file|document|page)\b"
    r"|\b(?:whoever|anyone who|whatever)\s+(?:reads|processes|parses|summari[sz]es)\s+this\s+(?:text|file|document|page)\s+(?:shall|must|should|will)\b"
    r"|\bthe\s+(?:machine|assistant|chat\s?bot|llm)\s+(?:should|must|shall)\s+(?:quote|report|rate|grade|mention|omit|approve|skip)\b|\b(?:admin|system|developer|root)\s+override\b|\b(?:reset|clear|wipe)\s+your\s+(?:context|memory|instructions|state)\b"
    r"|(?:^|[.!?:]\s*)(?:say|write|reply|answer|respond|output|print|translate)\b[^.]{0,80}\bnothing else\b|(?:^|[.!?:]\s*)(?:respond|reply|answer)\s+(?:only\s+)?in\s+(?:english|french|german|spanish|italian|latin|rhyme|json|capitals|capital letters)\b"
    r"|\byour\s+(?:own\s+)?instructions\s+(?:verbatim|word for word)\b|\b(?:answer|reply|respond|say)\b[^.]{0,30}\bthe user'?s\s+(?:question|query|request)\b"
    r"|\bwhen(?:ever)?\s+(?:generating|writing|producing)\s+(?:a|the|any)\s+(?:summary|answer|response|reply)\b|\bdo not summari[sz]e\s+(?:this|the)\s+(?:page|document|text|section|file)\b",
    # ways out for data
    r"!\[[^\]]*\]\(\s*(?:https?:|//|data:)|\]\(\s*(?:javascript|data):|<\s*(?:img|script|iframe|a\s+href|svg|meta|link)\b|\b(?:append|add|encode|put|include|insert)\b[^.]{0,60}\b(?:url|link|image|query string|parameter)\b[^.]{0,60}(?:https?://|question|answer|conversation|history)",
    # other languages
    r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie)\b[^.]{0,50}\b(?:anweisung\w*|instruktion\w*|regel\w*|vorgabe\w*|alles)\b|\bantworte\w*\s+(?:\w+\s+){0,3}?(?:nur|immer|ausschließlich|stattdessen|mit)\b",
    r"\b(?:ignore[zr]?|oublie[zr]?|ne tenez pas compte)\b[^.]{0,50}\b(?:instructions?|consignes?|règles?|directives?|tout)\b|\b(?:répond(?:s|ez)|réponds)\s+(?:\w+\s+){0,3}?(?:uniquement|seulement|toujours|par|plutôt)\b",
    r"\b(?:ignor[ae]d?|olvid[ae]|haz caso omiso|desobedece)\b[^.]{0,50}\b(?:instrucci[oó]n\w*|[oó]rdenes|reglas|indicaciones|todo)\b|\brespond[ae]\s+(?:\w+\s+){0,3}?(?:solo|sólo|solamente|únicamente|siempre|con)\b",
    r"\b(?:ignor[ae]|ignorate|dimentica|esqueça|desconsidere)\b[^.]{0,50}\b(?:istruzion\w*|regole|instruç\w*|regras|tutto|tudo)\b|\b(?:negeer|vergeet)\b[^.]{0,50}\b(?:instructies|regels|opdrachten)\b|\b(?:zignoruj|ignoruj)\b[^.]{0,50}\b(?:instrukcj\w*|polecen\w*|pokyn\w*)\b",
    r"(?:игнорир\w*|забуд\w*|не обращай\w*)[^.]{0,50}(?:инструкц\w*|указан\w*|правил\w*|вс[её])|отвеча\w*\s+(?:\w+\s+){0,2}?(?:только|всегда)",
    r"(?:忽略|无视|忘记|忽視|無視)[^。]{0,20}(?:指示|指令|说明|提示|规则|要求|說明|規則)|(?:请|只|必须)(?:只)?(?:回答|回复|输出|說|说)",
    r"(?:指示|命令|プロンプト|ルール|説明)[^。]{0,10}(?:無視|忘れ)|(?:無視して|とだけ(?:答え|回答|返答))|(?:지시|명령|프롬프트|규칙)[^.]{0,12}(?:무시|잊)|(?:라고만|으로만)\s*(?:답|대답|응답)",
    r"(?:تجاهل|انس)[^.]{0,30}(?:التعليمات|الأوامر|القواعد)|(?:התעלם|שכח)[^.]{0,30}(?:ההוראות|הכללים)|(?:निर्देश|आदेश)[^।.]{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)|(?:önceki|yukarıdaki)[^.]{0,20}(?:talimat\w*|komut\w*)[^.]{0,20}(?:yok say|unut|görmezden)",
)
ORDER = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE)
_FOLLOWS = re.compile(
    rf"^(?:(?:now|then|and|so|please|also|finally|after that|instead|simply|just)[,:]?\s+)*(?:{_SPEAK}|never|always|do not|don't|only|the (?:correct|right|true|only|real) answer|say so)\b"
    r"|^\W*\w+\s+(?:says?|answers?|replies|responds)\s*:|\b(?:the user|the reader|your (?:answer|reply|response)|this instruction)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:injection|jailbreak\w*|prompts?|system message|instructions?|llm|language model|chatbot|assistant|red.?team\w*|attack\w*|adversar\w*|ignore)\b",
    re.IGNORECASE,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_SPACED = re.compile(r"(?:\b\w[ .\-_]){5,}\w\b")
_LOOKALIKE = str.maketrans("аеорсухіјѕԁһ013457@$", "aeopcyxijsdholeastas")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s\]\[()<>\"'“”]+|\b[\w.+-]+@[\w-]+\.[\w.]{2,}", re.IGNORECASE)


def gives_orders(text: str) -> bool:
    """Whether a sentence speaks to the machine that answers, plainly or in disguise."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    if ORDER.search(plain):
        return True
    joined = _SPACED.sub(lambda m: re.sub(r"[ .\-_]", "", m.group()), plain)
    if joined != plain and re.search(
        r"ignore|disregard|instruction|systemprompt|systemmessage", joined, re.IGNORECASE
    ):
        return True
    looks = plain.casefold().translate(_LOOKALIKE)
    if looks != plain.casefold() and re.search(
        rf"\b(?:ignore|disregard|forget)\s+(?:\w+\s+){{0,3}}?{_ORDERS.replace('i', '[il]')}", looks
    ):
        return True
    return any(ORDER.search(decoded) for decoded in _decoded(plain))


def _decoded(text: str) -> list[str]:
    found = []
    for match in _BASE64.finditer(text):
        token = match.group().rstrip("=")
        try:
            found.append(base64.b64decode(token + "=" * (-len(token) % 4)).decode("utf-8"))
        except (binascii.Error, UnicodeDecodeError, ValueError):
            continue
    return found


@lru_cache(maxsize=512)
def order_spans(text: str) -> tuple[tuple[int, int], ...]:
    """[start, end) of the sentences of ``text`` that give orders, with those behind them that go on with them.

    A sentence goes on with an order when it gives one itself in words that would be harmless elsewhere ("Say so."),
    or when it mostly repeats what the order wants said.
    """
    spans: list[tuple[int, int]] = []
    ordered: set[str] = set()
    for start, end in sentence_bounds(text):
        sentence = text[start:end].strip()
        words = {word for word in _words(sentence) if not is_function_word(word)}
        repeats = bool(words) and len(words & ordered) >= 0.6 * len(words)
        if gives_orders(sentence) or (ordered and (repeats or _FOLLOWS.search(sentence))):
            spans.append((start, end))
            ordered |= words
        elif "\n\n" in text[start:end]:
            ordered = set()
    # An order may be cut in two by a full stop inside it, or by the cells of a table.
    return tuple(spans) or (((0, len(text)),) if len(text) < 400 and gives_orders(text) else ())


def without_order_text(passage: Passage, question: str) -> Passage:
    """``passage`` as a model may see it: sentences that give orders are left out, unless the question is on them."""
    if is_asked_about(question):
        return passage
    spans = order_spans(passage.text)
    if not spans and not gives_orders(passage.context):
        return passage
    context = "" if gives_orders(passage.context) else passage.context
    headings = tuple(heading for heading in passage.headings if not gives_orders(heading))
    return replace(passage, text=_outside(passage.text, spans, " … "), context=context, headings=headings)


def is_asked_about(question: str) -> bool:
    """Whether the question itself is about prompts, instructions or attacks, so that such text may answer it."""
    return bool(_ASKED.search(question))


def without_orders(
    claims: Sequence[Claim], passages: Sequence[Passage], question: str
) -> tuple[tuple[Claim, ...], int]:
    """``claims`` that rest on no order, and how many were dropped.

    Dropped are claims that give orders themselves, that quote from a sentence which does, or that carry an address
    which stands in no passage they cite; and claims that say what an order wants said and their evidence does not.
    """
    asked = is_asked_about(question)
    spans = {} if asked else {n: order_spans(p.text) for n, p in enumerate(passages, start=1)}
    ordered = {word for n, found in spans.items() for word in _grams(_inside(passages[n - 1].text, found))}
    kept = []
    for claim in claims:
        cites = [(n, words) for n, words in claim.cites if 1 <= n <= len(passages)]
        if not _addresses_known(claim.text, [passages[n - 1].text for n, _ in cites]):
            continue
        if ordered and (
            gives_orders(claim.text)
            or any(_rests_on(words or claim.text, passages[n - 1].text, spans[n]) for n, words in cites)
            or _echoes(claim, question, ordered, cites, passages, spans)
        ):
            continue
        kept.append(claim)
    return tuple(kept), len(claims) - len(kept)


def _echoes(
    claim: Claim,
    question: str,
    ordered: set[str],
    cites: Sequence[tuple[int, str]],
    passages: Sequence[Passage],
    spans: dict[int, tuple[tuple[int, int], ...]],
) -> bool:
    """Whether ``claim`` says what an order wants said and what its own passages, the orders apart, do not say."""
    known = _grams(question)
    for number, _ in cites:
        passage = passages[number - 1]
        known |= _grams(f"{_outside(passage.text, spans[number])} {passage.context}")
    return bool((_grams(claim.text) & ordered) - known)


def _addresses_known(text: str, sources: Sequence[str]) -> bool:
    joined = "".join("".join(source.split()) for source in sources)
    return all("".join(m.group().rstrip(".,;:!?").split()) in joined for m in _ADDRESS.finditer(text))


def _rests_on(words: str, text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether ``words`` stand in the ordering sentences of ``text`` more than anywhere else in it."""
    if not spans:
        return False
    orders = _inside(text, spans)
    rest = _outside(text, spans)
    wanted = _letters(words)
    if wanted and wanted in _letters(rest):
        return False
    if wanted and wanted in _letters(orders):
        return True
    asked = set(_words(words))
    return bool(asked) and len(asked & set(_words(orders))) > len(asked & set(_words(rest)))


def _inside(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return " ".join(text[start:end] for start, end in spans)


def _grams(text: str) -> set[str]:
    """Content words; pairs of characters where a script has no spaces between words."""
    found: set[str] = set()
    for word in _words(text):
        if CJK.search(word):
            found |= {word[i : i + 2] for i in range(len(word) - 1)}
        elif not is_function_word(word):
            found.add(word)
    return found


def _outside(text: str, spans: Sequence[tuple[int, int]], joint: str = " ") -> str:
    parts, position = [], 0
    for start, end in spans:
        parts.append(text[position:start])
        position = end
    return joint.join([*parts, text[position:]])


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _words(text: str) -> list[str]:
    return re.findall(r"\w{2,}", unicodedata.normalize("NFKC", text).casefold())
