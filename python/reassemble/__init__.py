"""reassemble from Python: trace, predict, rank, tune and sweep.

    import reassemble as r

    gpu = r.Gpu("mali-g71-mp8")
    traces = r.trace("gemm-64", "saxpy")             # the emulator; the program `reassemble` must be there
    result = r.simulate(traces["gemm-64"], gpu)
    print(result["cycles"], result.cycle_stack)
    print(r.rank(traces, gpu))

Traces, GPUs, predictions, tunings and sweeps are libreassemble's (reassemble.h); emulation is the program's. Columns come as NumPy
arrays (`columns`) and as pandas data frames (`to_pandas`), which need python3-numpy and python3-pandas; nothing else does.

Errors are `reassemble.Error`, with the file, line and key that the message is about. Objects are freed with their last reference. The
library releases Python's lock while it works, so threads may simulate side by side; a Gpu that is changed belongs to one thread.
"""

from __future__ import annotations

from reassemble._library import Error, version
from reassemble._objects import Gpu, Launch, Parameter, Result, Trace, simulate
from reassemble._program import measure_devices, program, trace
from reassemble._ranking import Ranking, rank
from reassemble._sweep import Design, Sweep, sweep
from reassemble._tuning import Tuning, tune

__all__ = [
    "Design", "Error", "Gpu", "Launch", "Parameter", "Ranking", "Result", "Sweep", "Trace", "Tuning", "measure_devices",
    "program", "rank", "simulate", "sweep", "trace", "tune", "version",
]
__version__ = version()
