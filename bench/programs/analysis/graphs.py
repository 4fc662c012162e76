"""Tables of graphs: chains, branches, copies."""
from collections import Counter, defaultdict

from .records import concurrent, dist, fit, gaps, grouped, label


def chain_length(runs, say):
    say("  gap between nodes, us")
    for (mode, n, connections), part in grouped(runs, "mode", "n", "connections"):
        later = [r for r in part if r.rep >= 0]
        found = [(k.index, g) for r in later for k, g in gaps(r)]
        if found:
            say("    %-15s n=%-5d %s  over 2 us: %d" % (mode, n, dist([g for _, g in found]), sum(g > 2000 for _, g in found)))
        places(found, len(later), say)
    say("  a launch of n nodes: ns = c0 + c1 n, and by n")
    for (mode,), part in grouped(runs, "mode"):
        if mode == "stream":
            continue
        for what, which in (("first launch", lambda r: r.rep < 0), ("later launches", lambda r: r.rep >= 0)):
            launch_costs(mode, what, [r for r in part if which(r)], say)
        known = {r.p["n"]: (r.p.get("instantiate_ns"), r.p.get("upload_ns")) for r in part}
        say("    %s: instantiate us by n: %s" % (mode, {n: round(a / 1000) for n, (a, _) in known.items() if a}))
        if any(u for _, u in known.values()):
            say("    %s: upload us by n: %s" % (mode, {n: round(u / 1000) for n, (_, u) in known.items() if u}))


def places(found, reps, say):
    """Nodes before which the gap is long in most repetitions."""
    long = Counter(i for i, g in found if g > 2000)
    always = sorted(i for i, c in long.items() if c * 2 > reps)
    if always:
        steps = Counter(b - a for a, b in zip(always, always[1:]))
        say("        long gaps in most repetitions before nodes %s%s; steps %s" % (
            always[:24], " ..." if len(always) > 24 else "", dict(steps.most_common(4))))


