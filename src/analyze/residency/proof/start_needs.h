/* What must happen before what: which kernels wait for which to be complete, by streams, events and hosts.
 *
 * A fact needs others: a kernel enters its queue only when those before it are complete, it is complete only when its
 * blocks have started, and so on (needs_edges.c, docs/residency.md). Needs of all executions are told from those of
 * some executions only, as the order of calls of different callers is not known. */
#ifndef ANALYZE_RESIDENCY_PROOF_START_NEEDS_H
#define ANALYZE_RESIDENCY_PROOF_START_NEEDS_H

#include "gridcast/workload.h"

/* Facts about an op. */
typedef enum {
    NEEDS_CALLED,   /* its call was made */
    NEEDS_ENTERED,  /* it is in its engine's queue */
    NEEDS_STARTED,  /* it was called, is in the queue, and has started if it found room */
    NEEDS_COMPLETE, /* it is complete; of a synchronization or free: what it waits for is */
    NEEDS_LAUNCHED, /* of the first node of a launch of a graph: all its nodes are complete; of others: it is */
    NEEDS_RETURNED, /* its call has returned */
    NEEDS_ALL_DONE, /* all that its host has called up to it is complete */
    NEEDS_FACTS
} needs_fact;

/* Whether one fact needs another. */
typedef enum {
    NEED_SURE,   /* in all executions */
    NEED_MAYBE,  /* in some executions */
    NEED_BLOCKS, /* in all executions: blocks wait for blocks */
    NEED_PAST    /* in all executions, but nothing waits for it: it has happened before anybody asks for the other */
} need_kind;

typedef struct needs_edge {
    uint32_t from, to; /* facts */
    need_kind kind;
} needs_edge;

typedef struct needs {
    const gcast_workload *w;
    uint32_t count;               /* of facts: NEEDS_FACTS for each op, then those of hosts (needs_edges.c) */
    uint32_t *first, *back;       /* by fact: where its edges begin, and those that lead to it; one more each */
    needs_edge *edges, *backs;    /* forward edges, by `from`; reverse edges, by `to` */
    unsigned char *mark, *before; /* by fact: of the last walk; of the walk that it goes on from */
    uint32_t *way;                /* room for a walk */
} needs;

/* An op that is taken to be called after another, and after it by an event, besides what the workload says. */
typedef struct needs_order {
    uint32_t op, other;
} needs_order;

/* What is taken for granted besides the workload. */
typedef struct needs_assumed {
    const needs_order *order; /* NULL: none */
    bool in_file_order;       /* ops without a host are called in the order of their releases, then of the file */
} needs_assumed;

/* `assumed` may be NULL. Fails where the order of calls into a stream is not known, which is said, and without memory.
 */
gcast_status needs_make(needs *n, const gcast_workload *w, const needs_assumed *assumed, gcast_error *err);
void needs_free(needs *n);

/* Which needs a walk follows. */
typedef enum {
    NEEDS_SURE,      /* those of all executions */
    NEEDS_ALL,       /* those of any execution */
    NEEDS_NO_BLOCKS, /* as ALL, but blocks that wait for blocks do not count */
    NEEDS_PAST_WAIT  /* as ALL, from what blocks wait for that the walk before it came to: others than their own kernel
                      */
} needs_kind;

/* Marks all facts that this one needs, directly or not; PAST_WAIT: `op` and `fact` do not count. */
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

#endif
