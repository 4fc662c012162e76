"""Camera frames on a Jetson TX2: what a second stream does to them, cell by cell.

Runs as a program, or as a notebook in editors that know `# %%`. NumPy and matplotlib are used where they are there.
"""
# %% The package beside this file
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gridcast

print("gridcast", gridcast.__version__)


# %% A workload
def camera(with_inference):
    w = gridcast.Workload("camera")
    w.add_stream(1, priority=-1)
    w.add_stream(2)
    w.add_copy("frame", stream=1, direction="h2d", bytes=2_000_000)
    w.add_kernel("blur", stream=1, grid=16, block=256, duration_ns=300_000, registers=32)
    w.add_kernel("edges", stream=1, grid=8, block=512, duration_ns=(200_000, 400_000))
    if with_inference:
        w.add_kernel("inference", stream=2, grid=24, block=512, duration_ns=500_000, registers=32)
    return w


# %% Two runs, in a table
alone = gridcast.simulate(camera(False), "tx2")
both = gridcast.simulate(camera(True), "tx2")
before = {op.label: op.response_ns for op in alone.ops}
print("%-10s %10s %10s %10s %14s" % ("operation", "start us", "end us", "response", "alone"))
for op in both.ops:
    print("%-10s %10.1f %10.1f %10.1f %14s" % (op.label, op.start_ns / 1e3, op.end_ns / 1e3, op.response_ns / 1e3,
                                               "%.1f" % (before[op.label] / 1e3) if op.label in before else "-"))

# %% Why does the last kernel of the camera end when it does?
edges = next(i for i, op in enumerate(both.ops) if op.label == "edges")
for wait in both.explain(edges).waits:
    print("%10.1f us  %-12s %s" % ((wait.to_ns - wait.from_ns) / 1e3, wait.rule, wait.text))

# %% A bound for any durations in their ranges
analysis = gridcast.analyze(camera(True), "tx2", method="bound")
for r in analysis.responses:
    print("%-10s %10s" % (r.label, "no bound" if r.worst_ns is None else "%.1f us" % (r.worst_ns / 1e3)))
if not analysis.complete:
    print(analysis.why_not)

# %% How busy is each SM?
try:
    import numpy
except ImportError:
    busy = {}
    for block in both.blocks:
        busy[block.sm] = busy.get(block.sm, 0) + block.end_ns - block.start_ns
else:
    blocks = both.block_array()
    busy = {int(sm): int((blocks["end_ns"] - blocks["start_ns"])[blocks["sm"] == sm].sum())
            for sm in numpy.unique(blocks["sm"])}
for sm, ns in sorted(busy.items()):
    print("SM %d: %.1f us of blocks" % (sm, ns / 1e3))

# %% A picture: by gridcast, and where matplotlib is there by that
picture = os.environ.get("GRIDCAST_PICTURE")
if picture:
    both.write(picture)
try:
    import matplotlib.pyplot as plot
except ImportError:
    plot = None
if plot and not os.environ.get("GRIDCAST_NO_FIGURES"):
    for number, op in enumerate(both.ops):
        plot.barh(number, (op.end_ns - op.start_ns) / 1e3, left=op.start_ns / 1e3)
    plot.yticks(range(len(both.ops)), [op.label for op in both.ops])
    plot.xlabel("microseconds")
    plot.show()
