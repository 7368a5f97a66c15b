"""Every module can be imported first: no circle of imports, those through a package's ``__init__`` included."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter

from src.settings import ROOT


def _modules() -> dict[str, ast.Module]:
    found = {}
    for path in (ROOT / "src").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def _imported(tree: ast.Module, known: set[str]) -> set[str]:
    """What running ``tree`` imports: not what stands in functions or under ``if TYPE_CHECKING``."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names & known


def test_no_module_needs_itself_to_be_imported() -> None:
    modules = _modules()
    graph: dict[str, set[str]] = {}
    for name, tree in modules.items():
        needed = set()
        for wanted in _imported(tree, set(modules)):
            parts = wanted.split(".")
            needed |= {".".join(parts[:i]) for i in range(1, len(parts) + 1)}
        own = {
            name.rsplit(".", i)[0] for i in range(name.count(".") + 1)
        }  # its packages are being imported already
        graph[name] = needed - own
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise AssertionError(" needs ".join(error.args[1])) from None
