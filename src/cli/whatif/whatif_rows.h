/* The rows of gridcast whatif: which changes are tried, and what came of them, the best first. */
#ifndef CLI_WHATIF_WHATIF_ROWS_H
#define CLI_WHATIF_WHATIF_ROWS_H

#include "cli/args.h"
#include "cli/run/simulated.h"
#include "whatif/whatif.h"

typedef struct whatif_rows {
    simulated given;       /* the workload as it is */
    whatif_base base;      /* what is changed */
    critical_path path;    /* the way back from the end, as it is */
    whatif_row before;     /* the workload as it is */
    VEC(whatif_row) rows;  /* the best first; those that cannot be are last */
    bool by_misses;        /* fewer missed deadlines are better; else an earlier end */
    size_t not_tried;      /* changes that were left out, as the workload has many operations */
    bool with_given;       /* the only row is that of --with */
    arena memory;          /* of names */
    VEC(gcast_gpu *) gpus; /* that changes name */
    VEC(const char *) gpu_names;
} whatif_rows;

/* Does all that the command line says. Errors are printed. To be freed, also where it fails. */
gcast_status whatif_rows_make(const args *a, whatif_rows *r);
void whatif_rows_free(whatif_rows *r);
/* Does a row win, by what counts? */
bool whatif_rows_brings(const whatif_rows *r, const whatif_row *row);

#endif
