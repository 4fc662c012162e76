"""The Python package against the library that GRIDCAST_LIBRARY names."""
import ctypes
import gc
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import gridcast

try:
    import numpy
except ImportError:
    numpy = None

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def two_kernels():
    w = gridcast.Workload("two kernels")
    w.add_kernel("A", stream=1, grid=8, block=512, duration_ns=2_000_000)
    w.add_kernel("B", stream=2, grid=1, block=512, duration_ns=1_000_000)
    return w


class Building(unittest.TestCase):
    def test_what_is_added_is_there(self):
        w = two_kernels()
        self.assertEqual([(o.label, o.kind, o.stream, o.grid) for o in w.ops],
                         [("A", "kernel", 1, (8, 1, 1)), ("B", "kernel", 2, (1, 1, 1))])
        self.assertEqual([s.id for s in w.streams], [1, 2])
        w.check()

    def test_numbers_that_do_not_fit_are_refused(self):
        """ctypes alone would keep their lowest bits."""
        for field in ({"duration_ns": 2**64 + 5}, {"duration_ns": (1, 2**64 + 9)}, {"release_ns": 2**64 + 7},
                      {"registers": 2**32 + 10}, {"smem": -2**64 + 5}, {"block_ns": [2**64 + 5]}):
            with self.assertRaises(ValueError):
                gridcast.Workload().add_kernel("K", **{"stream": 1, "grid": 1, "block": 32, "duration_ns": 5, **field})
        with self.assertRaises(ValueError):
            gridcast.Workload().add_task("T", stream=1, period_ns=2**64 + 5)
        with self.assertRaises(ctypes.ArgumentError):
            gridcast.Workload().add_kernel("K", stream=2**32 + 1, grid=1, block=32, duration_ns=5)
        with self.assertRaises(ctypes.ArgumentError):
            two_kernels().set_duration("A", 2**64 + 5)
        with self.assertRaises(ValueError):
            gridcast.simulate(two_kernels(), "tx2", horizon_ns=2**64 + 5)

    def test_tasks_own_what_follows(self):
        w = gridcast.Workload()
        w.add_task("T", stream=1, period_ns=10_000_000)
        w.add_kernel("K", stream=1, grid=(2, 2), block=32, duration_ns=(5, 10))
        self.assertEqual([(t.name, t.deadline_ns) for t in w.tasks], [("T", 10_000_000)])
        self.assertEqual([(o.task, o.min_ns, o.max_ns) for o in w.ops], [("T", 5, 10)])

    def test_durations_per_block(self):
        w = gridcast.Workload()
        w.add_kernel("K", stream=1, grid=3, block=32, duration_ns=None, block_ns=[1000, 3000, 2000])
        self.assertEqual(gridcast.simulate(w, "tx2").end_ns, 3000)
        with self.assertRaises(ValueError):
            gridcast.Workload().add_kernel("K", stream=1, grid=3, block=32, duration_ns=None, block_ns=[1000])

    def test_text_and_back(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "examples", "01-one-kernel.json"))
        again = gridcast.Workload.from_json(w.to_json())
        self.assertEqual(again.ops, w.ops)
        self.assertEqual(gridcast.Workload.from_json(json.loads(w.to_json())).ops, w.ops)

    def test_gpus(self):
        self.assertIn("tx2", gridcast.Gpu.presets())
        gpu = gridcast.Gpu("sms:4 cc:6.2")
        self.assertEqual(gpu.sms, 4)
        gpu.partition(2)
        self.assertEqual(gridcast.Gpu.from_json(gpu.to_json()).sms, 2)

    def test_a_workload_with_runs_stays(self):
        w = two_kernels()
        gridcast.simulate(w, "tx2")
        with self.assertRaises(ValueError):
            w.add_stream(7)

    def test_names_that_are_not_there(self):
        with self.assertRaises(ValueError):
            gridcast.Workload().add_op("kernal")
        with self.assertRaises(TypeError):
            gridcast.Workload().add_op("kernel", colour=1)
        with self.assertRaises(TypeError):
            gridcast.simulate(two_kernels(), "tx2", colour=1)
        with self.assertRaises(ValueError):
            gridcast.analyze(two_kernels(), "tx2", method="guess")


