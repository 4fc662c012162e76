"""Response times and bounds."""
import ctypes
from collections import namedtuple

from . import _layout
from ._library import made, native, options
from .model import as_gpu, place

# best_ns, worst_ns: from the release; worst_ns is None where no time is known to be enough. deadline_ns: 0 is none.
Response = namedtuple("Response", "op label best_ns worst_ns deadline_ns never_called")
# complete: else why_not, and no worst time is known.
Analysis = namedtuple("Analysis", "method complete why_not responses assumptions states")


def analyze(workload, gpu=None, method="exact", progress=None, **given):
    """How late each operation can end after its release, by a method: exact, bound or explore.

    given are other fields of gcast_analyze_options, such as any_phase, horizon_ns or max_ms. progress is called with a
    fraction and stops the analysis by returning False.
    """
    o = options(_layout.gcast_analyze_options, **given)
    if progress is not None:
        o.progress = _layout.PROGRESS(lambda _, fraction: progress(fraction) is not False)
    gpu = as_gpu(gpu)
    handle = made(native.gcast_workload_analyze, _layout.gcast_analysis, workload._handle, gpu and gpu._handle,
                  place(_layout.METHODS, method), ctypes.byref(o))
    try:
        a, labels = handle[0], [op.label for op in workload.ops]
        responses = [Response(r.op, labels[r.op], r.best_ns,
                              None if r.worst_ns == _layout.CONSTANTS["GCAST_NO_BOUND"] else r.worst_ns, r.deadline_ns,
                              r.never_called) for r in a.responses[:a.response_count]]
        return Analysis(method, a.complete, a.why_not.decode() if a.why_not else None, responses,
                        [text.decode() for text in a.assumptions[:a.assumption_count]], a.states)
    finally:
        native.gcast_analysis_free(handle)
