/* How long kernels wait in EE queues, lemmas 2 and 3 of docs/bound.md. */
#ifndef ANALYZE_BOUND_QUEUE_WAIT_H
#define ANALYZE_BOUND_QUEUE_WAIT_H

#include "analyze/bound/state.h"

/* The events that an event k waits for one after the other (the path of the theorem). */
typedef struct bound_path {
    bool is_alone;         /* nothing but k is on it, from k's entry on */
    bool is_one_stream;    /* it leads through k's stream only */
    bool is_from_idle;     /* no kernel that can be a head started a block before (lemma 9) */
    wide length_ns;        /* latency, and of each event its gap and, of kernels, `max` */
    wide entry_ns;         /* k enters by then, by the responses of the events right before it (theorem, b) */
    wide event_count;      /* events before k on it */
    wide kernel_count;     /* how many of them are kernels */
    int lowest_level;      /* of a kernel on it, k included */
    uint64_t copy_engines; /* of copies on it, a bit each */
    wide tails_ns;         /* of holds after last starts: as much is counted with its length (lemma 9) */
} bound_path;

/* How long kernels of the path are in EE queues while b->event_counts events of each op can be on the GPU. `has_own`:
 * k's event is one of them. */
wide bound_queue_wait(bound *b, const bound_op *k, const bound_path *path, bool has_own);
/* How long k waits for its own blocks (lemma 3c) where `above` events start blocks between them. */
wide bound_waves(const bound_op *k, wide above);

/* How long heads of a level may still wait for blocks of others (lemma 3b). */
typedef struct drain_limit {
    wide below_ns; /* for blocks below it */
    wide drain_ns; /* for blocks of its level and above */
} drain_limit;

/* As much of a wait of a level's heads for blocks of others as is left; `all_ns`: of all heads, for blocks of their
 * level and above. */
static inline wide drain_use(drain_limit *level, wide *all_ns, wide wait_ns)
{
    wide below_ns = wide_min(wait_ns, level->below_ns);
    wide drain_ns = wide_min(wide_min(wait_ns - below_ns, level->drain_ns), *all_ns);
    level->below_ns -= below_ns;
    level->drain_ns -= drain_ns;
    *all_ns -= drain_ns;
    return wide_add(below_ns, drain_ns);
}

/* As much of a wait at a floor as there is area for, weight x time of blocks; it is used up. */
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

/* What heads wait for: blocks of others, their own, or those below. */
typedef enum wait_kind { WAIT_MIXED, WAIT_OWN, WAIT_PART, WAIT_NONE } wait_kind;

/* Three lists of waits, each with the lowest floors first, and where the next ones are. */
typedef struct wait_lists {
    const bound_op **by_floor;     /* heads that wait for blocks of others */
    const bound_op **by_own_floor; /* the same heads, for their own */
    size_t head_count;             /* of each of these two */
    const bound_part *parts;       /* heads that wait for blocks below */
    size_t part_count;             /* of `parts` */
    size_t mixed, own, part;       /* the next ones */
} wait_lists;

typedef struct head_wait {
    wait_kind kind;
    const bound_op *op;     /* whose heads wait */
    const bound_part *part; /* of WAIT_PART */
    wide floor;             /* meanwhile */
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
