"""When GPU kernels will finish, block by block: libgridcast from Python.

    import gridcast
    w = gridcast.Workload("two kernels")
    w.add_kernel("A", stream=1, grid=8, block=512, duration_ns=2_000_000)
    w.add_kernel("B", stream=2, grid=1, block=512, duration_ns=1_000_000)
    run = gridcast.simulate(w, "tx2")
    for op in run.ops:
        print(op.label, op.start_ns, op.end_ns)

docs/python.md says more.
"""
from ._library import native as _native
from .analysis import Analysis, Response, analyze
from .errors import DeviceError, GridcastError, InputError, InternalError, ResourceError, UsageError
from .model import Gpu, Op, Stream, Task, Workload
from .run import Block, Explanation, Holder, Operation, Run, Wait, WhatIf, simulate
from .system import System, SystemAnswer, SystemTask

__version__ = _native.gcast_version().decode()
__all__ = ["Analysis", "Block", "DeviceError", "Explanation", "Gpu", "GridcastError", "Holder", "InputError",
           "InternalError", "Op", "Operation", "ResourceError", "Response", "Run", "Stream", "System", "SystemAnswer",
           "SystemTask", "Task", "UsageError", "Wait", "WhatIf", "Workload", "analyze", "simulate"]
