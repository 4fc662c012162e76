"""What someone does first with the installed Python package: import, simulate, analyze, explain, draw.

Run in an empty folder; it prints where the package and the library are."""
import gridcast
from gridcast import _library

w = gridcast.Workload("two kernels")
w.add_kernel("A", stream=1, grid=8, block=512, duration_ns=2_000_000)
w.add_kernel("B", stream=2, grid=1, block=512, duration_ns=1_000_000)
run = gridcast.simulate(w, "tx2")
run.check()
assert [(op.label, op.start_ns, op.end_ns) for op in run.ops] == [("A", 0, 2_000_000), ("B", 2_000_000, 3_000_000)]
assert [(r.label, r.worst_ns) for r in gridcast.analyze(w, "tx2").responses] == [("A", 2_000_000), ("B", 3_000_000)]
assert run.explain(1).waits
assert gridcast.Workload.from_json(w.to_json()).ops == w.ops

# As notebooks show it.
assert run._repr_svg_().rstrip().endswith("</svg>")
assert run._repr_html_().startswith("<iframe ")
for name in ("two.svg", "two.html", "two.csv", "two.trace.json.gz"):
    run.write(name)
try:
    run.write("two.png")
    pictures = "with PNG"
except gridcast.GridcastError as error:
    pictures = "no PNG: %s" % error
print("gridcast %s in %s, %s: %s" % (gridcast.__version__, gridcast.__path__[0], _library.native._name, pictures))
