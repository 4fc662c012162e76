/* A run as tables and lines, for terminals and for pages, and the numbers that these show. */
#ifndef REPORT_FORMATS_RUN_TABLES_H
#define REPORT_FORMATS_RUN_TABLES_H

#include "base/text.h"
#include "gridcast/report.h"
#include "gridcast/run.h"
#include "report/grid.h"

typedef struct run_table {
    grid g;                            /* the cells */
    grid_column columns[GRID_COLUMNS]; /* of g */
    char titles[4][32];                /* of the columns with a unit */
} run_table;

/* Operations on the GPU, with one unit for all times. Operations of jobs are listed only where there are few; *all_jobs
 * is false where they are left out. */
void run_table_ops(run_table *t, const gcast_run *run, bool *all_jobs);
/* Tasks: response times and deadlines. Only for workloads with tasks. */
void run_table_tasks(run_table *t, const gcast_run *run);

/* "makespan 12ms from the first start at 0ns, average thread occupancy 90.6 %" */
void run_summary(const gcast_run *run, char *out, size_t size);

/* For runs with launches: what was launched, and how long children waited. Returns how many lines there are. */
#define RUN_LAUNCH_LINES 3
#define RUN_LAUNCH_LINE 240
size_t run_launch_lines(const gcast_run *run, char lines[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE]);

/* Writes the tables and lines for people. */
gcast_status table_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

/* From the earliest start of an operation on the GPU, which is *first_start unless that is NULL, to the latest end.
 * Where nothing ran it is 0, and *first_start is -1. */
int64_t stats_makespan(const gcast_run *run, int64_t *first_start);

/* The response times of the jobs of a task, from the release of a job to the end of its last operation. */
typedef struct stats_task {
    size_t jobs;               /* released */
    size_t complete;           /* of these, all operations ended */
    size_t late_count;         /* of the complete ones, after the deadline */
    int64_t worst, mean, best; /* response times of the complete ones; -1: there are none */
} stats_task;

/* By task; free() it. NULL without memory. */
stats_task *stats_tasks(const gcast_run *run);

/* The notes of a run: first those of its workload, which say what could not be carried over into it, then its own. */

static inline size_t run_notes_count(const gcast_run *run)
{
    return run->workload->note_count + run->note_count;
}

static inline const char *run_notes_at(const gcast_run *run, size_t i)
{
    const gcast_workload *w = run->workload;
    return i < w->note_count ? w->notes[i] : run->notes[i - w->note_count];
}

#endif
