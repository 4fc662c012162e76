"""AMALTHEA models: tasks on cores and a GPU."""
import ctypes
import os
from collections import namedtuple

from . import _layout
from ._library import made, native, options
from .model import as_gpu, place
from .run import _texts

# Of one task, from the release of the task that starts it all. core is None on the GPU; worst_ns is None where no time is
# known to be enough. deadline_ns: 0 is none.
SystemTask = namedtuple("SystemTask", "name core best_ns worst_ns deadline_ns verdict")
# verdict: of all deadlines together: met, met_if, open or missed. why: what is not met, or the condition.
SystemAnswer = namedtuple("SystemAnswer", "verdict why tasks")


class System:
    """An AMALTHEA model with what is given beside it."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            native.gcast_system_free(self._handle)

    @classmethod
    def read(cls, *paths, gpu=None, kernels=None, cores=(), chains=(), waiting="as_given", sharing="as_given", **given):
        """Reads a model from its files and folders.

        kernels: a file with what the model lacks, or "fill": kernels fill the GPU. cores are such as "Camera=Core0",
        chains such as "Camera,Detect,Steer". given are other fields of gcast_system_options: fill, rate_monotonic,
        tick_ps.
        """
        gpu = as_gpu(gpu)
        o = options(_layout.gcast_system_options, waiting=place(_layout.WAITING, waiting),
                    sharing=place(_layout.SHARING, sharing), **given)
        o.cores, o.core_count = _texts(cores), len(cores)
        o.chains, o.chain_count = _texts(chains), len(chains)
        o.fill = o.fill or kernels == "fill"
        if kernels not in (None, "fill"):
            o.given = os.fsencode(kernels)
        if gpu is not None:
            o.gpu = gpu._handle
        files = _texts([os.fsdecode(p) for p in paths])
        first = ctypes.cast(files, ctypes.POINTER(ctypes.c_void_p))
        return cls(made(native.gcast_system_read, ctypes.c_int, first, len(paths), ctypes.byref(o)))

    @property
    def findings(self):
        """What of the model is doubtful, left out or assumed: a sentence each."""
        found = []
        while (text := native.gcast_system_finding(self._handle, len(found))):
            found.append(text.decode())
        return found

    def analyze(self, method="bound", communication="implicit", reaction="stimulus", ignore_offsets=False, **given):
        """Response times of all tasks, and whether deadlines are met: a SystemAnswer.

        method is that of the GPU: bound, explore or exact. given are fields of gcast_analyze_options for it.
        """
        gpu = options(_layout.gcast_analyze_options, **given)
        o = options(_layout.gcast_system_analyze_options, method=place(_layout.METHODS, method),
                    communication=place(_layout.COMMUNICATION, communication),
                    reaction=place(_layout.REACTION, reaction), ignore_offsets=ignore_offsets)
        o.gpu = ctypes.pointer(gpu)
        answer = made(native.gcast_system_analyze, ctypes.c_int, self._handle, ctypes.byref(o))
        try:
            why, tasks, task = ctypes.c_void_p(), [], _layout.gcast_system_task()
            verdict = native.gcast_system_answer_verdict(answer, ctypes.byref(why))
            while native.gcast_system_answer_get_task(answer, len(tasks), ctypes.byref(task)):
                bounded = task.worst_ns != _layout.CONSTANTS["GCAST_NO_BOUND"]
                tasks.append(SystemTask(task.name.decode(), task.core and task.core.decode(), task.best_ns,
                                        task.worst_ns if bounded else None, task.deadline_ns,
                                        _layout.VERDICTS[task.verdict]))
            return SystemAnswer(_layout.VERDICTS[verdict], ctypes.string_at(why).decode(), tasks)
        finally:
            native.gcast_system_answer_free(answer)
