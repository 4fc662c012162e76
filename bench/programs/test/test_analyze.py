#!/usr/bin/env python3
"""Synthetic records whose answers are known: does analyze count them so?"""
import importlib.machinery
import importlib.util
import io
import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent.parent
loader = importlib.machinery.SourceFileLoader("analyze", str(HERE / "analyze"))
analyze = importlib.util.module_from_spec(importlib.util.spec_from_loader("analyze", loader))
loader.exec_module(analyze)
from analysis.records import Data  # noqa: E402

US = 1000


def kernel(name, index, blocks, **more):
    """blocks: (sm, start us, duration us)"""
    k = {"n": name, "i": index, "f": 0, "st": 0, "t": 32, "sh": 0, "sm": [b[0] for b in blocks],
         "s": [int(b[1] * US) for b in blocks], "d": [int(b[2] * US) for b in blocks]}
    for key in ("w", "tr", "met"):
        if key in more:
            more[key] = [v if v < 0 else int(v * US) for v in more[key]]
    k.update(more)
    return k


def run(experiment, p, kernels, calls=(), rep=0, **more):
    calls = [[name, int(a * US), int(b * US), error] for name, a, b, error in calls]
    return dict({"x": experiment, "p": dict({"connections": 8}, **p), "rep": rep, "t0": 1, "trip": 2000, "calls": calls,
                 "k": kernels}, **more)


def text(*lines):
    data = Data()
    for line in lines:
        data.take(json.dumps(line) if isinstance(line, dict) else line)
    out = io.StringIO()
    data.failed = analyze.report(data, out)
    assert not data.failed, out.getvalue()
    return out.getvalue()


class Chains(unittest.TestCase):
    def chain(self, gaps, rep):
        t, ks = 0.0, []
        for i, g in enumerate([0] + gaps):
            t += g
            ks.append(kernel("N", i, [(0, t, 10)], after=[i - 1] if i else []))
            t += 10
        return run("chain-length", {"mode": "graph", "n": len(ks)}, ks, [("graph", -20, -12, ""), ("sync", -12, t + 9, "")], rep)

    def test_gaps_and_their_places(self):
        got = text(*[self.chain([0.5, 0.5, 6, 0.5, 0.5, 0.5, 6, 0.5], rep) for rep in (0, 1, 2)])
        self.assertIn("n 24  median 0.50  5% 0.50  95% 6.00  max 6.00  over 2 us: 6", got)
        self.assertIn("before nodes [3, 7]; steps {4: 1}", got)

    def test_first_launch_is_no_gap(self):
        got = text(self.chain([50.0] * 3, -1), self.chain([0.5] * 3, 0))
        self.assertIn("n 3  median 0.50", got)

    def test_cost_of_a_launch(self):
        runs = []
        for n in (1, 101):
            ks = [kernel("N", i, [(0, 20 * i, 10)]) for i in range(n)]
            runs.append(run("chain-length", {"mode": "graph", "n": n}, ks, [("graph", -30, -24 + 0.1 * (n - 1), "")]))
        self.assertIn("later launches, host call: c0 5900 c1 100.0", text(*runs))

    def test_a_gate_that_gave_up_does_not_count(self):
        bad = self.chain([99.0], 0)
        bad["gate"] = [0, 1]
        got = text(bad, self.chain([0.5], 1))
        self.assertIn("1 runs left out", got)
        self.assertNotIn("max 99", got)

    def test_overlap_of_launches(self):
        ks = [kernel("A", 0, [(0, 0, 20)], v=0), kernel("A", 0, [(0, 21, 20)], v=1), kernel("A", 0, [(1, 30, 20)], v=2)]
        got = text(run("chain-relaunch", {"way": "w", "n": 1, "us": 20}, ks))
        self.assertIn("launches one after the other overlap: 1 of 2", got)


