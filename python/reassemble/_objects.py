"""Traces, GPUs and predictions."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reassemble._library import (LIBRARY, VISIT_LINE, VISIT_PARAMETER, VISIT_VALUE, CLaunch, CParameter, call, make,
                                 path_bytes, text)


class Owned:
    """An object of the library, freed with the last reference."""

    _free = ""

    def __init__(self, pointer: c.c_void_p) -> None:
        self._pointer = pointer

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer:
            getattr(LIBRARY, "reassemble_" + self._free)(pointer)


@dataclass(frozen=True)
class Launch:
    """The launch that a trace holds. Sizes are in work-items; registers have 32 bits and are 0 where unknown."""

    kernel: str
    workload: str
    source_file: str
    global_size: tuple[int, int, int]
    local_size: tuple[int, int, int]
    registers: int
    local_bytes: int
    private_bytes: int
    work_groups: int


class Trace(Owned):
    """A trace file (*.rtrace), read whole."""

    _free = "trace_free"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(make("trace_open", path_bytes(path)))
        self.path = os.fspath(path)

    @property
    def launch(self) -> Launch:
        out = CLaunch()
        LIBRARY.reassemble_trace_launch(self._pointer, c.byref(out))
        return Launch(text(out.kernel), text(out.workload), text(out.source_file), tuple(out.global_size),
                      tuple(out.local_size), out.registers, out.local_bytes, out.private_bytes, out.work_groups)

    def __repr__(self) -> str:
        return f"Trace({self.path!r})"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a GPU. `choices` names the values 0, 1 ...; it is empty for a number."""

    name: str
    unit: str
    meaning: str
    source: str
    choices: tuple[str, ...]
    value: float
    minimum: float
    maximum: float


def _choices(names: object) -> tuple[str, ...]:
    found: list[str] = []
    while names and names[len(found)]:  # type: ignore[index]
        found.append(text(names[len(found)]))  # type: ignore[index]
    return tuple(found)


class Gpu(Owned):
    """A GPU description, by name or file. Parameters are items: gpu["cores"] = 16; a choice takes its name or its index."""

    _free = "gpu_free"

    def __init__(self, name: str | os.PathLike[str] = "mali-g71-mp8", **parameters: float | str) -> None:
        super().__init__(make("gpu_load", path_bytes(name)))
        self.update(**parameters)

    @classmethod
    def _take(cls, pointer: c.c_void_p) -> Gpu:
        gpu = cls.__new__(cls)
        Owned.__init__(gpu, pointer)
        return gpu

    @property
    def name(self) -> str:
        return text(LIBRARY.reassemble_gpu_name(self._pointer))

    def copy(self, **parameters: float | str) -> Gpu:
        """Another GPU with these parameters changed."""
        gpu = Gpu._take(make("gpu_copy", self._pointer))
        gpu.update(**parameters)
        return gpu

    def update(self, **parameters: float | str) -> None:
        for name, value in parameters.items():
            self[name] = value

    def parameters(self) -> dict[str, Parameter]:
        """All parameters, in the order of `reassemble params`."""
        found: dict[str, Parameter] = {}

        def visit(pointer: int, _user: object) -> int:
            p = c.cast(pointer, c.POINTER(CParameter)).contents
            name = text(p.name)
            found[name] = Parameter(name, text(p.unit), text(p.meaning), text(p.source), _choices(p.choices), p.value,
                                    p.minimum, p.maximum)
            return 0

        LIBRARY.reassemble_gpu_each(self._pointer, VISIT_PARAMETER(visit), None)
        return found

    def __getitem__(self, name: str) -> float:
        value = c.c_double()
        call("gpu_get", self._pointer, name.encode(), c.byref(value))
        return value.value

    def __setitem__(self, name: str, value: float | str) -> None:
        if isinstance(value, str):
            choices = self.parameters()[name].choices if name in self.parameters() else ()
            if value not in choices:
                raise ValueError(f"{name}: found {value!r}, expected {' or '.join(choices) if choices else 'a number'}")
            value = choices.index(value)
        call("gpu_set", self._pointer, name.encode(), float(value))

    def __repr__(self) -> str:
        return f"Gpu({self.name!r})"


class Result(Owned, Mapping[str, float]):
    """A prediction: a mapping from the names of `reassemble simulate --json` ("cycles", "l1.misses") to numbers."""

    _free = "result_free"

    def __init__(self, pointer: c.c_void_p) -> None:
        super().__init__(pointer)
        self._values: dict[str, float] = {}
        self.units: dict[str, str] = {}

        def visit(name: bytes, value: float, unit: bytes, _meaning: bytes, _user: object) -> int:
            self._values[text(name)], self.units[text(name)] = value, text(unit)
            return 0

        LIBRARY.reassemble_result_each(self._pointer, VISIT_VALUE(visit), None)

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def cycle_stack(self) -> dict[str, float]:
        """Cycles by component; they add up to result["cycles"]."""
        start = "cycle_stack."
        return {name[len(start):]: value for name, value in self._values.items() if name.startswith(start)}

    def lines(self) -> dict[int, dict[str, float]]:
        """Cycles by source line and component of the cycle stack; line 0: of no line."""
        found: dict[int, dict[str, float]] = {}

        def visit(line: int, component: bytes, cycles: float, _user: object) -> int:
            found.setdefault(line, {})[text(component)] = cycles
            return 0

        LIBRARY.reassemble_result_each_line(self._pointer, VISIT_LINE(visit), None)
        return found

    def __repr__(self) -> str:
        return f"Result(cycles={self['cycles']:.0f}, time_ns={self['time_ns']:.0f})"


def simulate(trace: Trace | str | os.PathLike[str], gpu: Gpu | str) -> Result:
    """Replays a trace, or a trace file, on a GPU, or on one by its name."""
    if not isinstance(trace, Trace):
        trace = Trace(trace)
    if not isinstance(gpu, Gpu):
        gpu = Gpu(gpu)
    return Result(make("simulate", trace._pointer, gpu._pointer))