def launch_costs(mode, what, runs, say):
    host, first, total = [], [], []
    for r in runs:
        c = r.call("graph")
        if not c or not r.k[0].start:
            continue
        host.append((r.p["n"], c[2] - c[1]))
        start = r.k[0].first
        if r.gate is None:
            first.append((r.p["n"], start - c[1]))
        else:
            first.append((r.p["n"], start - r.gate[0]))
        s = r.call("sync")
        if s:
            total.append((r.p["n"], s[2] - max(k.last_end for k in r.k if k.start)))
    start_name = "call to first start" if runs and runs[0].gate is None else "end of gate to first start"
    for name, points in (("host call", host), (start_name, first), ("last end to sync's return", total)):
        f = fit(points)
        if f:
            by = defaultdict(list)
            for n, y in points:
                by[n].append(y)
            say("    %s, %s, %s: c0 %.0f c1 %.1f; medians us %s" % (mode, what, name, f[0], f[1],
                {n: round(sorted(v)[len(v) // 2] / 1000, 1) for n, v in by.items()}))


def chain_by(*keys):
    def table(runs, say):
        for values, part in grouped(runs, *keys):
            found = [(k.index, g) for r in part for k, g in gaps(r)]
            say("    %s: %s" % (label(keys, values), dist([g for _, g in found])))
            odd, even = [g for i, g in found if i % 2], [g for i, g in found if i % 2 == 0]
            if odd and even and abs(sorted(odd)[len(odd) // 2] - sorted(even)[len(even) // 2]) > 150:
                say("        to odd nodes: %s" % dist(odd))
                say("        to even nodes: %s" % dist(even))
            places(found, len(part), say)
    return table


def chain_relaunch(runs, say):
    keys = ("way", "n", "us", "connections")
    for values, part in grouped(runs, *keys):
        between, overlaps, pairs = [], 0, 0
        for r in part:
            launches = defaultdict(list)
            for k in r.k:
                if k.start:
                    launches[(k.name, k.visit)].append(k)
            spans = sorted((min(k.first for k in ks), max(k.last_end for k in ks)) for ks in launches.values())
            between += [b[0] - a[1] for a, b in zip(spans, spans[1:])]
            overlaps += sum(a[1] > b[0] for a, b in zip(spans, spans[1:]))
            pairs += len(spans) - 1
        say("  " + label(keys, values))
        say.rule("launches one after the other overlap", overlaps, pairs)
        say.dist("from a launch's last end to the next one's first start", between)
        say.dist("gaps inside", [g for r in part for _, g in gaps(r)])


def chain_context(runs, say):
    keys = ("shape", "across")
    for values, part in grouped(runs, *keys):
        say("  " + label(keys, values))
        to = defaultdict(list)
        for r in part:
            for k, g in gaps(r):
                name = "kernel before to first node" if k.index == 1 else "last node to kernel behind" if k.name == "behind" else "inside"
                to[name].append(g)
        for name, values_ in to.items():
            say.dist(name, values_)


def branch_fork(runs, say):
    keys = ("mode", "ends", "branches", "connections")
    for values, part in grouped(runs, *keys):
        most, in_order, fork, spread, steps, join, orders = [], 0, [], [], [], [], Counter()
        for r in part:
            bs = [k for k in r.k if k.name.startswith("b") and k.start]
            most.append(concurrent([(k.first, k.last_end) for k in bs]))
            order = sorted(bs, key=lambda k: (k.first, k.index))
            in_order += [k.index for k in order] == sorted(k.index for k in bs)
            orders[tuple(k.index for k in order)[:8]] += 1
            starts = [k.first for k in order]
            spread.append(starts[-1] - starts[0])
            steps += [b - a for a, b in zip(starts, starts[1:])]
            root, last = r.one("root"), r.one("join")
            if root:
                fork.append(starts[0] - root.last_end)
            if last:
                join.append(last.first - max(k.last_end for k in bs))
        say("  " + label(keys, values))
        say.rule("all branches run at a time (most at a time: %s)" % sorted(set(most)), sum(m == values[2] for m in most), len(most))
        say.rule("they start in the order of their nodes (often: %s)" % [o for o, _ in orders.most_common(2)], in_order, len(part))
        for name, v in (("root's end to first start", fork), ("first to last start", spread), ("start to next start", steps),
                        ("last end to join", join)):
            if v:
                say.dist(name, v)


def branch_uneven(runs, say):
    keys = ("mode", "branches", "connections")
    for values, part in grouped(runs, *keys):
        found, forks, joins = [], [], []
        for r in part:
            for k, g in gaps(r):
                (joins if k.name == "join" else forks if 0 in k.after else found).append(g)
        most = [concurrent([(k.first, k.last_end) for k in r.k if k.start and k.name[0] == "b"]) for r in part]
        say("  %s  most at a time %s" % (label(keys, values), sorted(set(most))))
        say.rule("a node starts within 3 us of the end of the one before it in its branch", sum(g < 3000 for g in found), len(found))
        for name, v in (("in a branch", found), ("root to branch", forks), ("branches to join", joins)):
            say.dist(name, v)


def branch_line(runs, say):
    keys = ("shape", "others", "connections")
    for values, part in grouped(runs, *keys):
        held, late, total = 0, [], 0
        for r in part:
            if values[0] == "line-2-first":
                probe = r.one("probe")
                calls = [c for c in r.calls if c[0] == "long"]
                for k, c in zip(r.named("long"), calls):
                    total += 1
                    late.append(k.first - c[1])
                    held += k.first > probe.last_end
                continue
            probe, c, longs = r.one("probe"), r.call("probe"), r.named("long")
            if not probe:
                continue
            total += 1
            late.append(probe.first - c[1])
            held += probe.first > min(k.last_end for k in longs)
        say("  " + label(keys, values))
        what = "kernels wait until the graph's first node ends" if values[0] == "line-2-first" else "it waits until a long kernel ends"
        say.rule(what, held, total)
        say.dist("call to start", late)


def branch_queue(runs, say):
    keys = ("way", "launch_priority", "node_priority", "flags")
    for values, part in grouped(runs, *keys):
        before, after, total, late, beside = 0, [], 0, [], 0
        for r in part:
            big, small = r.one("big"), r.one("small")
            if not big or not small:
                continue
            total += 1
            before += small.first < big.last_start
            beside += small.first < big.first
            after.append(small.first - big.last_start)
            c, root = r.call("small"), r.one("root")
            late.append(small.first - (c[1] if c else root.last_end))
        say("  " + label(keys, values))
        say.rule("the small one starts before the big one's last block (X1 would forbid it)", before, total)
        say.rule("the small one starts before the big one's first block", beside, total)
        say.dist("big's last start to small's start", after)
        say.dist("small's call (or root's end) to its start", late)


def node_copies(runs, say):
    for (mode, operation), part in grouped(runs, "mode", "operation"):
        points = []
        for (size,), same in grouped(part, "bytes"):
            values = [g for r in same for _, g in gaps(r)]
            points += [(size, g) for g in values]
            say("    %s %s %d bytes, kernel end to kernel start: %s" % (mode, operation, size, dist(values)))
        f = fit([(s, g) for s, g in points if s >= 1 << 20])
        if f and f[1] > 0:
            say("      from 1 MiB on: %.2f us and %.1f GB/s" % (f[0] / 1000, 1 / f[1]))


def node_pairs(runs, say):
    alone = {}
    for (mode, first, second, size), part in grouped(runs, "mode", "first", "second", "bytes"):
        values = sorted(g for r in part for _, g in gaps(r))
        if not values:
            continue
        middle = values[len(values) // 2]
        if second == "none":
            alone[mode, first, size] = middle
        text = "    %s %s + %s, %d bytes: %s" % (mode, first, second, size, dist(values))
        a, b = alone.get((mode, first, size)), alone.get((mode, second, size))
        if a and b:
            text += "; alone %.1f and %.1f: %s" % (a / 1000, b / 1000,
                "beside each other" if middle < 0.6 * (a + b) or middle < 1.2 * max(a, b) else "one after the other or slower")
        say(text)


def node_beside(runs, say):
    keys = ("mode", "beside", "operation")
    for values, part in grouped(runs, *keys):
        late, before = [], 0
        for r in part:
            done, call = r.call("done"), r.call("operation") or r.call(values[2])
            late.append(done[2] - call[1])
            full = r.one("full")
            other = r.call("other-done")
            before += done[2] < (full.last_end if values[1] == "full" else other[2] - 20000)
        say("    %s: call to done: %s; done before the other: %d of %d" % (label(keys, values), dist(late), before, len(part)))
