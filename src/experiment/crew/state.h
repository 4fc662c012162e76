/* A crew at work on one rank. */
#ifndef EXPERIMENT_CREW_STATE_H
#define EXPERIMENT_CREW_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "experiment/crew/task.h"

/* Items that a rank asks for at once, at most. */
#define CREW_MAX_REQUEST 2048
_Static_assert(CREW_MAX_REQUEST >= 2 * CREW_MAX_THREADS, "a request may be for two items per thread");

typedef VEC(uint64_t) word_list;

typedef struct crew {
    const crew_task *t;  /* what it is to do */
    atomic_bool is_done; /* all threads end */
    /* Under the lock. */
    pthread_mutex_t lock;   /* of all fields up to the queue, and of calls of the work on rank 0 */
    gcast_status do_status; /* of the first item that could not be done */
    gcast_error do_err;     /* why it could not */
    word_list results;    /* of this rank, not yet collected by the thread that serves: item, words, item, words, ... */
    uint64_t first_left;  /* rank 0: no item before this one is to be handed out */
    uint8_t *is_given;    /* rank 0, by item, one bit: it was handed out */
    uint64_t given_count; /* rank 0: items handed out */
    uint64_t total_count; /* rank 0: items to do */
    uint64_t *queue;      /* other ranks: items to do, each with what it needs */
    uint64_t queue_start; /* other ranks: which item of the queue is next */
    uint64_t queue_end;   /* other ranks: how many items the queue has */
    /* Of the thread that serves. */
    gcast_status status;     /* why it ended */
    gcast_error err;         /* where that is an error */
    word_list collected;     /* results of this rank, not yet kept or sent */
    uint64_t returned_count; /* rank 0: items whose results have been kept */
    int idle_ranks;          /* rank 0: ranks that were told that no item is left */
    bool is_waiting;         /* other ranks: a request has no answer yet */
    bool none_left;          /* other ranks: rank 0 has no more items */
    uint64_t request_size;   /* other ranks: items to ask for */
    uint64_t unsent_count;   /* other ranks: items received whose results have not been sent */
    int64_t answered_ns;     /* other ranks: when the last answer with items came; 0: none yet */
    int64_t sent_ns;         /* other ranks: when results were sent last */
} crew;

/* Words of an item with what it needs, and with its result. */
static inline size_t crew_input_size(const crew *c)
{
    return 1 + c->t->work.input_words;
}

static inline size_t crew_result_size(const crew *c)
{
    return 1 + c->t->work.words;
}

#endif
