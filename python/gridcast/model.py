"""GPUs and workloads."""
import ctypes
import json
import os
from collections import namedtuple

from . import _layout
from ._library import call, made, native, options, written

Stream = namedtuple("Stream", "id priority blocking process")
Op = namedtuple("Op", "label kind stream task release_ns grid block min_ns max_ns bytes")
Task = namedtuple("Task", "name stream period_ns deadline_ns offset_ns jitter_ns")


def _three(value):
    """8, (8,) or (8, 2, 1) as three dimensions."""
    dimensions = (value,) if isinstance(value, int) else tuple(value)
    if not 1 <= len(dimensions) <= 3 or any(not 0 <= d < 1 << 32 for d in dimensions):
        raise ValueError("%r is not one to three dimensions" % (value,))
    return dimensions + (1,) * (3 - len(dimensions))


def _least_and_most(duration_ns):
    """A duration, or the least and the most."""
    both = (duration_ns,) * 2 if isinstance(duration_ns, int) else duration_ns
    if not isinstance(both, (tuple, list)) or len(both) != 2 or not all(isinstance(ns, int) for ns in both):
        raise ValueError("duration_ns is %r, but must be a whole number, or two: the least and the most" % (duration_ns,))
    return both


def place(names, name):
    """Where a name is among those of an enumeration."""
    if name not in names:
        raise ValueError("%r is not one of %s" % (name, ", ".join(names)))
    return names.index(name)


def as_gpu(gpu):
    """A Gpu from one, or from what Gpu() takes; None stays."""
    return gpu if gpu is None or isinstance(gpu, Gpu) else Gpu(gpu)


class Gpu:
    """A GPU: a preset's name ("tx2"), a file, or a string such as "sms:2 cc:6.2"."""

    def __init__(self, what):
        self._handle = made(native.gcast_gpu_load, _layout.gcast_gpu, os.fsencode(what))

    @classmethod
    def from_json(cls, text, file="text"):
        """From the text of gridcast.gpu/1, or from what json.loads makes of it."""
        data = (text if isinstance(text, str) else json.dumps(text)).encode()
        gpu = cls.__new__(cls)
        gpu._handle = made(native.gcast_gpu_read_json, _layout.gcast_gpu, data, len(data), file.encode())
        return gpu

    @staticmethod
    def presets():
        """The names of the built-in GPUs."""
        names = []
        while native.gcast_preset_name(len(names)):
            names.append(native.gcast_preset_name(len(names)).decode())
        return names

    def __del__(self):
        if getattr(self, "_handle", None):
            native.gcast_gpu_free(self._handle)

    name = property(lambda self: self._handle[0].name.decode())
    title = property(lambda self: self._handle[0].title.decode())
    sms = property(lambda self: self._handle[0].sms)

    def partition(self, sms):
        """Keeps SMs 0 to sms - 1 only."""
        call(native.gcast_gpu_partition, self._handle, sms)

    def to_json(self):
        return written(native.gcast_gpu_write_json, self._handle)

    def __repr__(self):
        return "<Gpu %s, %d SMs>" % (self.name, self.sms)


