/* Small traces, built by calls: what profiles of programs are tested with. */
#ifndef TESTS_SUPPORT_SMALL_TRACE_H
#define TESTS_SUPPORT_SMALL_TRACE_H

#include "profile/make/prof_make.h"
#include "support/support.h"

/* An empty trace. */
prof_trace *small_trace(void);
/* A call of a function by thread `tid`; its correlation. */
int64_t small_call(prof_trace *t, int64_t tid, const char *function, int64_t start_ns, int64_t end_ns);
/* A kernel of 256 threads a block, on stream `stream` of GPU 0, launched by the call of this correlation (PROF_UNKNOWN:
 * none). */
void small_kernel(prof_trace *t, int64_t stream, int64_t correlation, const char *name, uint32_t blocks,
                  int64_t start_ns, int64_t end_ns);
/* The same of one block, as node `node` of a graph. */
void small_node(prof_trace *t, int64_t stream, int64_t correlation, const char *name, int64_t node, int64_t start_ns,
                int64_t end_ns);
/* A kernel as it is given, but for its stream, name and call. */
void small_op_of(prof_trace *t, int64_t stream, int64_t correlation, const char *name, prof_op op);
/* A copy to the device. */
void small_copy(prof_trace *t, int64_t stream, int64_t correlation, bool is_pageable, int64_t start_ns, int64_t end_ns);
/* Says of the call which stream it names, and whose record it waits for (PROF_UNKNOWN: not told). */
void small_tell(prof_trace *t, int64_t correlation, int64_t stream, int64_t record, int64_t record_stream);
/* Ends the trace and makes workloads of it for a GPU such as "sms:2 cc:9.0"; frees both by small_made_free. Kernels
 * last as long as they are given (excess_ns is 0), unless gaps between queued ones say otherwise. */
typedef struct small_made {
    prof_trace *t;
    gcast_gpu *gpu;
    prof_made made;
} small_made;
small_made small_make(prof_trace *t, const char *gpu, prof_make_options options);
void small_made_free(small_made *m);
/* The op with this label; the test fails where there is none. */
const gcast_op *small_op(const gcast_workload *w, const char *label);
/* How often a finding with this part of a text was made, in the trace and in the making. */
uint64_t small_found(const small_made *m, const char *part);

#endif
