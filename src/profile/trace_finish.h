/* A trace with the memory that it owns, and lookup of CUDA graph nodes and edges in a finished trace. */
#ifndef PROFILE_TRACE_FINISH_H
#define PROFILE_TRACE_FINISH_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "profile/profile_findings.h"
#include "profile/trace.h"

typedef struct owned_trace {
    prof_trace trace; /* what users see; its `memory` points here */
    arena memory;     /* holds the texts */
    bool one_process; /* correlations are unique whatever the process */
    hash_index texts; /* finds entries of text_list */
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

/* The node with this number; NULL: there is none. */
const prof_node *graph_node_find(const prof_trace *t, int64_t pid, int64_t number);
/* The *count edges that lead to the node. */
const prof_edge *graph_edges_to(const prof_trace *t, int64_t pid, int64_t node, size_t *count);

#endif
