/* How much time changes of a workload would save: each change is made to a copy, which is simulated in full and
 * compared with a run of the unchanged workload. */
#ifndef GRIDCAST_WHATIF_H
#define GRIDCAST_WHATIF_H

#include "gridcast/report.h"
#include "gridcast/simulate.h"

GCAST_BEGIN_DECLS

typedef struct gcast_whatif gcast_whatif; /* the changes that were tried, the best first */

typedef struct gcast_whatif_options {
    size_t size;                            /* of the struct, as the caller was compiled */
    const gcast_simulate_options *simulate; /* how the run was simulated; NULL: by default */
    const char *const *changes; /* such as "connections=8", made together in one row (gridcast whatif --help lists the
                                   kinds); none: those that may make a difference, a row each */
    size_t change_count;
    const char *const *gpus; /* other GPUs to try, as for gcast_gpu_load; NULL: three presets; an empty list: none */
    size_t gpu_count;
    const char *of;   /* compare ends of this operation, LABEL or LABEL#JOB; NULL: the last end */
    bool deadlines;   /* fewer missed deadlines are better; else an earlier end is */
    bool all;         /* also of workloads with many operations all changes are tried, not a few of each kind */
    bool explain_all; /* critical paths of all rows, not only of the better ones */
    int threads;      /* changes that are tried at a time; 0: 1 */
    /* What is being done, and how much of it is; may be NULL. */
    void (*progress)(void *data, const char *activity, double fraction);
    void *progress_data;
} gcast_whatif_options;

static inline gcast_whatif_options gcast_whatif_options_default(void)
{
    gcast_whatif_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* One row: changes and what they bring. Its texts belong to the gcast_whatif. */
typedef struct gcast_whatif_row {
    const char *changes; /* as options take them, joined by " and " */
    const char *words;   /* the same in plain words, with conditions for the prediction */
    const char *refusal; /* why the workload cannot have these changes; NULL: it can */
    bool hangs;          /* with these changes the run does not end */
    bool better;         /* ends sooner, or misses fewer deadlines; false where it hangs or is refused */
    int64_t end_ns;      /* the end that counts; 0 where there is none, here and below */
    int64_t won_ns;      /* how much sooner than the run */
    size_t missed;       /* jobs that end after their deadlines */
} gcast_whatif_row;

/* Tries changes to the workload of a run, which must have reached its end and outlive *x. A change that the workload
 * cannot have is no error but a row that says why. GCAST_USAGE: `changes` are none, or `of` names no operation.
 * GCAST_INPUT: the run hangs. */
GCAST_API gcast_status gcast_run_try_changes(const gcast_run *run, const gcast_whatif_options *options,
                                             gcast_whatif **x, gcast_error *err);
GCAST_API void gcast_whatif_free(gcast_whatif *x);

/* The row with this number, from 0; false: there are fewer. */
GCAST_API bool gcast_whatif_get_row(const gcast_whatif *x, size_t row, gcast_whatif_row *out);

/* A copy of the workload with the changes of a row and the GPU that it is for; the caller frees it. */
GCAST_API gcast_status gcast_whatif_workload(const gcast_whatif *x, size_t row, gcast_workload **w, gcast_error *err);

/* Writes where the time goes, and the rows. Formats: TABLE, JSON (gridcast.whatif/1). `all`: the table has the rows
 * that bring nothing, too; `path`: and the critical path part by part. */
GCAST_API gcast_status gcast_whatif_report(const gcast_whatif *x, gcast_format format, bool all, bool path,
                                           gcast_write_fn write, void *data, gcast_error *err);

GCAST_END_DECLS

#endif
