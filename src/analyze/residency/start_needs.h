/* What must happen before what: which kernels wait for which to be complete, by streams, events and hosts.
 *
 * A fact needs others: a kernel enters its queue only when those before it are complete, it is complete only when its
 * blocks have started, and so on. docs/residency.md says which. Facts that surely are needed are told from those that
 * may be, as the order of calls of different hosts is not known. */
#ifndef ANALYZE_RESIDENCY_START_NEEDS_H
#define ANALYZE_RESIDENCY_START_NEEDS_H

#include "gridcast/workload.h"

/* Facts about an op. */
typedef enum {
    NEEDS_ENTERED,  /* it is in its engine's queue */
    NEEDS_COMPLETE, /* it is complete */
    NEEDS_LAUNCHED, /* of the first node of a launch of a graph: all its nodes are complete; of others: it is */
    NEEDS_RETURNED, /* its call has returned */
    NEEDS_ALL_DONE, /* all that its host has called up to it is complete */
    NEEDS_FACTS
} needs_fact;

typedef struct needs_edge {
    uint32_t to;
    bool maybe; /* it is needed in some executions only */
} needs_edge;

typedef struct needs {
    const gcast_workload *w;
    uint32_t count;                  /* of facts: NEEDS_FACTS for each op, and one for all ops without a host */
    const uint32_t *first, *back;    /* by fact: where its edges begin, and those that lead to it; one more each */
    const needs_edge *edges, *backs; /* what facts need; who needs them */
    unsigned char *mark;             /* by fact: of the last walk */
    uint32_t *way;                   /* room for a walk */
} needs;

/* An op that is taken to be after another, besides what the workload says. */
typedef struct needs_order {
    uint32_t op, other;
} needs_order;

/* `order` may be NULL. Fails where the order of calls into a stream is not known, which is said, and without memory. */
gcast_status needs_make(needs *n, const gcast_workload *w, const needs_order *order, gcast_error *err);
void needs_free(needs *n);

/* Marks all facts that this one needs, directly or not (`maybe`: or may need); and all that surely need this one. */
void needs_walk(needs *n, size_t op, needs_fact fact, bool maybe);
void needs_walk_back(needs *n, size_t op, needs_fact fact);
/* Was it marked by the last walk? */
bool needs_marked(const needs *n, size_t op, needs_fact fact);

#endif
