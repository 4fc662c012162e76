/* What changes would bring: the workload is changed, simulated in full, and compared with the run of the unchanged
 * one. */
#ifndef WHATIF_WHATIF_H
#define WHATIF_WHATIF_H

#include "base/arena.h"
#include "change/variant.h"
#include "gridcast/simulate.h"
#include "whatif/critical_path.h"

#define WHATIF_MAX_CHANGES 8      /* how many may be made together */
#define WHATIF_MANY_OPS 10000     /* with more, few changes of each kind are tried, and few rows get a critical path */
#define WHATIF_MAX_BLOCKS 2000000 /* with more, blocks are not recorded, and critical paths are coarse */

/* What is changed, and how it is simulated. */
typedef struct whatif_base {
    variant_base from;
    gcast_simulate_options options; /* without a progress function */
    const char *of;                 /* the end of this operation counts, LABEL or LABEL#JOB; NULL: the last end */
} whatif_base;

typedef enum { WHATIF_DONE, WHATIF_REFUSED /* `refusal` says why */, WHATIF_HANGS } whatif_state;

/* Changes and their result. Without changes: the workload as it is. */
typedef struct whatif_row {
    change changes[WHATIF_MAX_CHANGES];
    size_t change_count;
    bool ends_only; /* only the end is wanted, not the critical path */
    whatif_state state;
    char refusal[320];
    int64_t end_ns;                /* the end that counts */
    int64_t gpu_ns;                /* from the first start to the last end on the GPU */
    size_t deadlines, misses;      /* jobs with a deadline, and those that ended after it */
    size_t unawaited;              /* dependencies that nothing waits for: called later, or never */
    bool has_path;                 /* by_label is known */
    bool is_coarse;                /* found without blocks: a kernel counts as work from its start on */
    int64_t by_label[WAIT_LABELS]; /* the critical path by label; adds up to end_ns */
    critical_path *path;           /* gets the critical path with its parts; NULL: not wanted */
} whatif_row;

/* Simulates the changes of a row. A workload that cannot have them, or hangs, is no failure. */
gcast_status whatif_try(const whatif_base *base, whatif_row *row, gcast_error *err);

/* Lists changes worth trying: all that may make a difference to this workload or, with `few`, one or two of each kind,
 * for workloads whose simulation takes long. Names are kept in `memory`. */
gcast_status whatif_list(const whatif_base *base, const gcast_run *run, bool few, arena *memory, change_list *out,
                         gcast_error *err);

/* Tries rows on several threads; `done` is called by the calling thread, and may be NULL. */
gcast_status whatif_try_all(const whatif_base *base, whatif_row *rows, size_t count, int threads,
                            void (*done)(void *data, double fraction), void *data, gcast_error *err);

/* How much sooner than `before` the row ends. */
static inline int64_t whatif_won_ns(const whatif_row *before, const whatif_row *row)
{
    return row->state == WHATIF_DONE ? before->end_ns - row->end_ns : 0;
}
/* How many dependencies the changes take away, as calls come in another order. */
static inline size_t whatif_lost(const whatif_row *before, const whatif_row *row)
{
    return row->state == WHATIF_DONE && row->unawaited > before->unawaited ? row->unawaited - before->unawaited : 0;
}
/* Sets the label whose time shrank most or, where nothing was won, grew most; false: not known, or nothing changed. */
bool whatif_why(const whatif_row *before, const whatif_row *row, wait_label *label, int64_t *ns);

/* Pairs of changes that may do more together: of the best changes that a programmer can make, all of different kinds.
 * Fills at most `max` rows; returns how many. */
size_t whatif_pairs(const whatif_row *before, const whatif_row *rows, size_t count, whatif_row *pairs, size_t max);

#endif
