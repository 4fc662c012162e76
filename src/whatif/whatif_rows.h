/* What gcast_run_try_changes tried: the rows, and how they compare with the run as it is. */
#ifndef WHATIF_WHATIF_ROWS_H
#define WHATIF_WHATIF_ROWS_H

#include "base/text.h"
#include "gridcast/whatif.h"
#include "whatif/whatif.h"

/* The texts of a row. */
typedef struct row_words {
    const char *changes, *said;
} row_words;

struct gcast_whatif {
    const gcast_run *run;        /* of the unchanged workload */
    whatif_base base;            /* what is changed */
    critical_path path;          /* of the unchanged workload */
    whatif_row before;           /* the unchanged workload as a row */
    VEC(whatif_row) rows;        /* the best first; changes that cannot be made are last */
    VEC(row_words) words;        /* of each row */
    bool by_misses;              /* fewer missed deadlines are better; else an earlier end */
    size_t not_tried;            /* changes left out because the workload has many operations */
    bool with_given;             /* the only row is that of the caller's changes */
    arena memory;                /* of names and texts */
    VEC(gcast_gpu *) gpus;       /* GPUs that changes name */
    VEC(const char *) gpu_names; /* their names */
    int threads;                 /* changes that are tried at a time */
    const char *activity;        /* what is being done */
    void (*progress)(void *data, const char *activity, double fraction); /* NULL: nobody looks */
    void *progress_data;
};

/* Is a row better than the unchanged workload? */
bool whatif_rows_brings(const gcast_whatif *r, const whatif_row *row);
/* Writes the changes of a row as options take them, and in plain words with their conditions. */
void whatif_put_changes(const whatif_row *row, text *t);
void whatif_put_words(const gcast_whatif *r, const whatif_row *row, text *t);

#endif
