from __future__ import annotations

import numpy as np
import pytest

from src.loader.pdf.garbled import garbled
from src.loader.pdf.glyphs import Glyphs


def glyphs(text: str, unmapped: int = 0) -> Glyphs:
    """The letters of ``text`` on one line, with their spaces."""
    letters = [c for c in text if c != " "]
    spaced = [n == 0 or text[n - 1] == " " for n, c in enumerate(text) if c != " "]
    n = len(letters)
    return Glyphs(
        np.array([ord(c) for c in letters], np.uint32),
        np.zeros((n, 4), np.float32),
        np.arange(n, dtype=np.int32),
        np.array(spaced, np.bool_),
        unmapped,
    )


@pytest.mark.parametrize(
    "text",
    [
        "The pump was repaired in the spring and has been in use since the end of May, as the log of the crew says. "
        * 4,
        "올해 매출은 지난해보다 증가하였으며 이는 주로 해외 사업의 성장에 따른 것이다 회사는 내년에도 " * 4,
        "本公司二零二三年度的收入较上年增长百分之五，主要是由于海外业务的发展，公司在来年也会继续 " * 6,
        "Strč prst skrz krk, řekl vlk a pak smrkl, zvrhl hrst zrn, a nikdo se nedivil tomu, co se stalo. "
        * 4,
        "oa ob oc u " * 40,
    ],
    ids=["English", "Korean", "Chinese", "Czech", "a test pattern"],
)
def test_texts_of_a_language_are_trusted(text: str) -> None:
    assert garbled(glyphs(text)) == ""


@pytest.mark.parametrize(
    ("text", "unmapped"),
    [
        ("short", 40),
        ("Wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj dqg wkh fuhz uhsdluhg wkh sxps lq wkh vsulqj " * 4, 0),
        (
            "킘킷킼 킛킸톁톂 킴킾킺톃킼 킟킴킿 킔킰톂킰 킠킰킷톀킰킱 킟톀킾킲 킺킾킽톂톀 킣톂킲 킛킸톂 킜킰톁톁킰 "
            * 4,
            0,
        ),
        ("ǔƽǎƹƃơńاو ӓا㦇ຝ䆀䩱 䆀ឮᑽٱĵǎƶơǎƹŏķ ٱĵǎƶơຊا ⱊⵇᒒᓧع 㨉䮨䊒ٱ石ᄹᄎ ⰰẍو䆀ى " * 4, 0),
    ],
    ids=["no characters", "shifted", "rare syllables", "mixed scripts"],
)
def test_texts_of_no_language_are_not(text: str, unmapped: int) -> None:
    assert garbled(glyphs(text, unmapped)) != ""
