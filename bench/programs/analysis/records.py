"""Reads records of bench/programs, and what all tables share. Times are ns; tables print microseconds."""
import gzip
import json
from collections import defaultdict


class Kernel:
    """One execution of a kernel: its blocks, by index. Blocks that did not run are left out."""

    def __init__(self, d):
        self.name, self.index, self.visit = d["n"], d["i"], d.get("v", 0)
        self.stream, self.node, self.after = d["st"], d.get("node", -1), d.get("after", [])
        self.cluster = d.get("cs", 0)
        self.blocks = len(d["s"])
        ran = [b for b in range(self.blocks) if d["s"][b] >= 0 and d["sm"][b] >= 0]
        self.ran = ran
        self.sm = [d["sm"][b] for b in ran]
        self.start = [d["s"][b] for b in ran]
        self.end = [d["s"][b] + d["d"][b] for b in ran]
        self.wait = self._marks(d, "w")
        self.trigger = self._marks(d, "tr")
        self.triggered_blocks = [b for b in ran if "tr" in d and d["tr"][b] >= 0]
        self.gave_up = sum(1 for m in d.get("met", []) if m == -2)
        self.met = self._marks(d, "met")
        self.cluster_id = [d["c"][b] for b in ran] if "c" in d else []

    def _marks(self, d, key):
        if key not in d:
            return []
        return [d["s"][b] + d[key][b] for b in self.ran if d[key][b] >= 0]

    first = property(lambda k: min(k.start))
    last_start = property(lambda k: max(k.start))
    last_end = property(lambda k: max(k.end))


class Run:
    def __init__(self, d):
        self.p, self.rep, self.calls = d["p"], d["rep"], d["calls"]
        self.gate = d.get("gate")
        self.k = [Kernel(k) for k in d["k"]]

    def named(self, name):
        return [k for k in self.k if k.name == name and k.start]

    def one(self, name):
        found = self.named(name)
        return found[0] if found else None

    def call(self, name):
        return next((c for c in self.calls if c[0] == name), None)


class Data:
    def __init__(self):
        self.runs, self.errors, self.heads = defaultdict(list), defaultdict(list), {}
        self.done, self.broken = set(), 0

    def read(self, path):
        with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as f:
            try:
                for line in f:
                    self.take(line)
            except EOFError:
                self.broken += 1  # the recording was stopped while it was packed

    def take(self, line):
        try:
            d = json.loads(line)
        except ValueError:
            self.broken += 1  # the last line of an experiment that was stopped
            return
        if "k" in d:
            self.runs[d["x"]].append(Run(d))
        elif "error" in d or "fatal" in d:
            self.errors[d["x"]].append((d.get("p", {}), d.get("error") or d["fatal"]))
        elif "question" in d:
            self.heads[d["x"]] = d
        elif "done" in d:
            self.done.add(d["x"])


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def dist(values):
    """n, median, 5 %, 95 %, max in microseconds."""
    if not values:
        return "n 0"
    q = [quantile(values, x) / 1000 for x in (0.5, 0.05, 0.95)] + [max(values) / 1000]
    return "n %d  median %.2f  5%% %.2f  95%% %.2f  max %.2f" % (len(values), *q)


def fit(points):
    """Least squares y = a + b x."""
    n = len(points)
    if n < 2:
        return None
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    xx = sum((x - mx) ** 2 for x, _ in points)
    if not xx:
        return None
    b = sum((x - mx) * (y - my) for x, y in points) / xx
    return my - b * mx, b


def grouped(runs, *keys):
    """(values of these parameters, their runs), in the order of the file."""
    groups = {}
    for r in runs:
        groups.setdefault(tuple(r.p.get(k) for k in keys), []).append(r)
    return groups.items()


def label(keys, values):
    return "  ".join("%s=%s" % (k, "none" if v == 1000 and k == "node_priority" else v) for k, v in zip(keys, values))


def concurrent(intervals):
    """The most of these (start, end) at a time."""
    events = sorted([(s, 1) for s, _ in intervals] + [(e, -1) for _, e in intervals])
    most = now = 0
    for _, change in events:
        now += change
        most = max(most, now)
    return most


def gaps(run):
    """(kernel, ns from the end of the last kernel it is after to its first start)."""
    by_index = defaultdict(dict)
    for k in run.k:
        if k.start:
            by_index[k.visit][k.index] = k
    for k in run.k:
        before = [by_index[k.visit].get(i) for i in k.after]
        if k.start and before and all(before):
            yield k, k.first - max(b.last_end for b in before)


class Say:
    """What an analysis prints."""

    def __init__(self, out):
        self.out = out

    def __call__(self, text=""):
        print(text, file=self.out)

    def rule(self, text, yes, total):
        self("    rule: %s: %d of %d" % (text, yes, total))

    def dist(self, text, values):
        self("    %s: %s" % (text, dist(values)))
