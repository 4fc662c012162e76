/* What a crew is to do: items that any thread of any rank may do. An item may need results of others. */
#ifndef EXPERIMENT_CREW_TASK_H
#define EXPERIMENT_CREW_TASK_H

#include "experiment/crew/part_file.h"
#include "experiment/crew/ranks.h"

#define CREW_MAX_THREADS 1024
#define CREW_MAX_WORDS (RANKS_MAX_WORDS - 2) /* of a result, or of what an item needs */

/* Items are numbers from 0 on. The results of an item are words. On rank 0 all calls but `do_item` are made one at a
 * time. */
typedef struct crew_work {
    void *data; /* for all calls */
    uint64_t items;
    size_t words;       /* of a result */
    size_t input_words; /* of what an item needs beside its number, sent with it; may be 0 */
    uint64_t ahead;     /* so many items are looked at to find one that is ready, from the first that is left on */
    /* Rank 0: is its result known? Are those known that it needs (NULL: it needs none)? What does it need (NULL)? */
    bool (*is_known)(void *data, uint64_t item);
    bool (*is_ready)(void *data, uint64_t item);
    gcast_status (*input)(void *data, uint64_t item, uint64_t *words, gcast_error *err);
    /* On any rank, by several threads at the same time. */
    gcast_status (*do_item)(void *data, uint64_t item, const uint64_t *input, uint64_t *result, gcast_error *err);
    /* Rank 0: takes a result. */
    void (*keep)(void *data, uint64_t item, const uint64_t *result);
} crew_work;

typedef struct crew_task {
    crew_work work;                                /* the items */
    ranks ranks;                                   /* the processes that do them, this one among them */
    int threads;                                   /* threads of this rank that do */
    part_file *part;                               /* rank 0: where results are kept */
    uint64_t max_items;                            /* the crew stops after this many more items */
    bool (*progress)(void *data, double fraction); /* rank 0: called now and then; false: no more items; NULL: is not */
    void *progress_data;                           /* for `progress` */
    void (*cannot_start)(void); /* called where OpenMP ends the process as the threads cannot start; does not return */
} crew_task;

#endif
