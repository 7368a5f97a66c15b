"""Past forms that no stemmer joins with their verb: "found" and "find"."""

from __future__ import annotations

from functools import lru_cache

from src.answerer.terms import Term, stem

# A verb and its past forms a line. Forms that are words of their own ("left", "saw", "lay") are left out.
_VERBS = """
arise arose arisen
become became
begin began begun
bind bound
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
feel felt
fight fought
find found
fly flew flown
forbid forbade forbidden
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
lend lent
lose lost
make made
mean meant
meet met
pay paid
prove proven
ride rode ridden
rise rose risen
run ran
say said
see seen
seek sought
sell sold
send sent
shake shook shaken
shoot shot
show shown
shrink shrank shrunk
sink sank sunk
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
strike struck
swear swore sworn
take took taken
teach taught
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
withdraw withdrew withdrawn
withhold withheld
write wrote written
"""
_BASES = {form: line.split()[0] for line in _VERBS.strip().splitlines() for form in line.split()[1:]}


@lru_cache(maxsize=20_000)
def base_form(word: str, stemmed: str) -> str:
    """The stem of folded ``word``, an irregular past form as that of its verb."""
    return stem(_BASES[word]) if word in _BASES else stemmed


def base(term: Term) -> str:
    """The stem of ``term``, an irregular past form as that of its verb."""
    return base_form(term.word, term.stem)