class Workload:
    """What is to run: streams, operations, tasks. Built once; after the first run it stays as it is."""

    def __init__(self, name=""):
        self._take(made(native.gcast_workload_create, _layout.gcast_workload, name.encode()))

    def _take(self, handle):
        self._handle = handle
        self._used = False

    @classmethod
    def load(cls, path, iterations=0, gpu=None):
        """From a file in any format that the command reads."""
        return cls._read(native.gcast_workload_load, iterations, gpu, os.fsencode(path))

    @classmethod
    def from_json(cls, text, file="text", iterations=0, gpu=None):
        """From the text of a file, or from what json.loads makes of it."""
        data = (text if isinstance(text, str) else json.dumps(text)).encode()
        return cls._read(native.gcast_workload_read, iterations, gpu, data, len(data), file.encode())

    @classmethod
    def from_profile(cls, path, gpu=None, **given):
        """From a trace of PyTorch's profiler or an SQLite export of Nsight Systems.

        given are other fields of gcast_import_options, such as step, range, from_ns or connections.
        """
        for name in ("range", "name"):
            if isinstance(given.get(name), str):
                given[name] = given[name].encode()
        o = options(_layout.gcast_import_options, **given)
        gpu = as_gpu(gpu)
        if gpu is not None:
            o.gpu = gpu._handle
        workload = cls.__new__(cls)
        workload._take(made(native.gcast_workload_import, _layout.gcast_workload, os.fsencode(path), ctypes.byref(o)))
        return workload

    def copy(self):
        """A workload like this one, which can be changed even where a run refers to this one."""
        workload = Workload.__new__(Workload)
        workload._take(made(native.gcast_workload_copy, _layout.gcast_workload, self._handle))
        return workload

    @classmethod
    def _read(cls, function, iterations, gpu, *arguments):
        o = options(_layout.gcast_read_options, iterations=iterations)
        if gpu is not None:
            o.gpu = gpu._handle
        workload = cls.__new__(cls)
        workload._take(made(function, _layout.gcast_workload, *arguments, ctypes.byref(o)))
        return workload

    def __del__(self):
        if getattr(self, "_handle", None):
            native.gcast_workload_free(self._handle)

    def _change(self):
        if self._used:
            raise ValueError("a run refers to this workload: it cannot be changed, but its copy() can")
        return self._handle

    def _add(self, function, *arguments):
        index = ctypes.c_int()
        call(function, self._change(), *arguments, ctypes.byref(index))
        return index.value

    def add_stream(self, id, priority=0, blocking=None, process=0):
        """A stream by its id; 0 is the NULL stream. Lower numbers of priority go first."""
        stream = _layout.gcast_stream(id=id, priority=priority, process=process)
        stream.blocking = id == 0 if blocking is None else blocking
        stream.blocking_given = blocking is not None
        return self._add(native.gcast_workload_add_stream, ctypes.byref(stream))

    def add_op(self, kind, label="", stream=None, grid=1, block=1, duration_ns=None, registers=0, smem=0,
               direction=None, bytes=0, block_ns=None, **fields):
        """An operation: a kernel with a grid and a block, a copy with a direction and bytes, a sync and so on.

        stream is an id; one that is not there yet is added. duration_ns is what a block, or the copy, takes: a number,
        or the least and the most. fields are other ones of gcast_op, such as release_ns, delay_ns or host_waits.
        """
        op = native.gcast_op_default(place(_layout.KINDS, kind))
        op.label = label.encode()
        if stream is not None:
            op.stream = self._add(native.gcast_workload_get_stream, stream)
        op.grid[:], op.block[:] = _three(grid), _three(block)
        if duration_ns is not None:
            op.min_ns, op.max_ns = _least_and_most(duration_ns)
        op.shape.registers, op.shape.dynamic_smem = registers, smem
        if direction is not None:
            op.direction = place(_layout.DIRECTIONS, direction)
        op.bytes = bytes
        if block_ns is not None:
            if len(block_ns) != op.grid[0] * op.grid[1] * op.grid[2]:
                raise ValueError("block_ns has %d entries, the grid another number of blocks" % len(block_ns))
            if any(not 0 < ns < 1 << 63 for ns in block_ns):
                raise ValueError("block_ns has a duration that cannot be")
            op.block_ns = (ctypes.c_int64 * len(block_ns))(*block_ns)
        for name, value in fields.items():
            if name not in ("release_ns", "delay_ns", "event_pause_ns", "skip_ns", "host", "host_waits", "extra_latency_ns", "host_memory", "barrier"):
                raise TypeError("an operation has no %s" % name)
            setattr(op, name, value)
        return self._add(native.gcast_workload_add_op, ctypes.byref(op))

    def add_kernel(self, label, stream, grid, block, duration_ns, **more):
        return self.add_op("kernel", label, stream, grid, block, duration_ns, **more)

    def add_copy(self, label, stream, direction, bytes=0, **more):
        return self.add_op("copy", label, stream, direction=direction, bytes=bytes, **more)

    def add_host(self, name):
        """A host thread; operations name it by the index that this returns."""
        return self._add(native.gcast_workload_add_host, name.encode())

    def add_task(self, name, stream, period_ns, deadline_ns=None, offset_ns=0, jitter_ns=0):
        """A periodic task, to which the operations that are added next belong. Without a deadline it is the period."""
        task = _layout.gcast_task(name=name.encode(), period_ns=period_ns, offset_ns=offset_ns, jitter_ns=jitter_ns)
        task.stream = self._add(native.gcast_workload_get_stream, stream)
        task.deadline_ns = period_ns if deadline_ns is None else deadline_ns
        return self._add(native.gcast_workload_add_task, ctypes.byref(task))

    def set_duration(self, label, ns):
        """Sets every operation with this label to a duration; how many there were."""
        return native.gcast_workload_set_duration(self._change(), label.encode(), ns)

    def set_partition(self, sms):
        """Lets it run on SMs 0 to sms - 1 only; 0: on all."""
        native.gcast_workload_set_partition(self._change(), sms)

    def set_connections(self, connections):
        """Hardware queues between streams and GPU; 0: one a stream, -1: as many as the GPU has."""
        native.gcast_workload_set_connections(self._change(), connections)

    def check(self):
        """Raises InputError where something is out of range by itself."""
        call(native.gcast_workload_check, self._handle)

    def to_json(self):
        return written(native.gcast_workload_write_native, self._handle)

    name = property(lambda self: self._handle[0].name.decode())

    @property
    def streams(self):
        w = self._handle[0]
        return [Stream(s.id, s.priority, s.blocking, s.process) for s in w.streams[:w.stream_count]]

    @property
    def ops(self):
        w = self._handle[0]
        return [Op(o.label.decode(), _layout.KINDS[o.kind], w.streams[o.stream].id if o.stream >= 0 else None,
                   w.tasks[o.task].name.decode() if o.task >= 0 else None, o.release_ns, tuple(o.grid), tuple(o.block),
                   o.min_ns, o.max_ns, o.bytes) for o in w.ops[:w.op_count]]

    @property
    def tasks(self):
        w = self._handle[0]
        return [Task(t.name.decode(), w.streams[t.stream].id, t.period_ns, t.deadline_ns, t.offset_ns, t.jitter_ns)
                for t in w.tasks[:w.task_count]]

    @property
    def notes(self):
        """What a reader could not carry over."""
        w = self._handle[0]
        return [note.decode() for note in w.notes[:w.note_count]]

    def __repr__(self):
        w = self._handle[0]
        return "<Workload %r, %d operations, %d tasks>" % (self.name, w.op_count, w.task_count)
