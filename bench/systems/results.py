"""What the programs of bench/systems share: the generator as a module; results, one JSON object per line, and tables."""
import gzip
import importlib.machinery
import importlib.util
import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def load_generator():
    loader = importlib.machinery.SourceFileLoader("generate", os.path.join(HERE, "generate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate", loader))
    loader.exec_module(module)
    return module


def read(path):
    """The results of a file, gzip or not, by name; of a system that is there twice, the later one."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        return {result["name"]: result for result in map(json.loads, f)}


def ratios(result):
    """Worst case of the analysis over the longest response seen, of every op of a system with an answer."""
    if not result["auto"]["worst"] or result["grows"]:
        return []
    return [worst / seen for worst, seen in zip(result["auto"]["worst"], result["seen"]) if worst and seen]


def job_ratios(result):
    """The same of every task: worst case and longest response of the op of a job that takes longest, all released together."""
    found, first = [], 0
    if not result["auto"]["worst"] or result["grows"] or "ops" not in result:
        return found
    for count in result["ops"]:
        worst, seen = result["auto"]["worst"][first:first + count], result["seen"][first:first + count]
        first += count
        if None not in worst and max(seen):
            found.append(max(worst) / max(seen))
    return found


def has_all(answer):
    """Has every op a worst case?"""
    return bool(answer["worst"]) and None not in answer["worst"]


def percentile(values, percent):
    """The nearest rank."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)] if values else None


def figure(value):
    return "-" if value is None else "%.2f" % value


COLUMNS = ("systems", "bound", "in part", "explore", "piles up", "grows", "median", "95 %", "jobs", "95 %", "met", "missed", "open", "seconds")


def row(results):
    """One line of a table: how many systems, how many answered by bound, of some ops only, by explore, shown to pile up, of those without
    either the ones whose responses grow in simulations; bound over worst seen, of ops and of jobs; verdicts; seconds of the analyses."""
    found = [ratio for result in results for ratio in ratios(result)]
    jobs = [ratio for result in results for ratio in job_ratios(result)]
    count = lambda test: str(sum(1 for result in results if test(result)))
    return (str(len(results)), count(lambda r: has_all(r["bound"])),
            count(lambda r: r["bound"]["worst"] and not has_all(r["bound"])),
            count(lambda r: "explore" in r["auto"]["answered"] or "exact" in r["auto"]["answered"]),
            count(lambda r: r["auto"]["piles_up"]),
            count(lambda r: r["grows"] and not r["auto"]["worst"] and not r["auto"]["piles_up"]),
            figure(percentile(found, 50)), figure(percentile(found, 95)),
            figure(percentile(jobs, 50)), figure(percentile(jobs, 95)), count(lambda r: r["verdict"] == "met"),
            count(lambda r: r["verdict"] == "missed"), count(lambda r: r["verdict"] == "open"),
            "%.1f" % sum(r["bound"]["seconds"] + r["auto"]["seconds"] for r in results))


def table(title, groups):
    lines = ["| " + " | ".join((title,) + COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    return "\n".join(lines + ["| " + " | ".join((name,) + row(results)) + " |" for name, results in groups])


def grouped(results, key):
    groups = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return [(str(name), groups[name]) for name in sorted(groups)] + [("all", list(results))]


def open_table(results):
    """How much of their time kernels may take so that systems which are open meet all deadlines."""
    shares = {}
    for result in results:
        if result["verdict"] == "open":
            shares.setdefault(result["auto"].get("duration_percent", 0), []).append(result["name"])
    lines = ["| kernels take at most | and all deadlines are met of |", "|---|---|"]
    return "\n".join(lines + ["| %s | %s |" % ("%d %%" % share if share else "-", ", ".join(shares[share])) for share in sorted(shares, reverse=True)])


def tables(results):
    """Markdown: by load, by preset, by domain; systems that are open."""
    results = sorted(results, key=lambda result: result["name"])
    return "\n\n".join((
        table("load", grouped(results, lambda r: "%.2f" % (r["percent"] / 100))),
        table("preset", grouped(results, lambda r: r["gpu"])),
        table("domain", grouped(results, lambda r: r["domain"])),
        open_table(results),
    ))