class Branches(unittest.TestCase):
    def test_fork(self):
        ks = [kernel("root", 0, [(0, 0, 50)]), kernel("b0", 1, [(0, 52, 400)], after=[0]),
              kernel("b1", 2, [(1, 51, 400)], after=[0]), kernel("b2", 3, [(1, 460, 400)], after=[0]),
              kernel("join", 4, [(0, 863, 20)], after=[1, 2, 3])]
        got = text(run("branch-fork", {"mode": "graph", "ends": 1, "branches": 3}, ks))
        self.assertIn("(most at a time: [2]): 0 of 1", got)
        self.assertIn("(often: [(2, 1, 3)]): 0 of 1", got)
        self.assertIn("last end to join: n 1  median 3.00", got)

    def test_queue(self):
        def one(small):
            big = kernel("big", 1, [(0, 60, 100), (0, 160, 100)])
            return run("branch-queue", {"way": "w", "launch_priority": 0, "node_priority": 1000, "flags": 0},
                       [kernel("root", 0, [(0, 0, 50)]), big, kernel("small", 2, [(1, small, 20)])])
        got = text(one(61), one(161), one(162))
        self.assertIn("(X1 would forbid it): 1 of 3", got)

    def test_line(self):
        ks = [kernel("long", 0, [(0, 0, 1500)]), kernel("probe", 1, [(1, 1502, 50)])]
        got = text(run("branch-line", {"shape": "kernel", "others": 1}, ks, [("probe", 700, 705, "")]))
        self.assertIn("it waits until a long kernel ends: 1 of 1", got)
        self.assertIn("median 802.00", got)


class Programmatic(unittest.TestCase):
    def pair(self, triggers, b, waits):
        a = kernel("A", 0, [(0, 0, 300), (1, 0, 300)], tr=triggers)
        return run("pdl-trigger", {"allowed": 1, "all_threads": 0, "trigger_us": 50},
                   [a, kernel("B", 1, [(2, b, 400)], w=[waits], after=[0])])

    def test_after_the_last_trigger(self):
        got = text(self.pair([50, 80], 81, 220))
        self.assertIn("B starts before A's last end: 1 of 1", got)
        self.assertIn("{\"a's last trigger or end\": 1}", got)
        self.assertIn("A's last trigger or end to B's first start: n 1  median 1.00", got)
        self.assertIn("A's last end to the first return of a wait: n 1  median 1.00", got)

    def test_a_block_without_a_trigger_counts_with_its_end(self):
        got = text(self.pair([50, -1], 302, 1))
        self.assertIn("A's last trigger or end to B's first start: n 1  median 2.00", got)
        self.assertIn("no block of B starts before A's last trigger or end: 1 of 1", got)
        got = text(self.pair([50, -1], 60, 1))
        self.assertIn("no block of B starts before A's last trigger or end: 0 of 1", got)

    def test_three(self):
        ks = [kernel("A", 0, [(0, 0, 500)], tr=[50]), kernel("B", 1, [(0, 51, 60)], tr=[20]),
              kernel("C", 2, [(0, 72, 50)]), kernel("D", 3, [(0, 502, 20)]), kernel("E", 4, [(0, 123, 20)])]
        got = text(run("pdl-three", {"b_waits": 0, "c_waits": 0, "b_trigger_us": 20, "b_us": 60}, ks))
        self.assertIn("C starts before A's end: 1 of 1", got)
        self.assertIn("D starts before A's end: 0 of 1", got)
        self.assertIn("E starts before A's end: 1 of 1", got)


