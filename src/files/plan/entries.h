/* The entries of the queues in a plan's file: each is a job, or a run of jobs. */
#ifndef FILES_PLAN_ENTRIES_H
#define FILES_PLAN_ENTRIES_H

#include "base/vec.h"
#include "files/json/object.h"

typedef struct queue_entry {
    uint32_t first, last; /* jobs, both included */
    uint32_t queue;       /* where it is: /queues/QUEUE/INDEX */
    uint32_t index;       /* in its queue */
} queue_entry;

typedef VEC(queue_entry) queue_entries;

/* Reads the entries of one queue, and adds them; a job is below `jobs`. */
void entries_read(queue_entries *list, const node *queue, uint32_t number, uint32_t jobs);
/* An error unless the entries have every job below `jobs` exactly once: names the lowest that they have not. */
void entries_check(const queue_entries *list, const node *queues, uint32_t jobs);

#endif
