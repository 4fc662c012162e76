/* The tables of a run, for terminals and for pages. */
#ifndef REPORT_TABLES_RUN_TABLES_H
#define REPORT_TABLES_RUN_TABLES_H

#include "gridcast/run.h"
#include "report/tables/grid.h"

typedef struct run_table {
    grid g;                            /* the cells */
    grid_column columns[GRID_COLUMNS]; /* of g */
    char titles[4][32];                /* of the columns with a unit */
} run_table;

/* Operations on the GPU, with one unit for all times. Operations of jobs are listed only where there are few;
 * *all_jobs is false where they are left out. */
void run_table_ops(run_table *t, const gcast_run *run, bool *all_jobs);
/* Tasks: response times and deadlines. Only for workloads with tasks. */
void run_table_tasks(run_table *t, const gcast_run *run);

/* "makespan 12ms from the first start at 0ns, average thread occupancy 90.6 %" */
void run_summary(const gcast_run *run, char *out, size_t size);

/* What was launched and how long children waited, for runs with launches. Returns how many lines there are. */
#define RUN_LAUNCH_LINES 3
#define RUN_LAUNCH_LINE 240
size_t run_launch_lines(const gcast_run *run, char lines[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE]);

#endif
