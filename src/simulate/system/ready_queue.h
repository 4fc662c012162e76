/* Tasks that wait for one core: the highest priority first, interrupts before all; of equal ones the one that was
 * released first, then that of the lower index. A binary heap. */
#ifndef SIMULATE_SYSTEM_READY_QUEUE_H
#define SIMULATE_SYSTEM_READY_QUEUE_H

#include "base/vec.h"

typedef struct ready_item {
    int64_t priority;   /* a higher number first */
    int64_t release_ns; /* of its job */
    uint32_t task;
    bool isr; /* before all that are none */
} ready_item;

typedef struct ready_queue {
    VEC(ready_item) items;
} ready_queue;

/* Is the priority of a higher than that of b? */
static inline bool ready_is_higher(const ready_item *a, const ready_item *b)
{
    return a->isr != b->isr ? a->isr : a->priority > b->priority;
}

/* False without memory. */
bool ready_add(ready_queue *q, ready_item item);
/* The first, or NULL. */
const ready_item *ready_first(const ready_queue *q);
/* Takes the first out; there is one. */
ready_item ready_take(ready_queue *q);

#endif