class Clusters(unittest.TestCase):
    MAP = run("cluster-map", {"size": 2, "held": 0},
              [kernel("C", 0, [(0, 0, 30), (2, 0, 30), (1, 0, 30), (3, 0, 30)], cs=2, c=[0, 0, 1, 1])])
    MAP2 = run("cluster-map", {"size": 2, "held": 0},
               [kernel("C", 0, [(0, 0, 30), (4, 0, 30)], cs=2, c=[0, 0])])

    def test_map(self):
        got = text(self.MAP, self.MAP2)
        self.assertIn("5 SMs seen in clusters, 2 groups of SMs (GPCs): sizes [3, 2]", got)
        self.assertIn("3 SMs: 0 2 4", got)

    def room(self, start):
        holder = kernel("holder", 0, [(0, 0, 200), (2, 0, 210), (1, 0, 220), (3, 0, 300), (4, 0, 900)])
        c = kernel("C", 1, [(0, start, 2500), (2, start, 2500), (1, 301, 2500), (3, 301, 2500)], cs=2, c=[0, 0, 1, 1])
        return run("cluster-room", {"size": 2, "order": "staggered"}, [holder, c], [("C", 100, 105, "")])

    def test_room(self):
        got = text(self.MAP, self.MAP2, self.room(211))
        self.assertIn("a cluster starts when its GPC has 2 free SMs or more: 2 of 2", got)
        self.assertIn("to the cluster's first start: n 2  median 1.00", got)
        got = text(self.MAP, self.MAP2, self.room(205))
        self.assertIn("a cluster starts when its GPC has 2 free SMs or more: 1 of 2", got)

    def test_head(self):
        holder = kernel("holder", 0, [(0, 0, 800), (1, 0, 10)])
        c = kernel("C", 1, [(0, 801, 100), (1, 801, 100)], cs=2, c=[0, 0])
        p = {"size": 2, "free": 1, "one_gpc": 1, "probe_priority": 0, "probe": "single"}
        late = run("cluster-head", p, [holder, c, kernel("probe", 2, [(1, 902, 50)])], [("probe", 300, 304, "")])
        early = run("cluster-head", p, [holder, c, kernel("probe", 2, [(1, 310, 50)])], [("probe", 300, 304, "")])
        got = text(late, early)
        self.assertIn("the probe starts before the last cluster (X1 would forbid it at equal priority): 1 of 2", got)

    def test_fit(self):
        c = kernel("C", 0, [(0, 0, 150), (2, 0.5, 150), (1, 0, 150), (3, 0, 150), (0, 151, 150), (4, 151, 150)], cs=2, c=[0] * 6)
        got = text(self.MAP, self.MAP2, run("cluster-fit", {"shape": "s", "size": 2, "policy": 0, "occupancy": 2}, [c]))
        self.assertIn("as many at a time as the occupancy calculation says: 1 of 1", got)
        self.assertIn("all blocks of a cluster on one GPC: 3 of 3", got)


class Cooperative(unittest.TestCase):
    def test_start(self):
        holder = kernel("holder", 0, [(0, 0, 500), (1, 0, 10)])
        p = {"cooperative": 1, "graph": 0, "held": 1, "step_us": 0}
        apart = run("coop-start", p, [holder, kernel("K", 1, [(1, 110, 500), (0, 501, 100)], met=[392, 1])])
        whole = run("coop-start", p, [holder, kernel("K", 1, [(1, 501, 100), (0, 501, 100)], met=[1, 1])])
        self.assertIn("some blocks start before all of it fits: 1 of 2", text(apart, whole))

    def test_two(self):
        p = {"cooperative": 0, "held": 1, "second_priority": -5, "apart_us": 0, "blocks": 2}
        a = kernel("first", 0, [(0, 0, 15000), (1, 15001, 100)], met=[-2, 1])
        b = kernel("second", 1, [(1, 10, 15000), (0, 15001, 100)], met=[-2, 1])
        got = text(run("coop-two", p, [a, b]))
        self.assertIn("each has started some blocks before the other has started all: 1 of 1", got)
        self.assertIn("in both kernels: 1 of 1", got)

    def test_refused(self):
        k = dict(kernel("K", 0, [(0, 0, 1)]), sm=[-1], s=[-1], d=[-1])
        p = {"threads": 64, "shared": 0, "most": 132, "held": 0, "more": 1, "cooperative": 1}
        got = text(run("coop-size", p, [k], [("K", 0, 5, "cudaErrorCooperativeLaunchTooLarge")]))
        self.assertIn("{'cudaErrorCooperativeLaunchTooLarge': 1}", got)


class Files(unittest.TestCase):
    def test_broken_and_failed(self):
        got = text('{"x":"pdl-late","p":{', {"x": "pdl-late", "question": "q"},
                   {"x": "pdl-late", "p": {"block": 1}, "error": "refused"})
        self.assertIn("lines that are not JSON: 1", got)
        self.assertIn("refused or failed: {'block': 1}: refused", got)
        self.assertIn("not complete", got)


if __name__ == "__main__":
    unittest.main()
