/* A crew does the items of a long work, such as the tries of a search, on all cores of all machines. Rank 0 hands out
 * the items and keeps the results, which do not depend on who does which item. */
#ifndef CREW_CREW_H
#define CREW_CREW_H

#include "crew/part_file.h"
#include "crew/ranks.h"

#define CREW_MAX_THREADS 1024
#define CREW_MAX_WORDS (RANKS_MAX_WORDS - 2) /* limit of the words of a result, or of an item's input */

/* The items: numbers from 0 on. Any thread of any rank may do any item; an item may need results of others. Inputs and
 * results are words. On rank 0 all calls but `do_item` are made one at a time. */
typedef struct crew_work {
    void *data; /* for all calls */
    uint64_t items;
    size_t words;       /* words of a result */
    size_t input_words; /* words of input that are sent with an item; may be 0 */
    uint64_t ahead;     /* number of items, from the first that is left on, that are searched for one that is ready */
    /* Rank 0: is the item's result known? */
    bool (*is_known)(void *data, uint64_t item);
    /* Rank 0: are all results known that it needs? NULL: it needs none. */
    bool (*is_ready)(void *data, uint64_t item);
    /* Rank 0: sets the item's input. NULL: there is none. */
    gcast_status (*input)(void *data, uint64_t item, uint64_t *words, gcast_error *err);
    /* On any rank, by several threads at the same time. */
    gcast_status (*do_item)(void *data, uint64_t item, const uint64_t *input, uint64_t *result, gcast_error *err);
    /* Rank 0: takes a result. */
    void (*keep)(void *data, uint64_t item, const uint64_t *result);
} crew_work;

typedef struct crew_task {
    crew_work work;                                /* the items */
    ranks ranks;                                   /* the processes, including this one */
    int threads;                                   /* threads of this rank that do items */
    part_file *part;                               /* rank 0: the file that keeps results */
    uint64_t max_items;                            /* the crew stops after this many more items */
    bool (*progress)(void *data, double fraction); /* rank 0: called now and then; false stops the crew; may be NULL */
    void *progress_data;                           /* `data` of `progress` */
    void (*cannot_start)(void); /* called when OpenMP ends the process because threads cannot start; does not return */
} crew_task;

/* A good number of threads on this machine: its cores, divided among its ranks. */
int crew_cores(const ranks *r);
/* Does the items. On rank 0, *done is the number of items that were done. */
gcast_status crew_run(const crew_task *t, uint64_t *done, gcast_error *err);

#endif
