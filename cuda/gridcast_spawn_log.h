/* Decisions of the SPAWN controller, written as gridcast.decisions/1 (docs/formats.md): the same lines as those of
 * gridcast spawn --log. C17, C++17 and CUDA; part of gridcast_spawn.cuh. */
#ifndef GRIDCAST_SPAWN_LOG_H
#define GRIDCAST_SPAWN_LOG_H

#include <stdio.h>

#include "gridcast_spawn_rules.h"

enum gridcast_choice {
    GRIDCAST_CHOICE_LOOP,   /* the thread does its items */
    GRIDCAST_CHOICE_LAUNCH, /* a child does them */
    GRIDCAST_CHOICE_REFUSED /* it was to launch, and the pool had no place */
};

/* A decision as a thread saw it. */
typedef struct gridcast_decision {
    uint64_t time_ns;
    uint64_t n;      /* child blocks launched and not ended */
    uint32_t items;  /* of the thread */
    uint32_t blocks; /* of the child */
    uint32_t flags;  /* of the snapshot: with the number of the window */
    uint32_t choice; /* gridcast_choice */
} gridcast_decision;

static inline void gridcast_log_head(FILE *out)
{
    fputs("time_ns,items,blocks,n,t_cta_ns,n_con,t_warp_ns,blocks_per_us,t_overhead_ns,t_child_ns,t_parent_ns,choice,why\n",
          out);
}

/* Why a thread launches or does not: `start`, no child block has ended; `unknown`, an average is not known; `queue`, it
 * is full; `pool`, it is; `formula`. */
static inline const char *gridcast_log_why(const gridcast_decision *d, const gridcast_params *p)
{
    if (d->choice == GRIDCAST_CHOICE_REFUSED)
        return "pool";
    if (d->flags & GRIDCAST_BOOTSTRAP)
        return "start";
    if (d->n + d->blocks > p->max_queue)
        return "queue";
    return d->flags & GRIDCAST_NO_RATE ? "unknown" : "formula";
}

/* One line; `a`: the averages of the window that the decision saw. */
static inline void gridcast_log_row(FILE *out, const gridcast_decision *d, const gridcast_averages *a,
                                    const gridcast_params *p)
{
    double n_con = a->n_con > 0 ? a->n_con : p->idle == GRIDCAST_IDLE_ONE ? 1 : p->idle == GRIDCAST_IDLE_LAST ? a->last_n_con : 0;
    double items = d->items, blocks = (double)d->n + d->blocks;
    fprintf(out, "%llu,%lu,%lu,%llu,%.3f,%.3f,%.3f,", (unsigned long long)d->time_ns, (unsigned long)d->items,
            (unsigned long)d->blocks, (unsigned long long)d->n, a->t_cta_ns, n_con, a->t_warp_ns);
    if (a->t_cta_ns > 0)
        fprintf(out, "%.3f", 1000 * n_con / a->t_cta_ns);
    fprintf(out, ",%.3f,", (double)p->overhead_ns);
    if (d->flags & GRIDCAST_FLAGS)
        fputs(",", out);
    else
        fprintf(out, "%.3f,%.3f", (double)p->overhead_ns + blocks * a->t_cta_ns / n_con, items * a->t_warp_ns);
    fprintf(out, ",%s,%s\n", d->choice == GRIDCAST_CHOICE_LAUNCH ? "launch" : "loop", gridcast_log_why(d, p));
}

#endif
