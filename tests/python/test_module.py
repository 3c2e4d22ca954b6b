"""The Python module says what the program says. Usage: test_module.py SOURCE; the environment names program, library and module."""

import json
import pathlib
import re
import sys
import unittest

import reassemble as r

SOURCE = pathlib.Path(sys.argv.pop())
GPU = "mali-g71-mp8"

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None


class Predictions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.traces = r.trace("gemm-64", "saxpy")

    def test_result_is_that_of_the_program(self):
        for name, trace in self.traces.items():
            wanted = r.program("simulate", "--gpu", GPU, trace.path)["kernels"][0]
            result = r.simulate(trace, GPU)
            self.assertEqual(result["cycles"], wanted["cycles"], name)
            self.assertEqual(result["l1.misses"], wanted["l1"]["misses"], name)
            self.assertEqual(result.cycle_stack, wanted["cycle_stack"], name)

    def test_stack_and_lines_add_up(self):
        result = r.simulate(self.traces["gemm-64"], GPU)
        self.assertEqual(sum(result.cycle_stack.values()), result["cycles"])
        self.assertLessEqual(sum(sum(parts.values()) for parts in result.lines().values()), 1.000001 * result["cycles"])
        self.assertEqual(result.units["cycles"], "cycles")

    def test_launch(self):
        launch = self.traces["gemm-64"].launch
        self.assertEqual((launch.kernel, launch.global_size, launch.local_size), ("gemm", (64, 64, 1), (8, 8, 1)))
        self.assertEqual(launch.work_groups, 64)

    def test_parameters(self):
        gpu = r.Gpu(GPU)
        cores = gpu["cores"]
        more = gpu.copy(cores=2 * cores, memory="switch_on_access")
        self.assertEqual((gpu["cores"], more["cores"]), (cores, 2 * cores))
        self.assertEqual(more.parameters()["memory"].choices[int(more["memory"])], "switch_on_access")
        self.assertLess(r.simulate(self.traces["gemm-64"], more)["cycles"], r.simulate(self.traces["gemm-64"], gpu)["cycles"])

    def test_ranking_is_that_of_the_program(self):
        wanted = r.program("rank", "--gpu", GPU, *(trace.path for trace in self.traces.values()))["variants"]
        ranking = r.rank(self.traces, GPU)
        self.assertEqual(list(ranking.names), [variant["name"] for variant in wanted])
        self.assertEqual(list(ranking.tiers), [variant["tier"] for variant in wanted])
        self.assertEqual(len(str(ranking).splitlines()), 2)
        if numpy is not None:
            self.assertEqual(list(ranking.columns()["cycles"]), [variant["cycles"] for variant in wanted])
        if pandas is not None:
            self.assertEqual(list(ranking.to_pandas()["name"]), list(ranking.names))


class Fits(unittest.TestCase):
    def test_tuning(self):
        traces = r.trace("gemm-variants")
        found = r.tune("hikey960-gemm-variants", lambda name, launch: traces["gemm-variants-" + name[-1]], GPU,
                       parameters="arith,l1_miss", jobs=2)
        self.assertLessEqual(found["mape_percent"], found["start_mape_percent"] + 1e-9)
        self.assertEqual(set(found.parameters), {"arith_cycles", "l1_miss_cycles"})
        self.assertEqual(len(found.kernels), 11)
        self.assertAlmostEqual(found.gpu()["arith_cycles"], found.parameters["arith_cycles"].tuned)

    def test_missing_trace_is_named(self):
        with self.assertRaisesRegex(r.Error, "gemm-variants/a"):
            r.tune("hikey960-gemm-variants", {})


class Mistakes(unittest.TestCase):
    def test_each_says_what_was_found(self):
        gpu = r.Gpu(GPU)
        for wrong, message in ((lambda: r.Gpu("mali-g99"), "mali-g99"), (lambda: gpu.update(cores=0), "allowed 1 to"),
                               (lambda: gpu.update(cors=2), "did you mean"), (lambda: r.Trace("none.rtrace"), "none.rtrace"),
                               (lambda: r.trace("no-such-workload"), "no-such-workload")):
            with self.assertRaisesRegex(r.Error, message) as raised:
                wrong()
            self.assertTrue(raised.exception.is_input)
        with self.assertRaisesRegex(ValueError, "blocking or"):
            gpu["memory"] = "sometimes"
        with self.assertRaises(ValueError):
            gpu["cores"] = "many"


class Examples(unittest.TestCase):
    @unittest.skipIf(numpy is None, "python3-numpy is not installed")
    def test_notebook_runs(self):
        notebook = json.loads((SOURCE / "python/examples/rank_and_sweep.ipynb").read_text())
        scope = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), scope)  # pylint: disable=exec-used
        self.assertEqual(len(scope["sweep"].designs), 6)

    def test_page_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        scope = {}
        for block in blocks:
            exec(block, scope)  # pylint: disable=exec-used


if __name__ == "__main__":
    unittest.main()
