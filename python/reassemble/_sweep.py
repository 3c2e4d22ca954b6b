"""Many designs of a GPU."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reassemble._library import LIBRARY, VISIT_DESIGN, CDesign, CSweepRequest, CWorkload, make, path_bytes, text
from reassemble._objects import Owned, Trace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Design:
    """A design; the tuples are by workload, in the order of Sweep.workloads. Speed-ups are over the base."""

    point: int
    name: str
    objective: float
    area: float
    energy_ratio: float
    cycles: tuple[float, ...]
    time_ns: tuple[float, ...]
    speedups: tuple[float, ...]
    exact: bool


class Sweep(Owned):
    """The designs of a sweep, the base first."""

    _free = "sweep_free"

    def __init__(self, pointer: c.c_void_p, workloads: tuple[str, ...]) -> None:
        super().__init__(pointer)
        self.workloads = workloads
        self.designs: list[Design] = []
        count = len(workloads)

        def visit(address: int, _user: object) -> int:
            d = c.cast(address, c.POINTER(CDesign)).contents
            self.designs.append(Design(d.point, text(d.name), d.objective, d.area, d.energy_ratio,
                                       tuple(d.cycles[:count]), tuple(d.time_ns[:count]), tuple(d.speedups[:count]),
                                       bool(d.exact)))
            return 0

        LIBRARY.reassemble_sweep_each(pointer, VISIT_DESIGN(visit), None)

    def columns(self) -> dict[str, Any]:
        """NumPy arrays: point, name, objective, area, energy_ratio, exact, and cycles.<workload> and speedup.<workload>."""
        import numpy

        table: dict[str, Any] = {key: numpy.array([getattr(d, key) for d in self.designs])
                                 for key in ("point", "name", "objective", "area", "energy_ratio", "exact")}
        for i, workload in enumerate(self.workloads):
            table[f"cycles.{workload}"] = numpy.array([d.cycles[i] for d in self.designs])
            table[f"speedup.{workload}"] = numpy.array([d.speedups[i] for d in self.designs])
        return table

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(self.columns())


def sweep(description: str | os.PathLike[str], workloads: Mapping[str, Trace | Sequence[Trace]], *, jobs: int = 0,
          exact: bool = False) -> Sweep:
    """Replays the designs of a sweep (a shipped name or a file) on the traces of each workload."""
    names = tuple(workloads)
    launches = [[w] if isinstance(w, Trace) else list(w) for w in workloads.values()]
    arrays = [(c.c_void_p * max(1, len(list_)))(*(t._pointer.value for t in list_)) for list_ in launches]
    entries = (CWorkload * max(1, len(names)))(
        *(CWorkload(name.encode(), c.cast(array, c.POINTER(c.c_void_p)), len(list_))
          for name, array, list_ in zip(names, arrays, launches)))
    request = CSweepRequest(sweep=path_bytes(description), workloads=entries, workload_count=len(names), jobs=jobs,
                            exact=int(exact))
    return Sweep(make("sweep_run", c.byref(request)), names)
