"""Tables of cooperative launches and of blocks that wait for each other."""
from collections import Counter

from .records import concurrent, grouped, label

HELD = 50000  # ns: a holder's block that lasts longer holds its SM


def held_ends(run):
    holder = run.one("holder")
    return [e for s, e in zip(holder.start, holder.end) if e - s > HELD] if holder else []


def size(runs, say):
    keys = ("threads", "shared", "most", "held", "more", "cooperative")
    for values, part in grouped(runs, *keys):
        outcomes, early = Counter(), []
        for r in part:
            k, ends = r.one("K"), held_ends(r)
            outcomes[r.call("K")[3] or "accepted"] += 1
            if k and ends:
                early.append(sum(s < min(ends) for s in k.start))
        say("    %s: %s%s" % (label(keys, values), dict(outcomes),
            "; blocks that start before the holder ends: %s" % sorted(set(early)) if early else ""))


def start(runs, say):
    keys = ("cooperative", "graph", "held", "step_us")
    for values, part in grouped(runs, *keys):
        partial, total, counts, gap, gave_up, spread = 0, 0, [], [], 0, []
        for r in part:
            k, ends = r.one("K"), held_ends(r)
            if not k:
                continue
            gave_up += k.gave_up
            spread.append(k.last_start - k.first)
            if not ends:
                continue
            total += 1
            counts.append(sum(s < max(ends) for s in k.start))
            partial += counts[-1] > 0
            gap.append(k.last_start - max(ends))
        say("  " + label(keys, values))
        if total:
            say.rule("some blocks start before all of it fits", partial, total)
            say("    blocks that start before the holder's last end: %d to %d" % (min(counts), max(counts)))
            say.dist("holder's last end to the last start", gap)
        say.dist("first to last start", spread)
        say("    blocks that gave up: %d" % gave_up)


def two(runs, say):
    keys = ("cooperative", "held", "second_priority", "apart_us", "blocks")
    for values, part in grouped(runs, *keys):
        both, gave_up, interleaved, order, total, beside, lag = 0, 0, 0, 0, 0, 0, []
        for r in part:
            a, b = r.one("first"), r.one("second")
            if not a or not b:
                continue
            total += 1
            both += a.gave_up > 0 and b.gave_up > 0
            gave_up += a.gave_up > 0 or b.gave_up > 0
            interleaved += a.first < b.last_start and b.first < a.last_start
            order += a.first <= b.first
            beside += a.first < b.last_end and b.first < a.last_end
            lag.append(b.first - a.last_end)
        say("  " + label(keys, values))
        say.rule("they overlap", beside, total)
        say.rule("each has started some blocks before the other has started all", interleaved, total)
        say.rule("blocks gave up: a part of each held what the other needed", gave_up, total)
        say.rule("in both kernels", both, total)
        say.rule("the first to be called starts first", order, total)
        say.dist("first's last end to second's first start", lag)


def overlap(runs, say):
    keys = ("way", "streams", "blocks", "connections")
    for values, part in grouped(runs, *keys):
        most, coop, probe, held, behind, gap = [], [], [], 0, [], []
        for r in part:
            main = r.named("coop") + r.named("plain")
            most.append(concurrent([(k.first, k.last_end) for k in main]))
            coops = sorted(r.named("coop"), key=lambda k: k.first)
            coop.append(concurrent([(k.first, k.last_end) for k in coops]))
            gap += [b.first - a.last_end for a, b in zip(coops, coops[1:])]
            p, b = r.one("probe"), r.one("behind")
            probe.append(p.first - r.call("probe")[1])
            held += p.first > min(k.last_end for k in main)
            behind.append(b.first - next(k for k in r.k if k.index == 0).last_end)
        say("  %s: kernels at a time %s, cooperative ones %s" % (label(keys, values), sorted(set(most)), sorted(set(coop))))
        say.rule("all overlap", sum(m == values[1] for m in most), len(most))
        say.rule("the probe waits until one of them ends", held, len(part))
        say.dist("probe's call to its start", probe)
        say.dist("end of the first kernel to the one behind it", behind)
        if gap and max(gap) > 0:
            say.dist("end of a cooperative kernel to the start of the next", gap)


def persistent(runs, say):
    keys = ("way", "cooperative", "waiters")
    for values, part in grouped(runs, *keys):
        say("  " + label(keys, values))
        for name in ("persistent", "other", "waiter"):
            found = [r.one(name) for r in part if r.one(name)]
            if found:
                say.rule("%s: blocks gave up" % name, sum(k.gave_up > 0 for k in found), len(found))
        pairs = [(r.one("persistent"), r.one("other") or r.one("waiter")) for r in part]
        pairs = [(a, b) for a, b in pairs if a and b]
        say.rule("each has started some blocks before the other has started all",
                 sum(a.first < b.last_start and b.first < a.last_start for a, b in pairs), len(pairs))
        say.rule("the persistent one starts blocks before the other ends",
                 sum(a.first < b.last_end for a, b in pairs), len(pairs))
        say.dist("first to last start of the persistent kernel", [a.last_start - a.first for a, _ in pairs])
