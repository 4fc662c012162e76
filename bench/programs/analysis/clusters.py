"""Tables of clusters."""
from collections import Counter, defaultdict

from .records import concurrent, grouped, label

HELD = 50000  # ns: a holder's block that lasts longer holds its SM


def clusters_of(k):
    """(start of the first block, of the last, end of the last, SMs by rank) of every cluster."""
    found = defaultdict(list)
    for i, block in enumerate(k.ran):
        found[block // k.cluster].append(i)
    for number in sorted(found):
        blocks = found[number]
        yield (min(k.start[i] for i in blocks), max(k.start[i] for i in blocks), max(k.end[i] for i in blocks),
               [k.sm[i] for i in blocks])


def gpc_map(runs):
    """SM to the lowest SM of its GPC: SMs that were seen in one cluster share one."""
    parent = {}

    def find(a):
        parent.setdefault(a, a)
        while parent[a] != a:
            a = parent[a]
        return a

    for r in runs:
        for k in r.k:
            if k.cluster > 1 and k.start:
                for _, _, _, sms in clusters_of(k):
                    for sm in sms:
                        a, b = sorted((find(sms[0]), find(sm)))
                        parent[b] = a
    return {sm: find(sm) for sm in list(parent)}


def all_maps(data):
    return gpc_map([r for name, runs in data.runs.items() if name.startswith("cluster") for r in runs])


def map_table(data):
    def table(runs, say):
        gpc = gpc_map(runs)
        groups = defaultdict(list)
        for sm, g in sorted(gpc.items()):
            groups[g].append(sm)
        say("  %d SMs seen in clusters, %d groups of SMs (GPCs): sizes %s" % (
            len(gpc), len(groups), sorted((len(g) for g in groups.values()), reverse=True)))
        for g, sms in sorted(groups.items()):
            say("    %2d SMs: %s" % (len(sms), " ".join(map(str, sms))))
        whole = gpc_map([r for runs_ in data.runs.values() for r in runs_])
        say.rule("the map of all cluster experiments has as many groups (%d)" % len(set(whole.values())),
                 len(set(whole.values())) == len(groups), 1)
        pairs = [sm for sm in gpc if sm % 2 == 0 and sm + 1 in gpc]
        say.rule("SMs 2n and 2n + 1 share a GPC", sum(gpc[sm] == gpc[sm + 1] for sm in pairs), len(pairs))
        for (size,), part in grouped(runs, "size"):
            together = Counter()
            for r in part:
                for k in r.named("C"):
                    for _, _, _, sms in clusters_of(k):
                        together[len({sm // 2 for sm in sms}), len(set(sms))] += 1
            say("    size %d: (TPCs, SMs) of a cluster: %s" % (size, dict(together.most_common(5))))
    return table


def fit_table(data):
    def table(runs, say):
        gpc = all_maps(data)
        keys = ("shape", "size", "policy")
        for values, part in grouped(runs, *keys):
            most, starts, one_gpc, total, sms, per_gpc = [], [], 0, 0, Counter(), Counter()
            for r in part:
                k = r.one("C")
                found = list(clusters_of(k))
                most.append(concurrent([(a, e) for a, _, e, _ in found]))
                starts += [b - a for a, b, _, _ in found]
                total += len(found)
                one_gpc += sum(len({gpc.get(sm) for sm in x}) == 1 for _, _, _, x in found)
                sms.update(len(set(x)) for _, _, _, x in found)
                wave = [x for a, _, _, x in found if a < k.first + 100000]
                per_gpc.update(gpc.get(x[0]) for x in wave)
            touched = len({sm for r in part for sm in r.one("C").sm})
            say("  %s: most at a time %s, occupancy says %s, SMs touched %d" % (
                label(keys, values), sorted(set(most)), part[0].p["occupancy"], touched))
            say.rule("as many at a time as the occupancy calculation says", sum(m == part[0].p["occupancy"] for m in most), len(most))
            say.rule("all blocks of a cluster on one GPC", one_gpc, total)
            say("    SMs per cluster %s; clusters of the first wave by GPC %s" % (dict(sms), dict(per_gpc)))
            say.dist("first to last start of a cluster's blocks", starts)
    return table


def place_table(data):
    def table(runs, say):
        gpc = all_maps(data)
        names = {g: i for i, g in enumerate(sorted(set(gpc.values())))}
        keys = ("size", "clusters", "policy")
        for values, part in grouped(runs, *keys):
            orders, ranks = Counter(), Counter()
            for r in part:
                found = list(clusters_of(r.one("C")))
                orders[tuple(names.get(gpc.get(x[0]), -1) for _, _, _, x in found)] += 1
                ranks[tuple(found[0][3])] += 1
            say("  %s: %d repetitions" % (label(keys, values), len(part)))
            for order, n in orders.most_common(2):
                say("    GPCs of the clusters in order, %d times: %s" % (n, list(order)))
            for order, n in ranks.most_common(2):
                say("    SMs of cluster 0 by rank, %d times: %s" % (n, list(order)))
    return table


def room_table(data):
    """Walks through starts and ends: how long did a GPC have room for a cluster while one waited?"""
    def table(runs, say):
        gpc = all_maps(data)
        for values, part in grouped(runs, "size", "order"):
            size, waits, short, starts, total, idle = values[0], [], 0, [], 0, []
            for r in part:
                w, s, n, rest = walk(r, gpc, size)
                waits += w
                short += s
                total += n
                idle += rest
                starts += [b - a for a, b, _, _ in clusters_of(r.one("C"))]
            say("  " + label(("size", "order"), values))
            say.rule("a cluster starts when its GPC has %d free SMs or more" % size, total - short, total)
            say.dist("from the end that made room in its GPC to the cluster's first start", waits)
            say.dist("longest time that some GPC had room while clusters waited, by run", idle)
            say.dist("first to last start of a cluster's blocks", starts)
    return table


def walk(run, gpc, size):
    holder, k = run.one("holder"), run.one("C")
    found = sorted(clusters_of(k))
    free_at = defaultdict(list)  # by GPC: when its SMs become free
    ends = dict(zip(holder.sm, holder.end))
    events = [(t, 0, sm) for sm, t in ends.items()] + [(a, 1, sms) for a, _, _, sms in found]
    events += [(e, 0, sm) for _, _, e, sms in found for sm in sms]
    waits, short, idle, room_since = [], 0, [0], {}
    waiting = len(found)
    called = run.call("C")[2]
    for t, kind, what in sorted(events, key=lambda x: (x[0], x[1])):
        if kind == 0:
            g = gpc.get(what)
            free_at[g].append(t)
            if len(free_at[g]) >= size and g not in room_since:
                room_since[g] = t
            continue
        g = gpc.get(what[0])
        waiting -= 1
        if len(free_at[g]) < size:
            short += 1
        elif room_since.get(g, 0) > called:
            waits.append(t - room_since[g])
        del free_at[g][:size]
        for other, since in room_since.items():
            if other != g:
                idle.append(t - max(since, called))
        if len(free_at[g]) >= size:
            room_since[g] = max(t, free_at[g][size - 1])
        else:
            room_since.pop(g, None)
    return waits, short, len(found), [max(idle)]


def head(runs, say):
    keys = ("size", "free", "one_gpc", "probe_priority", "probe")
    for values, part in grouped(runs, *keys):
        c_early, p_before, p_held, total, lag, held_end = 0, 0, 0, 0, [], []
        for r in part:
            holder, c, probe = r.one("holder"), r.one("C"), r.one("probe")
            if not c or not probe:
                continue
            long = [e for s, e in zip(holder.start, holder.end) if e - s > HELD]
            if not long:
                continue
            total += 1
            c_early += sum(a < min(long) for a, _, _, _ in clusters_of(c))
            p_before += probe.first < c.last_start
            p_held += probe.first < min(long)
            lag.append(probe.first - r.call("probe")[1])
            held_end.append(c.last_start - min(long))
        say("  " + label(keys, values))
        say("    clusters that start before the holder ends: %d in %d runs (3 each)" % (c_early, total))
        say.rule("the probe starts before the last cluster (X1 would forbid it at equal priority)", p_before, total)
        say.rule("the probe starts before the holder ends", p_held, total)
        say.dist("probe's call to its start", lag)
        say.dist("holder's first end to the last cluster's start", held_end)


def fragments(runs, say):
    keys = ("pattern", "size", "needs")
    for values, part in grouped(runs, *keys):
        early, total, pairs, shapes = 0, 0, 0, Counter()
        for r in part:
            holder, c = r.one("holder"), r.one("C")
            long = [e for s, e in zip(holder.start, holder.end) if e - s > HELD] or [1 << 60]
            for a, _, _, sms in clusters_of(c):
                total += 1
                early += a < min(long)
                shapes[len(set(sms)), len({sm // 2 for sm in sms})] += 1
        say("  " + label(keys, values))
        say.rule("clusters start while the SMs are held", early, total)
        say("    (SMs, TPCs) of a cluster: %s" % dict(shapes.most_common(5)))


def mixed(runs, say):
    keys = ("size", "clusters_first", "second_priority")
    for values, part in grouped(runs, *keys):
        before, total, starts, gap = 0, 0, [], []
        for r in part:
            c, s = r.one("C"), r.one("S")
            first, second = (c, s) if values[1] else (s, c)
            total += 1
            before += second.first < first.last_start
            gap.append(second.first - first.last_start)
            starts += [b - a for a, b, _, _ in clusters_of(c)]
        say("  " + label(keys, values))
        say.rule("the second kernel starts before the first one's last start", before, total)
        say.dist("last start of the first to first start of the second", gap)
        say.dist("first to last start of a cluster's blocks", starts)
