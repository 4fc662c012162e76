"""Response times and bounds."""
import ctypes
from collections import namedtuple

from . import _layout
from ._library import call, made, native, options
from .model import as_gpu, place

# best_ns, worst_ns: from the release; worst_ns is None where no time is known to be enough. deadline_ns: 0 is none.
# verdict: none (no deadline), met, met_if, missed or open. seen_ns: the longest that a search for late executions saw; 0.
Response = namedtuple("Response", "op label best_ns worst_ns deadline_ns never_called verdict seen_ns")
# complete: else why_not, and no worst time is known. table: what the command prints, with the conditions.
Analysis = namedtuple("Analysis", "method complete why_not responses assumptions states table")


def analyze(workload, gpu=None, method="auto", search_ms=2000, progress=None, **given):
    """How late each operation can end after its release, and whether deadlines are met.

    method: exact, bound or explore; auto: as the command chooses. Late executions are searched for search_ms
    milliseconds where the proof leaves deadlines open; 0: not. given are other fields of gcast_analyze_options, such as
    any_phase, horizon_ns or max_ms. progress is called with a fraction and stops a method by returning False.
    """
    o = options(_layout.gcast_analyze_options, **given)
    if method == "auto" and "max_states" not in given:
        o.max_states = 0
    if search_ms:
        o.search = ctypes.pointer(options(_layout.gcast_search_options, max_ms=search_ms))
    if progress is not None:
        o.progress = _layout.PROGRESS(lambda _, fraction: progress(fraction) is not False)
    gpu = as_gpu(gpu)
    methods = [] if method == "auto" else [place(_layout.METHODS, method)]
    handle = made(native.gcast_workload_answer, _layout.gcast_answer, workload._handle, gpu and gpu._handle,
                  (ctypes.c_int * 1)(*methods), len(methods), ctypes.byref(o))
    try:
        return _analysis(handle, method, [op.label for op in workload.ops])
    finally:
        native.gcast_answer_free(handle)


def _analysis(handle, method, labels):
    a = handle[0]
    parts = [p[0] for p in a.analyses[:a.analysis_count]]
    reasons = ["%s: %s" % (_layout.METHODS[p.method], p.why_not.decode()) for p in parts if p.why_not]
    assumptions = [text.decode() for p in parts for text in p.assumptions[:p.assumption_count]]
    responses = [_response(handle, r, labels) for r in a.responses[:a.response_count]]
    return Analysis(method, a.complete, None if a.complete else "; ".join(reasons), responses, assumptions,
                    sum(p.states for p in parts), _table(handle))


def _response(handle, r, labels):
    worst = None if r.worst_ns == _layout.CONSTANTS["GCAST_NO_BOUND"] else r.worst_ns
    verdict = _layout.VERDICTS[native.gcast_answer_verdict(handle, ctypes.byref(r))]
    return Response(r.op, labels[r.op], r.best_ns, worst, r.deadline_ns, r.never_called, verdict, r.seen_ns)


def _table(handle):
    parts = []

    def keep(_, data, size):
        parts.append(ctypes.string_at(data, size))
        return True

    call(native.gcast_answer_report, handle, _layout.CONSTANTS["GCAST_FORMAT_TABLE"], None, _layout.WRITE(keep), None)
    return b"".join(parts).decode()
