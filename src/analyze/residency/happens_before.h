/* Which facts must hold before which: a kernel enters its queue only when those before it are complete, it is complete
 * only when its blocks have started, and so on. There is one edge for each way to wait (lemma 4 of docs/residency.md).
 * As the order of calls of different callers is open, some needs hold in all executions, others only in some. */
#ifndef ANALYZE_RESIDENCY_HAPPENS_BEFORE_H
#define ANALYZE_RESIDENCY_HAPPENS_BEFORE_H

#include "gridcast/workload.h"

/* Facts about an op. */
typedef enum {
    NEEDS_CALLED,   /* its call was made */
    NEEDS_ENTERED,  /* it is in its engine's queue */
    NEEDS_STARTED,  /* it was called and entered, and has started if it found room */
    NEEDS_COMPLETE, /* it is complete; for a synchronization or free: all that it waits for is complete */
    NEEDS_LAUNCHED, /* for the first node of a graph launch: all nodes are complete; for other ops: the op is */
    NEEDS_RETURNED, /* its call has returned */
    NEEDS_ALL_DONE, /* all that its host called up to this op is complete */
    NEEDS_FACTS
} needs_fact;

/* When one fact needs another. */
typedef enum {
    NEED_SURE,   /* in all executions */
    NEED_MAYBE,  /* in some executions */
    NEED_BLOCKS, /* in all executions, because blocks wait for blocks */
    NEED_PAST    /* in all executions, but nothing waits for it: it holds before the other is possible at all */
} need_kind;

typedef struct needs_edge {
    uint32_t from, to; /* facts */
    need_kind kind;
} needs_edge;

typedef struct needs {
    const gcast_workload *w;
    uint32_t count;               /* number of facts: NEEDS_FACTS for each op, then those of hosts */
    uint32_t *first, *back;       /* by fact: its first forward edge; its first reverse edge; one more entry each */
    needs_edge *edges, *backs;    /* forward edges, by `from`; reverse edges, by `to` */
    unsigned char *mark, *before; /* by fact: marked by the last walk; by the walk before it */
    uint32_t *stack;              /* scratch: facts to visit */
} needs;

/* An assumption: `op` is called after `other`, and waits for its event. */
typedef struct needs_order {
    uint32_t op, other;
} needs_order;

/* What a proof assumes besides the workload. */
typedef struct needs_assumed {
    const needs_order *order; /* NULL: none */
    bool in_file_order;       /* ops without a host are called in the order of their releases, then of the file */
} needs_assumed;

/* `assumed` may be NULL. Fails with a sentence where the order of calls into a stream is not known. */
gcast_status needs_make(needs *n, const gcast_workload *w, const needs_assumed *assumed, gcast_error *err);
void needs_free(needs *n);

/* Which edges a walk follows. */
typedef enum {
    NEEDS_SURE,      /* those of all executions */
    NEEDS_ALL,       /* those of any execution */
    NEEDS_NO_BLOCKS, /* as ALL, without blocks that wait for blocks */
    NEEDS_PAST_WAIT  /* as ALL, from the other kernels awaited by waiters whose completion the last walk marked */
} needs_kind;

/* Marks all facts that this one needs, directly or not; PAST_WAIT ignores `op` and `fact`. */
void needs_walk(needs *n, size_t op, needs_fact fact, needs_kind kind);
/* Marks all facts that surely need this one. */
void needs_walk_back(needs *n, size_t op, needs_fact fact);
/* Was it marked by the last walk? */
bool needs_marked(const needs *n, size_t op, needs_fact fact);

/* The number of a fact. */
static inline uint32_t needs_number(size_t op, needs_fact fact)
{
    return (uint32_t)(op * NEEDS_FACTS + fact);
}

/* May skip_ns prevent the call of `op` although `other` is called? Hosts that wait for ever do not count. */
bool needs_may_be_skipped(const gcast_workload *w, size_t op, size_t other);
/* The first node of the op's graph launch; the op itself if it is no node. */
size_t needs_launch_of(const gcast_workload *w, size_t op);
/* Ops without a host in the order of their calls, for the caller to free; NULL without memory. */
uint32_t *needs_loose_calls(const gcast_workload *w, size_t *count);

#endif
