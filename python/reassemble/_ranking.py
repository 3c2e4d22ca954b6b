"""Variants in the order of their predicted time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reassemble._objects import Gpu, Result, Trace, simulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Ranking:
    """Names and predictions, the fastest first. The order of variants of one tier is not known."""

    names: tuple[str, ...]
    results: tuple[Result, ...]
    tiers: tuple[int, ...]

    def columns(self) -> dict[str, Any]:
        """NumPy arrays: name, tier, cycles, time_ns, and each component of the cycle stack."""
        import numpy

        table: dict[str, Any] = {"name": numpy.array(self.names), "tier": numpy.array(self.tiers)}
        for name in ("cycles", "time_ns"):
            table[name] = numpy.array([result[name] for result in self.results])
        for part in self.results[0].cycle_stack if self.results else ():
            table[part] = numpy.array([result.cycle_stack[part] for result in self.results])
        return table

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(self.columns())

    def __str__(self) -> str:
        width = max((len(name) for name in self.names), default=0)
        return "\n".join(f"{tier:4}  {name:{width}}  {result['cycles']:14.0f} cycles"
                         for name, result, tier in zip(self.names, self.results, self.tiers))


def rank(variants: Mapping[str, Trace], gpu: Gpu | str) -> Ranking:
    """Replays the variants and orders them, in tiers as `reassemble rank` makes them."""
    if not isinstance(gpu, Gpu):
        gpu = Gpu(gpu)
    results = {name: simulate(trace, gpu) for name, trace in variants.items()}
    names = sorted(results, key=lambda name: results[name]["cycles"])
    order_error = gpu["order_error_ratio"] or gpu["prediction_error_ratio"]  # 0: not measured
    tiers: list[int] = []
    first = 0.0
    for name in names:
        cycles = results[name]["cycles"]
        if tiers and cycles <= first * (1 + order_error):
            tiers.append(tiers[-1])
            continue
        first = cycles
        tiers.append(tiers[-1] + 1 if tiers else 1)
    return Ranking(tuple(names), tuple(results[name] for name in names), tuple(tiers))
