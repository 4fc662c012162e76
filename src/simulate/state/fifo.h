/* Queues and lists of operations, linked through fields of sim_op. */
#ifndef SIMULATE_STATE_FIFO_H
#define SIMULATE_STATE_FIFO_H

#include "simulate/state/state.h"

/* Adds o at the end of a FIFO, and drops the head of one. `link`: the field that points to the next operation. */
#define fifo_add(s, fifo, o, link)                                                                                     \
    do {                                                                                                               \
        (s)->state[o].link = NONE;                                                                                     \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->first = (o);                                                                                       \
        else                                                                                                           \
            (s)->state[(fifo)->last].link = (o);                                                                       \
        (fifo)->last = (o);                                                                                            \
    } while (0)
#define fifo_drop(s, fifo, link)                                                                                       \
    do {                                                                                                               \
        (fifo)->first = (s)->state[(fifo)->first].link;                                                                \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->last = NONE;                                                                                       \
    } while (0)

/* A list from which any operation can be dropped. `prev`, `next`: the fields that point to the neighbours. */
#define list_add(s, list, o, prev, next)                                                                               \
    do {                                                                                                               \
        (s)->state[o].prev = (list)->last;                                                                             \
        fifo_add(s, list, o, next);                                                                                    \
    } while (0)
#define list_drop(s, list, o, prev, next)                                                                              \
    do {                                                                                                               \
        const sim_op *x_ = &(s)->state[o];                                                                             \
        *(x_->prev == NONE ? &(list)->first : &(s)->state[x_->prev].next) = x_->next;                                  \
        *(x_->next == NONE ? &(list)->last : &(s)->state[x_->next].prev) = x_->prev;                                   \
    } while (0)

#endif