class Running(unittest.TestCase):
    def test_ends(self):
        run = gridcast.simulate(two_kernels(), "tx2")
        self.assertEqual([(o.label, o.start_ns, o.end_ns) for o in run.ops],
                         [("A", 0, 2000000), ("B", 2000000, 3000000)])
        self.assertEqual(run.end_ns, 3000000)
        run.check()

    def test_blocks(self):
        run = gridcast.simulate(two_kernels(), gridcast.Gpu("tx2"))
        blocks = run.blocks
        self.assertEqual(len(blocks), 9)
        self.assertEqual(sorted({b.sm for b in blocks}), [0, 1])
        self.assertEqual((blocks[8].operation, blocks[8].index, blocks[8].start_ns), (1, 0, 2000000))
        with self.assertRaises(gridcast.UsageError):
            gridcast.simulate(two_kernels(), "tx2", record_blocks=False).blocks

    @unittest.skipUnless(numpy, "no NumPy")
    def test_arrays(self):
        run = gridcast.simulate(two_kernels(), "tx2")
        self.assertEqual(run.block_array().tolist(), [tuple(b) for b in run.blocks])
        self.assertEqual(run.op_array()["end_ns"].tolist(), [o.end_ns for o in run.ops])

    def test_kernels_that_launch_kernels(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "examples", "children.json"))
        run = gridcast.simulate(w)
        self.assertEqual([(o.label, o.end_ns) for o in run.ops], [("visit", run.end_ns)])
        self.assertEqual({b.operation for b in run.blocks}, {0})
        with tempfile.TemporaryDirectory() as folder:
            run.write(os.path.join(folder, "run.json"), blocks=True)
            with open(os.path.join(folder, "run.json")) as f:
                written = json.load(f)
        self.assertEqual(len(written["children"]), written["launches"]["children"])

    def test_a_run_keeps_its_workload(self):
        run = gridcast.simulate(two_kernels(), "tx2")
        gc.collect()
        self.assertEqual([o.label for o in run.ops], ["A", "B"])

    def test_explanation(self):
        why = gridcast.simulate(two_kernels(), "tx2").explain(1)
        self.assertEqual([(w.rule, w.to_ns - w.from_ns) for w in why.waits], [("R2", 2000000), ("running", 1000000)])
        self.assertEqual([h.operation for h in why.waits[0].holders], [0])

    def test_warnings(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "tests/cases/simulate-null-unsaid/in.json"))
        run = gridcast.simulate(w)
        before = run.notes
        run.add_warnings(trials=0)
        self.assertEqual(run.notes[:len(before)], before)
        self.assertIn("cudaStreamCreate", run.notes[-1])

    def test_changed_workload(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "examples/thesis.json"))
        run = gridcast.simulate(w)
        row, = run.try_changes(["merge=all"], gpus=[])
        changed = run.changed(["merge=all"])
        self.assertEqual(gridcast.simulate(changed).end_ns, row.end_ns)
        with self.assertRaises(ValueError):
            w.set_partition(1)
        copy = w.copy()
        copy.set_partition(1)
        self.assertNotEqual(copy.to_json(), w.to_json())

    def test_labels(self):
        run = gridcast.simulate(gridcast.Workload.load(os.path.join(ROOT, "examples/thesis.json")))
        self.assertEqual(run.ops[run.find("K3")].label, "K3")
        self.assertEqual(run.explain("K3"), run.explain(run.find("K3")))
        self.assertTrue(run.in_time)
        with self.assertRaises(gridcast.UsageError):
            run.explain("K99")

    def test_profile(self):
        try:
            w = gridcast.Workload.from_profile(os.path.join(ROOT, "tests/data/profiles/one-small.json.gz"), name="small")
        except gridcast.ResourceError as error:
            self.skipTest(error.message)  # a library without yajl
        self.assertEqual(w.name, "small")
        self.assertGreater(len(w.ops), 50)

    def test_duration(self):
        w = gridcast.Workload("w")
        for wrong in (2e6, "5", (1, 2, 3), (1.5, 2)):
            with self.assertRaisesRegex(ValueError, "duration_ns is"):
                w.add_kernel("A", 1, 1, 32, duration_ns=wrong)

    def test_what_changes_bring(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "examples/thesis.json"))
        run = gridcast.simulate(w)
        rows = run.try_changes(gpus=[])
        self.assertGreater(len(rows), 3)
        ends = [row.won_ns for row in rows if row.better]
        self.assertEqual(ends[:1], sorted(ends, reverse=True)[:1])
        row, = run.try_changes(["merge=all"], gpus=[])
        self.assertEqual((row.changes, row.won_ns), ("merge=all", run.end_ns - row.end_ns))
        self.assertLess(row.won_ns, 0)
        row, = run.try_changes(["scale=50"])
        self.assertTrue(row.better)
        with self.assertRaises(gridcast.UsageError):
            run.try_changes(["faster"])
        with self.assertRaises(TypeError):
            run.try_changes(no_such=1)
        row, = run.try_changes(["blocks=K9:half"])
        self.assertIn("K9", row.refusal)

    def test_systems(self):
        model = os.path.join(ROOT, "examples/12-car.amxmi")
        system = gridcast.System.read(model, gpu="tx2", chains=["Camera,Steering"])
        self.assertTrue(system.findings)
        answer = system.analyze()
        self.assertEqual((answer.verdict, answer.tasks[0].name), ("met_if", "Steering"))
        self.assertIn("on the condition", answer.why)
        self.assertTrue(all(t.best_ns <= t.worst_ns for t in answer.tasks))
        self.assertTrue(any(t.core is None for t in answer.tasks))
        with self.assertRaisesRegex(gridcast.UsageError, "no task Radar"):
            gridcast.System.read(model, gpu="tx2", cores=["Radar=Core0"])
        with self.assertRaises(gridcast.UsageError):
            gridcast.System.read()
        with self.assertRaises(ValueError):
            system.analyze(method="guess")

    def test_releases_and_progress(self):
        seen = []
        run = gridcast.simulate(two_kernels(), "tx2", releases=[0, 5_000_000], progress=seen.append)
        self.assertEqual(run.ops[1].start_ns, 5_000_000)
        self.assertTrue(all(0 <= fraction <= 1 for fraction in seen))

    def test_written_as_the_command_does(self):
        with tempfile.TemporaryDirectory() as folder:
            run = gridcast.simulate(two_kernels(), "tx2")
            for ending in (".svg", ".csv", ".json", ".html", ".trace.json"):
                run.write(os.path.join(folder, "run" + ending))
                self.assertGreater(os.path.getsize(os.path.join(folder, "run" + ending)), 100)
            with self.assertRaises(gridcast.UsageError):
                run.write(os.path.join(folder, "run.unknown"))

    def test_notebooks(self):
        """The page is in a frame that unescapes to the same document."""
        run = gridcast.simulate(two_kernels(), "tx2")
        self.assertTrue(run._repr_svg_().rstrip().endswith("</svg>"))
        frame = re.fullmatch(r'<iframe sandbox="allow-scripts" style="[^"]*" srcdoc="([^"<>]*)"></iframe>', run._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            run.write(os.path.join(folder, "run.html"))
            with open(os.path.join(folder, "run.html"), encoding="utf-8", newline="") as f:
                self.assertEqual(html.unescape(frame.group(1)), f.read())

    def test_notebooks_of_many_blocks(self):
        def page_of(blocks):
            w = gridcast.Workload()
            w.add_kernel("K", stream=1, grid=blocks, block=256, duration_ns=20000)
            return len(gridcast.simulate(w, "tx2")._repr_html_())
        self.assertLess(page_of(100001), page_of(20000))


class Analyzing(unittest.TestCase):
    def test_responses(self):
        a = gridcast.analyze(two_kernels(), "tx2", method="exact")
        self.assertTrue(a.complete)
        self.assertEqual([(r.label, r.best_ns, r.worst_ns) for r in a.responses],
                         [("A", 2000000, 2000000), ("B", 3000000, 3000000)])
        self.assertTrue(a.assumptions)

    def test_verdicts(self):
        w = gridcast.Workload.load(os.path.join(ROOT, "examples/07-deadlines.json"))
        a = gridcast.analyze(w, launch_min_ns=1000, launch_max_ns=1000, copy_min_ns=1000, copy_max_ns=1000)
        self.assertEqual((a.method, a.complete, a.why_not), ("auto", True, None))
        self.assertEqual({r.verdict for r in a.responses if not r.deadline_ns}, set())
        self.assertLessEqual({r.verdict for r in a.responses}, {"met", "met_if"})
        self.assertIn("deadlines met", a.table)
        w = gridcast.Workload()
        w.add_task("t", 1, 1000000)
        w.add_kernel("late", 1, 1, 32, (1000, 2000000))
        late, = gridcast.analyze(w, "tx2").responses
        self.assertEqual(late.verdict, "missed")

    def test_every_method_is_at_least_what_happens(self):
        ends = {o.label: o.response_ns for o in gridcast.simulate(two_kernels(), "tx2").ops}
        for method in ("exact", "bound", "explore"):
            for r in gridcast.analyze(two_kernels(), "tx2", method=method).responses:
                if r.worst_ns is not None:
                    self.assertGreaterEqual(r.worst_ns, ends[r.label], method)


class Failing(unittest.TestCase):
    def test_file_path_and_line(self):
        with self.assertRaises(gridcast.InputError) as caught:
            gridcast.Workload.from_json({"schema": "gridcast.workload/1", "ops": [{"kind": "kernel", "grid": -1}]},
                                        file="bad.json")
        self.assertEqual(caught.exception.file, "bad.json")
        self.assertTrue(caught.exception.path.startswith("/ops/0"))
        with self.assertRaises(gridcast.InputError) as caught:
            gridcast.Workload.from_json("{\n  nonsense", file="bad.json")
        self.assertEqual(caught.exception.line, 2)
        self.assertIn("bad.json:2:", str(caught.exception))

    def test_hints(self):
        with self.assertRaises(gridcast.InputError) as caught:
            gridcast.simulate(two_kernels())
        self.assertIn("GPU", caught.exception.hint)
        self.assertNotIn("--", str(caught.exception))

    def test_files_that_are_not_there(self):
        with self.assertRaises(gridcast.GridcastError):
            gridcast.Workload.load("/no/such/file.json")
        with self.assertRaises(gridcast.GridcastError):
            gridcast.Gpu("no such GPU")

    def test_a_library_that_is_not_there(self):
        for place in ("/no/such/libgridcast.so", "libc.so.6"):
            env = dict(os.environ, GRIDCAST_LIBRARY=place)
            process = subprocess.run([sys.executable, "-c", "import gridcast"], env=env, capture_output=True, text=True)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn("ImportError", process.stderr)


if __name__ == "__main__":
    unittest.main()
