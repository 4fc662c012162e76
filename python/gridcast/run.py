"""Runs: what happened when, and why."""
import ctypes
import html
from collections import namedtuple

from . import _layout
from ._library import call, made, native, options
from .errors import UsageError
from .model import Workload, as_gpu, place

_TIMES = ("release_ns", "call_ns", "return_ns", "arrive_ns", "head_ns", "enter_ns", "start_ns", "dispatched_ns",
          "end_ns")
Operation = namedtuple("Operation", ("label", "kind", "op", "job", "stream", "skipped") + _TIMES + ("response_ns",))
Block = namedtuple("Block", "operation index sm start_ns end_ns")
Wait = namedtuple("Wait", "rule text operation from_ns to_ns holders")
Holder = namedtuple("Holder", "operation blocks sms")
# changes: as they are given; words: in plain words; refusal: why they cannot be made, else None. end_ns and won_ns are
# None where there is no end.
WhatIf = namedtuple("WhatIf", "changes words refusal hangs better end_ns won_ns missed")
Explanation = namedtuple("Explanation", "operation release_ns end_ns waits")
_NOTEBOOK_BLOCKS = 100000  # a notebook keeps every page that it shows: of more blocks it shows the operations only


def _texts(words):
    """An array of C texts."""
    return (ctypes.c_char_p * max(len(words), 1))(*(w.encode() for w in words))


