/* Queues and lists of operations, linked through fields of sim_op, or of sim_host_op. */
#ifndef SIMULATE_STATE_FIFO_H
#define SIMULATE_STATE_FIFO_H

#include "simulate/state/state.h"

/* Adds o at the end of a FIFO, and drops the head of one. `table`: sim.state or sim.host_ops; `link`: the field that
 * points to the next operation. */
#define fifo_add_in(table, fifo, o, link)                                                                              \
    do {                                                                                                               \
        (table)[o].link = NONE;                                                                                        \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->first = (o);                                                                                       \
        else                                                                                                           \
            (table)[(fifo)->last].link = (o);                                                                          \
        (fifo)->last = (o);                                                                                            \
    } while (0)
#define fifo_drop_in(table, fifo, link)                                                                                \
    do {                                                                                                               \
        (fifo)->first = (table)[(fifo)->first].link;                                                                   \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->last = NONE;                                                                                       \
    } while (0)

/* FIFOs linked by sim_op.queue_next. */
#define fifo_add(s, fifo, o) fifo_add_in((s)->state, fifo, o, queue_next)
#define fifo_drop(s, fifo) fifo_drop_in((s)->state, fifo, queue_next)

/* A list from which any operation can be dropped. `prev`, `next`: the fields that point to the neighbours. */
#define list_add(s, list, o, prev, next)                                                                               \
    do {                                                                                                               \
        (s)->host_ops[o].prev = (list)->last;                                                                          \
        fifo_add_in((s)->host_ops, list, o, next);                                                                     \
    } while (0)
#define list_drop(s, list, o, prev, next)                                                                              \
    do {                                                                                                               \
        const sim_host_op *x_ = &(s)->host_ops[o];                                                                     \
        *(x_->prev == NONE ? &(list)->first : &(s)->host_ops[x_->prev].next) = x_->next;                               \
        *(x_->next == NONE ? &(list)->last : &(s)->host_ops[x_->next].prev) = x_->prev;                                \
    } while (0)

#endif
