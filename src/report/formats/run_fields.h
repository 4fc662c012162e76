/* Fields that operations have in JSON and in CSV, of the run `run`, the op `op` and its execution `o`. */
#ifndef REPORT_FORMATS_RUN_FIELDS_H
#define REPORT_FORMATS_RUN_FIELDS_H

#include "base/fields.h"
#include "gridcast/names.h"

#define OP_NAME_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(text, label, true, op->label, "name of the operation")                                                       \
    FIELD(name, kind, true, gcast_name(GCAST_NAMES_KIND, op->kind), "kernel, copy, memset, ...")                       \
    FIELD(int, stream, op->stream >= 0, run->workload->streams[op->stream].id, "its stream")                           \
    FIELD(count, job, true, o->job, "job of its task, from 0; 0 without a task")

#define OP_TIME_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(ns, call_ns, o->call_ns >= 0, o->call_ns, "the host calls")                                                  \
    FIELD(ns, arrive_ns, o->arrive_ns >= 0, o->arrive_ns, "it is in the queue of its stream")                          \
    FIELD(ns, head_ns, o->head_ns >= 0, o->head_ns, "it is first in that queue")                                       \
    FIELD(ns, enter_ns, o->enter_ns >= 0, o->enter_ns, "it enters the queue of its engine")                            \
    FIELD(ns, start_ns, o->start_ns >= 0, o->start_ns, "its first block, or the copy, starts")                         \
    FIELD(ns, dispatched_ns, o->dispatched_ns >= 0, o->dispatched_ns, "its last block starts")                         \
    FIELD(ns, end_ns, o->end_ns >= 0, o->end_ns, "it is complete")

#endif
