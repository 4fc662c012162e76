/* The rows of gridcast whatif: which changes are tried, and their results, the best first. */
#ifndef CLI_COMMANDS_WHATIF_ROWS_H
#define CLI_COMMANDS_WHATIF_ROWS_H

#include "cli/args.h"
#include "cli/simulated.h"
#include "whatif/whatif.h"

typedef struct whatif_rows {
    simulated given;             /* the unchanged workload */
    whatif_base base;            /* what is changed */
    critical_path path;          /* of the unchanged workload */
    whatif_row before;           /* the unchanged workload as a row */
    VEC(whatif_row) rows;        /* the best first; changes that cannot be made are last */
    bool by_misses;              /* fewer missed deadlines are better; else an earlier end */
    size_t not_tried;            /* changes left out because the workload has many operations */
    bool with_given;             /* the only row is that of --with */
    arena memory;                /* of names */
    VEC(gcast_gpu *) gpus;       /* GPUs that changes name */
    VEC(const char *) gpu_names; /* their names */
} whatif_rows;

/* Makes and tries the rows that the command line asks for. Errors are printed. Free it also after an error. */
gcast_status whatif_rows_make(const args *a, whatif_rows *r);
void whatif_rows_free(whatif_rows *r);
/* Is a row better than the unchanged workload? */
bool whatif_rows_brings(const whatif_rows *r, const whatif_row *row);

#endif
