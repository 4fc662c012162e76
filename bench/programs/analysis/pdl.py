"""Tables of programmatic launches and edges."""
from collections import Counter

from .records import concurrent, gaps, grouped, label


def cause(a, b):
    """After which event of kernel a kernel b started: the latest one before b's first start."""
    events = [("a's first start", a.first), ("a's last start", a.last_start), ("a's last end", a.last_end)]
    released = release(a)
    events.append(("a's last trigger or end", released))
    before = [(t, name) for name, t in events if t <= b.first]
    if not before:
        return "before a", b.first - a.first
    t, name = max(before, key=lambda x: (x[0], x[1] != "a's last start"))
    return name, b.first - t


def release(a):
    """When every block of a had triggered or ended."""
    marks = dict(zip(a.triggered_blocks, a.trigger))
    return max(marks.get(b, e) for b, e in zip(a.ran, a.end))


def pair(runs, say, keys, first="A", second="B"):
    for values, part in grouped(runs, *keys):
        causes, lags, since_end, wait_end, early, total, room = Counter(), [], [], [], 0, 0, 0
        for r in part:
            a, b = r.one(first), r.one(second)
            if not a or not b:
                continue
            total += 1
            name, lag = cause(a, b)
            causes[name] += 1
            lags.append(b.first - release(a))
            since_end.append(b.first - a.last_end)
            early += b.first < a.last_end
            room += sum(s < a.last_start for s in b.start)
            if b.wait:
                wait_end.append(min(b.wait) - a.last_end)
        if not total:
            continue
        say("  " + label(keys, values))
        say.rule("%s starts before %s's last end" % (second, first), early, total)
        say("    it starts after: %s" % dict(causes))
        say.rule("no block of %s starts before %s's last trigger or end" % (second, first), sum(x >= 0 for x in lags), total)
        say("    blocks of %s that start before %s's last start: %d" % (second, first, room))
        say.dist("%s's last trigger or end to %s's first start" % (first, second), lags)
        if early < total:
            say.dist("%s's last end to %s's first start" % (first, second), since_end)
        if wait_end:
            say.dist("%s's last end to the first return of a wait" % first, wait_end)


def by(*keys):
    return lambda runs, say: pair(runs, say, keys)


def three(runs, say):
    keys = ("b_waits", "c_waits", "b_trigger_us", "b_us")
    for values, part in grouped(runs, *keys):
        say("  " + label(keys, values) + "  (A triggers at 50 us and lasts 500; b_waits 1: before its trigger, 2: at its end, 3: after its trigger)")
        say.rule("B ends before A", sum(r.one("B").last_end < r.one("A").last_end for r in part), len(part))
        for name in "CDE":
            found = [(r.one("A"), r.one("B"), r.one("C"), r.one(name)) for r in part if r.one(name)]
            say.rule("%s starts before A's end" % name, sum(x.first < a.last_end for a, _, _, x in found), len(found))
            say.rule("%s starts before B's end" % name, sum(x.first < b.last_end for _, b, _, x in found), len(found))
            if name != "C":
                say.rule("%s starts before C's end" % name, sum(x.first < c.last_end for _, _, c, x in found), len(found))
                say.dist("last end of A, B and C to %s's start" % name,
                         [x.first - max(a.last_end, b.last_end, c.last_end) for a, b, c, x in found])
        for name, before in (("B", "A"), ("C", "A"), ("C", "B")):
            found = [(r.one(before), r.one(name)) for r in part if r.one(name) and r.one(name).wait]
            if found:
                say.rule("%s's wait returns before %s's end" % (name, before),
                         sum(min(x.wait) < a.last_end for a, x in found), len(found))
                say.dist("%s's last end to the first return of %s's wait" % (before, name),
                         [min(x.wait) - a.last_end for a, x in found])
        say.dist("B's last trigger or end to C's start", [r.one("C").first - release(r.one("B")) for r in part if r.one("C")])


def chain(runs, say, keys):
    for values, part in grouped(runs, *keys):
        starts, waits, triggers, most = [], [], [], []
        for r in part:
            known = {k.index: k for k in r.k if k.start}
            most.append(concurrent([(k.first, k.last_end) for k in known.values()]))
            for k, g in gaps(r):
                starts.append(g)
                before = [known[i] for i in k.after]
                triggers.append(k.first - max(release(b) for b in before))
                if k.wait:
                    waits.append(min(k.wait) - max(b.last_end for b in before))
        say("  %s  most kernels at a time %s" % (label(keys, values), sorted(set(most))))
        say.rule("a kernel starts before the end of the one before it", sum(g < 0 for g in starts), len(starts))
        say.rule("no kernel starts before the last trigger or end of the one before it", sum(g >= 0 for g in triggers), len(triggers))
        say.dist("last end to start", starts)
        say.dist("last trigger or end to start", triggers)
        if waits:
            say.dist("last end to the return of a wait", waits)


def depth(runs, say):
    chain(runs, say, ("way", "body", "us", "connections"))


def programmatic(runs, say):
    chain(runs, say, ("edge", "shape"))


def between(runs, say):
    keys = ("trigger_us", "priority", "big_priority", "room")
    for values, part in grouped(runs, *keys):
        full = [(r.one("A"), r.one("B"), r.one("big")) for r in part if r.one("B") and r.one("big")]
        say("  " + label(keys, values))
        say.rule("big starts before A's last trigger", sum(g.first < release(a) for a, b, g in full), len(full))
        say.rule("B starts before big's last start", sum(b.first < g.last_start for a, b, g in full), len(full))
        say.rule("B starts before A's end", sum(b.first < a.last_end for a, b, g in full), len(full))
        say.dist("A's last trigger to B's start", [b.first - release(a) for a, b, g in full])
        say.dist("big's last start to B's start", [b.first - g.last_start for a, b, g in full])


def events(runs, say):
    pair(runs, say, ("between", "trigger_us", "waits"))
    say("  C, in another stream, which waits for an event of A where there is one")
    pair([r for r in runs if r.one("C")], say, ("between", "trigger_us", "waits"), "A", "C")
