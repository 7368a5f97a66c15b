import pytest

from src.chunker.sentences import sentence_spans


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        (
            "Dr. Smith paid $3.5 million to Acme Inc. in 2019. See No. 5 and Fig. 2. The answer is no. We left.",
            "en",
            [
                "Dr. Smith paid $3.5 million to Acme Inc. in 2019.",
                "See No. 5 and Fig. 2.",
                "The answer is no.",
                "We left.",
            ],
        ),
        (
            "J. R. Tolkien wrote it. U.S. GAAP applies. He lives in the U.S. The end.",
            "en",
            ["J. R. Tolkien wrote it.", "U.S. GAAP applies.", "He lives in the U.S.", "The end."],
        ),
        (
            "1. Introduction of the firm. We show e.g. this.",
            "en",
            ["1. Introduction of the firm.", "We show e.g. this."],
        ),
        (
            'He said "Stop!" and left. "Go." She went.',
            "en",
            ['He said "Stop!" and left.', '"Go."', "She went."],
        ),
        ("Wait... Things were bad. 2019 was good.", "en", ["Wait...", "Things were bad.", "2019 was good."]),
        (
            "Am 3. Mai kam z.B. Herr Müller. Er ging bzw. Frau Dr. Roth kam. Das 2. Quartal war gut.",
            "de",
            ["Am 3. Mai kam z.B. Herr Müller.", "Er ging bzw. Frau Dr. Roth kam.", "Das 2. Quartal war gut."],
        ),
        (
            "M. Dupont est là. Voir p. 12. Mme. Roux aussi.",
            "fr",
            ["M. Dupont est là.", "Voir p. 12.", "Mme. Roux aussi."],
        ),
        (
            "今日は晴れ。明日は雨！そうですか？はい",
            "ja",
            ["今日は晴れ。", "明日は雨！", "そうですか？", "はい"],
        ),
        ("ما هذا؟ هذا كتاب.", "ar", ["ما هذا؟", "هذا كتاب."]),
        ("   ", "en", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, language: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, language)] == sentences
