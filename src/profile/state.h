/* A trace and the memory that it owns. */
#ifndef PROFILE_STATE_H
#define PROFILE_STATE_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "profile/profile_findings.h"
#include "profile/trace.h"

typedef struct owned_trace {
    prof_trace trace; /* first, so that a prof_trace is its handle */
    arena memory;     /* of texts */
    bool one_process; /* correlations are unique whatever the process */
    hash_index texts; /* finds text_list by what it says */
    VEC(const char *) text_list;
    hash_index thread_index; /* finds threads by pid and tid */
    hash_index stream_index; /* finds streams by device, pid, context and number */
    VEC(prof_gpu) gpus;
    VEC(prof_thread) threads;
    VEC(prof_stream) streams;
    VEC(prof_call) calls;
    VEC(prof_op) ops;
    VEC(prof_block) blocks;
    VEC(prof_range) ranges;
    VEC(prof_call_told) tolds;
    VEC(prof_node) nodes;
    VEC(prof_edge) edges;
    prof_findings findings;
} owned_trace;

static inline owned_trace *trace_owned(prof_trace *t)
{
    return t->memory;
}

#endif
