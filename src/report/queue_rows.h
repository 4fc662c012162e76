/* The queues of a run at a time, as the examples of the rules show them: stream queues (G1 to G4), EE queues (A1, X1),
 * CE queues (C1 to C4), and what the copy engines and SMs hold. Events at exactly that time have happened. */
#ifndef REPORT_QUEUE_ROWS_H
#define REPORT_QUEUE_ROWS_H

#include "base/vec.h"
#include "gridcast/run.h"

typedef enum {
    QUEUE_STREAM,  /* a stream's queue: from arrival to the end */
    QUEUE_EE,      /* a queue of the execution engine, one per level: from entry until all blocks are dispatched */
    QUEUE_CE,      /* the queue of a copy engine: from entry to the start */
    QUEUE_COPYING, /* a copy engine: the copy that is under way */
    QUEUE_SM       /* an SM, or several with the same contents: the kernels whose blocks are resident */
} queue_kind;

typedef struct queue_entry {
    size_t run_op;   /* index in the operations of the run */
    uint64_t blocks; /* QUEUE_EE: dispatched ones; QUEUE_SM: resident ones; else 0 */
} queue_entry;

typedef struct queue_row {
    queue_kind kind;
    int index;           /* of the stream, level, engine or SM */
    int last;            /* the last SM, where several share the row; else `index` */
    size_t first, count; /* its entries, the head first */
} queue_row;

typedef struct queue_rows {
    const gcast_run *run;     /* whose blocks are recorded */
    int64_t at_ns;            /* the time */
    VEC(queue_row) rows;      /* streams, EE queues, copy engines with their queues, SMs */
    VEC(queue_entry) entries; /* of all rows */
} queue_rows;

/* False without memory; free them in any case. */
bool queue_rows_make(const gcast_run *run, int64_t at_ns, queue_rows *q);
void queue_rows_free(queue_rows *q);
/* "stream 2", "EE queue, priority -1", "SM 0-3". */
void queue_row_title(const queue_rows *q, const queue_row *r, char *out, size_t size);
/* Threads of the blocks that are resident on each SM of the row. */
int64_t queue_row_threads(const queue_rows *q, const queue_row *r);

#endif
