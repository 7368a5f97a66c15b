from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, normalizers
from tokenizers.models import BPE

from src.models.static import LONGEST, StaticVectors

SPACE = "\u2581"


def make_tokenizer(merges: list[tuple[str, str]]) -> Tokenizer:
    """A tokenizer built as Llama 2's: a space is a letter, one stands before every text, bytes for the unknown."""
    letters = [f"<0x{byte:02X}>" for byte in range(256)] + [SPACE, *"abcdefgh"]
    tokens = ["<unk>", "<s>", "</s>", *letters, *dict.fromkeys(a + b for a, b in merges)]
    vocabulary = {token: place for place, token in enumerate(tokens)}
    tokenizer = Tokenizer(BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend(SPACE), normalizers.Replace(" ", SPACE)])
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in ("<unk>", "<s>", "</s>")])
    return tokenizer


MERGES = [(SPACE, SPACE), ("a", "b"), (SPACE, "ab"), ("c", "d"), ("ab", "cd")]
OVER_SPACES = [*MERGES, ("d", SPACE), (f"d{SPACE}", "a")]


@pytest.fixture(params=[MERGES, OVER_SPACES], ids=["words", "over spaces"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return make_tokenizer(request.param)


def static_vectors(tokenizer: Tokenizer, folder: Path) -> StaticVectors:
    table = np.random.default_rng(3).normal(size=(tokenizer.get_vocab_size(), 8)).astype(np.float16)
    save_file({"table": table}, folder / "table.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))
    return StaticVectors(folder / "table.safetensors", folder / "tokenizer.json")


def test_words_looked_up_once_give_the_tokens_of_the_whole_text(tokenizer: Tokenizer, tmp_path: Path) -> None:
    texts = [
        "ab cd abcd", "cd abcd", "", " ", "  ab", "ab  cd", "ab ", " ab", "ab\ncd ab", "ab</s> cd", "<s> ab",
        f"a{SPACE}b ab", "é 東 ab", "cd a cd ab", "ab " * 400 + "cd",
    ]  # fmt: skip
    vectors = static_vectors(tokenizer, tmp_path)
    whole = [encoding.ids[:LONGEST] for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    assert vectors._tokens(texts, {}) == whole
    rows = np.stack([vectors._table[ids].sum(axis=0, dtype=np.float32) for ids in whole])
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    expected = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    np.testing.assert_array_equal(vectors.embed(texts), expected)


def test_no_texts_at_all(tokenizer: Tokenizer, tmp_path: Path) -> None:
    assert static_vectors(tokenizer, tmp_path).embed([]).shape == (0, 8)
