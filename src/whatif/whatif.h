/* What a change would bring: a workload is changed, simulated in full, and compared with the run as it is. */
#ifndef WHATIF_WHATIF_H
#define WHATIF_WHATIF_H

#include "gridcast/simulate.h"
#include "whatif/change/change_apply.h"
#include "whatif/path/critical_path.h"

#define WHATIF_MAX_CHANGES 8      /* made together */
#define WHATIF_MANY_OPS 10000     /* with more, few changes of each kind are tried, and few rows say why */
#define WHATIF_MAX_BLOCKS 2000000 /* with more, blocks are not recorded, and ways back from the end are coarse */

/* What is changed, and how it is simulated. */
typedef struct whatif_base {
    const gcast_workload *w;
    const gcast_gpu *gpu;           /* a partition is taken already */
    gcast_simulate_options options; /* without progress */
    const char *of;                 /* the end of this operation counts, LABEL or LABEL#JOB; NULL: the last end */
    const gcast_gpu *const *gpus;   /* that a change may name */
    const char *const *gpu_names;
    size_t gpu_count;
} whatif_base;

typedef enum { WHATIF_DONE, WHATIF_REFUSED /* `refusal` says why */, WHATIF_HANGS } whatif_state;

/* A row: changes, and what came of them. Without changes: the workload as it is. */
typedef struct whatif_row {
    change changes[WHATIF_MAX_CHANGES];
    size_t change_count;
    bool ends_only; /* only the end is wanted, not the way back from it */
    whatif_state state;
    char refusal[320];
    int64_t end_ns;                /* what counts */
    int64_t gpu_ns;                /* from the first start to the last end on the GPU */
    size_t deadlines, misses;      /* jobs with a deadline, and those that ended after it */
    size_t unawaited;              /* dependencies on what was called later or not at all: no waits */
    bool has_path;                 /* by_label is known */
    bool is_coarse;                /* without blocks: a kernel that has started is at work */
    int64_t by_label[WAIT_LABELS]; /* the way back from the end, by label; adds up to end_ns */
    critical_path *path;           /* where it is put, part by part; NULL: nowhere */
} whatif_row;

/* A workload with the changes made. To be freed, also where it fails. */
gcast_status whatif_make(const whatif_base *base, const change *changes, size_t count, variant *v, gcast_error *err);
void whatif_variant_free(variant *v);

/* Simulates the changes of a row. A workload that cannot have them, or hangs, is no failure. */
gcast_status whatif_try(const whatif_base *base, whatif_row *row, gcast_error *err);

/* What is worth trying: all changes that may make a difference to this workload or, with `few`, one or two of each
 * kind, for workloads of which a simulation takes long. Names are kept in `memory`. */
gcast_status whatif_list(const whatif_base *base, const gcast_run *run, bool few, arena *memory, change_list *out,
                         gcast_error *err);

/* Tries rows on several threads; `done` is called by the calling thread, and may be NULL. */
gcast_status whatif_try_all(const whatif_base *base, whatif_row *rows, size_t count, int threads,
                            void (*done)(void *data, double fraction), void *data, gcast_error *err);

/* How much sooner than `before` it ends. */
static inline int64_t whatif_won_ns(const whatif_row *before, const whatif_row *row)
{
    return row->state == WHATIF_DONE ? before->end_ns - row->end_ns : 0;
}
/* Dependencies that the changes take away: calls come in another order then. */
static inline size_t whatif_lost(const whatif_row *before, const whatif_row *row)
{
    return row->state == WHATIF_DONE && row->unawaited > before->unawaited ? row->unawaited - before->unawaited : 0;
}
/* The label whose time shrank most or, where nothing was won, grew most; false: not known, or nothing changed. */
bool whatif_why(const whatif_row *before, const whatif_row *row, wait_label *label, int64_t *ns);

/* Two rows whose changes may do more together: the best that a programmer can make, of several kinds. Fills at most
 * `max` pairs; returns how many. */
size_t whatif_pairs(const whatif_row *before, const whatif_row *rows, size_t count, whatif_row *pairs, size_t max);

#endif
