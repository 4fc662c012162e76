/* How long kernels wait in EE queues (lemmas 2 and 3 of docs/bound.md). */
#ifndef ANALYZE_BOUND_QUEUE_WAIT_H
#define ANALYZE_BOUND_QUEUE_WAIT_H

#include "analyze/bound/bound_state.h"

/* The path of the theorem: events that wait for one another in turn, up to an event k. */
typedef struct bound_path {
    bool is_alone;         /* k alone is on it, from k's entry on */
    bool is_one_stream;    /* all its events are in k's stream */
    bool is_from_idle;     /* no possible head started a block before the path (lemma 9) */
    wide length_ns;        /* latency, plus the gaps of its events and `max` of its kernels */
    wide entry_ns;         /* k's latest entry, from the responses of the events right before it (theorem, b) */
    wide event_count;      /* events on it before k */
    wide kernel_count;     /* how many of them are kernels */
    int lowest_level;      /* the lowest priority level of its kernels, k included */
    uint64_t copy_engines; /* engines of its copies, a bit each */
    wide tails_ns;         /* times after last starts that its length already counts (lemma 9) */
} bound_path;

/* Longest time that kernels of the path wait in EE queues, with b->event_counts events of each op on the GPU.
 * `has_own`: k's event waits there, too. */
wide bound_queue_wait(bound *b, const bound_op *k, const bound_path *path, bool has_own);
/* Longest wait of k for its own blocks (lemma 3c) if `above` events start blocks between them. */
wide bound_waves(const bound_op *k, wide above);

/* Remaining time that heads of a level may wait for blocks of others (lemma 3b). */
typedef struct drain_limit {
    wide below_ns; /* for blocks of lower levels */
    wide drain_ns; /* for blocks of its level and above */
} drain_limit;

/* Takes a wait for blocks of others out of the limits, and returns the part that they allow. `all_left`: remaining time
 * that all heads together may wait for blocks of their level and above. */
static inline wide drain_use(drain_limit *level, wide *all_left, wide wait_ns)
{
    wide below_ns = wide_min(wait_ns, level->below_ns);
    wide drain_ns = wide_min(wide_min(wait_ns - below_ns, level->drain_ns), *all_left);
    level->below_ns -= below_ns;
    level->drain_ns -= drain_ns;
    *all_left -= drain_ns;
    return wide_add(below_ns, drain_ns);
}

/* Takes wait x floor out of the remaining area (weight x time of blocks), and returns the part of the wait that it
 * allows. */
static inline wide area_use_up(wide *area_left, wide wait_ns, wide floor)
{
    wide area = wide_mul(wait_ns, floor);
    if (area > *area_left) {
        wait_ns = wide_div(*area_left, floor);
        area = wide_mul(wait_ns, floor);
    }
    *area_left -= area;
    return wait_ns;
}

/* What heads wait for: blocks of others, own blocks, or blocks of lower levels. */
typedef enum wait_kind { WAIT_MIXED, WAIT_OWN, WAIT_PART, WAIT_NONE } wait_kind;

/* Three lists of waits by ascending floor, and the next wait of each. */
typedef struct wait_lists {
    const bound_op **by_floor;     /* heads that wait for blocks of others */
    const bound_op **by_own_floor; /* the same heads, which wait for own blocks */
    size_t head_count;             /* of `by_floor` and `by_own_floor` */
    const bound_part *parts;       /* heads that wait for blocks of lower levels */
    size_t part_count;             /* of `parts` */
    size_t mixed, own, part;       /* the next wait of each list */
} wait_lists;

typedef struct head_wait {
    wait_kind kind;
    const bound_op *op;     /* the op whose heads wait */
    const bound_part *part; /* for WAIT_PART */
    wide floor;             /* least weight on the SMs during the wait */
} head_wait;

/* Takes the wait with the lowest floor. */
static inline head_wait wait_next(wait_lists *l)
{
    const bound_op *mixed = l->mixed < l->head_count ? l->by_floor[l->mixed] : NULL;
    const bound_op *own = l->own < l->head_count ? l->by_own_floor[l->own] : NULL;
    const bound_part *part = l->part < l->part_count ? &l->parts[l->part] : NULL;
    wide own_floor = own ? own->own_floor : WIDE_HUGE, part_floor = part ? part->floor : WIDE_HUGE;
    wide floor = wide_min(mixed ? mixed->floor : WIDE_HUGE, wide_min(own_floor, part_floor));
    if (mixed && mixed->floor == floor) {
        l->mixed++;
        return (head_wait){WAIT_MIXED, mixed, NULL, floor};
    }
    if (own && own_floor == floor) {
        l->own++;
        return (head_wait){WAIT_OWN, own, NULL, floor};
    }
    l->part += part != NULL;
    return part ? (head_wait){WAIT_PART, part->op, part, floor} : (head_wait){.kind = WAIT_NONE};
}

#endif