class Run:
    """What simulate() returns. Times are nanoseconds, -1 where they do not apply; operations are numbered from 0."""

    def __init__(self, handle, workload, simulated_with=None, gpu=None):
        self._handle, self._workload, self._simulated_with, self._gpu = handle, workload, simulated_with, gpu
        self._ops = None

    def __del__(self):
        if getattr(self, "_handle", None):
            native.gcast_run_free(self._handle)

    workload = property(lambda self: self._workload)
    source = property(lambda self: self._handle[0].source.decode())
    end_ns = property(lambda self: self._handle[0].end_ns)
    horizon_ns = property(lambda self: self._handle[0].horizon_ns)
    notes = property(lambda self: [n.decode() for n in self._handle[0].notes[:self._handle[0].note_count]])

    @property
    def ops(self):
        """Every operation as an Operation."""
        if self._ops is None:
            run, specs = self._handle[0], self._workload.ops
            self._ops = [self._operation(run.ops[i], specs) for i in range(run.op_count)]
        return self._ops

    @staticmethod
    def _operation(o, specs):
        spec = specs[o.op]
        response = -1 if o.call_ns < 0 or o.end_ns < o.release_ns else o.end_ns - o.release_ns
        return Operation(spec.label, spec.kind, o.op, o.job, spec.stream, o.skipped,
                         *(getattr(o, name) for name in _TIMES), response)

    def _recorded(self):
        """Number, block array and count of each operation whose blocks are recorded."""
        run = self._handle[0]
        if not run.blocks_recorded:
            raise UsageError(2, "the run has no blocks recorded")
        for i in range(run.op_count):
            if run.ops[i].blocks:
                yield i, run.ops[i].blocks, run.ops[i].block_count

    @property
    def blocks(self):
        """Every thread block as a Block."""
        return [Block(i, k, b.sm, b.start_ns, b.end_ns) for i, blocks, count in self._recorded()
                for k, b in enumerate(blocks[:count])]

    def op_array(self):
        """The operations as a structured array of NumPy: op, job, stream, skipped and the times."""
        import numpy
        fields = ("op", "job", "stream", "skipped") + _TIMES + ("response_ns",)
        kinds = [(name, bool if name == "skipped" else numpy.int64) for name in fields]
        rows = [tuple(-1 if getattr(o, name) is None else getattr(o, name) for name in fields) for o in self.ops]
        return numpy.array(rows, dtype=kinds)

    def block_array(self):
        """The blocks as a structured array of NumPy: operation, index, sm, start_ns, end_ns."""
        import numpy
        raw = numpy.dtype([("start_ns", numpy.int64), ("end_ns", numpy.int64), ("sm", numpy.uint32),
                           ("quarter", numpy.uint32)])
        assert raw.itemsize == ctypes.sizeof(_layout.gcast_block)
        parts = []
        for i, blocks, count in self._recorded():
            data = ctypes.string_at(blocks, count * ctypes.sizeof(_layout.gcast_block))
            parts.append((i, numpy.frombuffer(data, dtype=raw)))
        out = numpy.empty(sum(len(p) for _, p in parts), dtype=[
            ("operation", numpy.int64), ("index", numpy.int64), ("sm", numpy.int64), ("start_ns", numpy.int64),
            ("end_ns", numpy.int64)])
        at = 0
        for i, part in parts:
            rows = out[at:at + len(part)]
            rows["operation"], rows["index"] = i, numpy.arange(len(part))
            for name in ("sm", "start_ns", "end_ns"):
                rows[name] = part[name]
            at += len(part)
        return out

    def check(self):
        """Raises InternalError where the run breaks an invariant of the model."""
        call(native.gcast_run_check, self._handle)

    @property
    def in_time(self):
        """Does every job end by its deadline?"""
        return native.gcast_run_in_time(self._handle)

    def find(self, name, worst=False):
        """The number of the operation LABEL or LABEL#JOB; with worst that of the job that is latest."""
        subject = _layout.gcast_subject()
        call(native.gcast_run_find_subject, self._handle, name.encode(), worst, ctypes.byref(subject))
        return subject.run_op

    def explain(self, operation):
        """Why an operation ended when it did: its response time, wait by wait. It is given by its number or its label."""
        if isinstance(operation, str):
            operation = self.find(operation)
        e = made(native.gcast_run_explain, _layout.gcast_explanation, self._handle, operation)
        try:
            waits = [Wait(native.gcast_wait_rule(w.reason, w.resources).decode(),
                          native.gcast_text(_layout.CONSTANTS["GCAST_NAMES_REASON"], w.reason).decode(), w.run_op, w.from_ns, w.to_ns,
                          [Holder(h.run_op, h.blocks, h.sms) for h in w.holders[:w.holder_count]])
                     for w in e[0].waits[:e[0].wait_count]]
            return Explanation(operation, e[0].release_ns, e[0].end_ns, waits)
        finally:
            native.gcast_explanation_free(e)

    def try_changes(self, changes=(), gpus=None, **given):
        """What changes would bring, each simulated in full: a list of WhatIf, the best first.

        changes are made together, such as ["connections=8", "merge=all"]; none: all that may make a difference, a row
        each. gpus: other GPUs to try; None: three presets. given are other fields of gcast_whatif_options: of,
        deadlines, all, threads.
        """
        x = self._try(changes, gpus, given)
        try:
            rows, row = [], _layout.gcast_whatif_row()
            while native.gcast_whatif_get_row(x, len(rows), ctypes.byref(row)):
                ends = not row.refusal and not row.hangs
                rows.append(WhatIf(row.changes.decode(), row.words.decode(), row.refusal and row.refusal.decode(),
                                   row.hangs, row.better, row.end_ns if ends else None, row.won_ns if ends else None,
                                   row.missed))
            return rows
        finally:
            native.gcast_whatif_free(x)

    def changed(self, changes):
        """The workload with these changes, such as ["connections=8"], made together."""
        x = self._try(changes, [], {})
        try:
            workload = Workload.__new__(Workload)
            workload._take(made(native.gcast_whatif_workload, _layout.gcast_workload, x, 0))
            return workload
        finally:
            native.gcast_whatif_free(x)

    def _try(self, changes, gpus, given):
        o = options(_layout.gcast_whatif_options, **given)
        o.changes, o.change_count = _texts(changes), len(changes)
        if gpus is not None:
            o.gpus, o.gpu_count = _texts(gpus), len(gpus)
        if self._simulated_with is not None:
            o.simulate = ctypes.pointer(self._simulated_with)
        return made(native.gcast_run_try_changes, ctypes.c_int, self._handle, ctypes.byref(o))

    def add_warnings(self, trials=-1):
        """Adds to the notes what else may happen: races, and other ends where the workload leaves something open.

        trials: simulations for races; -1: 8, unless the run has many blocks.
        """
        options = self._simulated_with
        call(native.gcast_run_add_warnings, self._handle, self._gpu and self._gpu._handle,
             options and ctypes.byref(options), trials)

    def write(self, path, **given):
        """Writes the run in the format of the path's ending, such as .svg, .html, .csv or .trace.json.

        given are fields of gcast_report_options, such as blocks, from_ns, to_ns or width.
        """
        data = self._report(path, **given)
        with open(path, "wb") as file:
            file.write(data)

    def _report(self, path, **given):
        """The bytes of a file with the path's ending."""
        form, gzip = ctypes.c_int(), ctypes.c_bool()
        if not native.gcast_format_from_file(str(path).encode(), ctypes.byref(form), ctypes.byref(gzip)):
            raise UsageError(2, "no format has the ending of %s" % path)
        o = options(_layout.gcast_report_options, gzip=gzip.value, **given)
        o.explain = ctypes.cast(native.gcast_run_explain, ctypes.c_void_p)
        parts = []

        def keep(_, data, size):
            parts.append(ctypes.string_at(data, size))
            return True

        call(native.gcast_run_report, self._handle, form, ctypes.byref(o), _layout.WRITE(keep), None)
        return b"".join(parts)

    def _repr_svg_(self):
        """The timeline, for notebooks."""
        return self._report(".svg").decode()

    def _repr_html_(self):
        """The interactive page, for notebooks: in a frame, as it is a document with a style and a script of its own."""
        run = self._handle[0]
        blocks = sum(op.block_count for op in run.ops[:run.op_count])
        page = self._report(".html", no_blocks=blocks > _NOTEBOOK_BLOCKS).decode()
        return '<iframe sandbox="allow-scripts" style="width: 100%%; height: 40em; border: 0" srcdoc="%s"></iframe>' % html.escape(page)

    def __repr__(self):
        return "<Run, %s, %d operations, ends at %d ns>" % (self.source, self._handle[0].op_count, self.end_ns)


def simulate(workload, gpu=None, record_blocks=True, durations="max", releases=None, progress=None, **given):
    """Predicts when everything ends. gpu: a Gpu, or what Gpu() takes; None: the one that the workload names.

    given are other fields of gcast_simulate_options, such as seed, horizon_ns or merge_processes. progress is called
    with a fraction and stops the simulation by returning False.
    """
    o = options(_layout.gcast_simulate_options, record_blocks=record_blocks,
                durations=place(_layout.DURATIONS, durations), **given)
    if releases is not None:
        o.releases = (ctypes.c_int64 * len(releases))(*releases)
        o.release_count = len(releases)
    if progress is not None:
        o.progress = _layout.PROGRESS(lambda _, fraction: progress(fraction) is not False)
    gpu = as_gpu(gpu)
    handle = made(native.gcast_workload_simulate, _layout.gcast_run, workload._handle, gpu and gpu._handle,
                  ctypes.byref(o))
    workload._used = True
    return Run(handle, workload, o, gpu)
