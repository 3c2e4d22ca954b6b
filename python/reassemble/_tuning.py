"""Parameters of a GPU fitted to a board."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reassemble._library import FIND_TRACE, LIBRARY, VISIT_KERNEL, VISIT_TUNED, CTuningRequest, call, make, path_bytes, text
from reassemble._objects import Gpu, Owned, Trace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class TunedParameter:
    name: str
    unit: str
    start: float
    tuned: float
    low: float
    high: float


class Tuning(Owned):
    """What a tuning found. `kernels` has (name, measured, start, predicted), in the unit of the board."""

    _free = "tuning_free"

    def __init__(self, pointer: c.c_void_p) -> None:
        super().__init__(pointer)
        self.parameters: dict[str, TunedParameter] = {}
        self.kernels: list[tuple[str, float, float, float]] = []

        def parameter(name: bytes, unit: bytes, start: float, tuned: float, low: float, high: float, _user: object) -> int:
            self.parameters[text(name)] = TunedParameter(text(name), text(unit), start, tuned, low, high)
            return 0

        def kernel(name: bytes, measured: float, start: float, predicted: float, _user: object) -> int:
            self.kernels.append((text(name), measured, start, predicted))
            return 0

        LIBRARY.reassemble_tuning_each_parameter(pointer, VISIT_TUNED(parameter), None)
        LIBRARY.reassemble_tuning_each_kernel(pointer, VISIT_KERNEL(kernel), None)

    def __getitem__(self, name: str) -> float:
        """A score: "mape_percent", "spearman", "start_mape_percent" ..."""
        value = c.c_double()
        call("tuning_get", self._pointer, name.encode(), c.byref(value))
        return value.value

    def gpu(self) -> Gpu:
        """The GPU with the tuned values."""
        return Gpu._take(make("tuning_gpu", self._pointer))

    def columns(self) -> dict[str, Any]:
        """NumPy arrays: name, measured, start, predicted."""
        import numpy

        names = ("name", "measured", "start", "predicted")
        return {key: numpy.array(column) for key, column in zip(names, zip(*self.kernels))}

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(self.columns())


def tune(board: str | os.PathLike[str], traces: Mapping[str, Trace] | Callable[[str, int], Trace | None],
         gpu: str | os.PathLike[str] | None = None, *, parameters: str | None = None, objective: str | None = None,
         method: str | None = None, evaluations: int = 0, seed: int = 0, jobs: int = 0,
         penalty_percent: float = 0) -> Tuning:
    """Fits a GPU to a board. `traces` gives the trace of a measurement: by the workload's name as the board has it
    ("<workload>.<launch>" for launches of several), or by a function of workload and launch."""
    kept: list[Trace] = []

    def find(workload: bytes, launch: int, _user: object) -> int | None:
        name = text(workload)
        if callable(traces):
            found = traces(name, launch)
        else:
            found = traces.get(name) if launch == 0 and name in traces else traces.get(f"{name}.{launch}")
        if found is None:
            return None
        kept.append(found)
        return found._pointer.value

    request = CTuningRequest(
        board=path_bytes(board), gpu=path_bytes(gpu) if gpu is not None else None,
        parameters=parameters.encode() if parameters is not None else None,
        objective=objective.encode() if objective is not None else None,
        method=method.encode() if method is not None else None, evaluations=evaluations, seed=seed, jobs=jobs,
        penalty_percent=penalty_percent, trace=FIND_TRACE(find))
    return Tuning(make("tune", c.byref(request)))
