"""Contracts of plug-ins as test classes that authors run with pytest; certo's own parts are tested by them too."""

from __future__ import annotations

from certo.testing.cost import CostContract
from certo.testing.evaluator import EvaluatorContract
from certo.testing.executor import ExecutorContract
from certo.testing.generator import GeneratorContract
from certo.testing.strategy import StrategyContract
from certo.testing.verifier import VerifierContract

__all__ = [
    "CostContract",
    "EvaluatorContract",
    "ExecutorContract",
    "GeneratorContract",
    "StrategyContract",
    "VerifierContract",
]
