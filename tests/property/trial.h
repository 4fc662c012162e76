/* A system that a method has judged, and what its executions show: responses seen, held
 * against those said, also by a search in which states become one. */
#ifndef PROPERTY_TRIAL_H
#define PROPERTY_TRIAL_H

#include "property/generate.h"
#include "property/pool_systems.h"

enum { TRIAL_JOBS = 16 }; /* jobs of a task whose lateness is its own; then the same again */

typedef struct seen {
    int64_t best, worst;
} seen;

/* Of all systems of a kind. In tight ones the worst of every op was seen. */
typedef struct tally {
    uint64_t systems, given_up, tight, by_events, by_events_tight, executions, ops, worst_equal, coarse_equal,
        best_equal, seen_sum, said_sum;
} tally;

typedef struct trial {
    system_spec s;
    gcast_analysis *a, *coarse;
    seen seen[SYSTEM_TASKS][SYSTEM_OPS];
    seen last[SYSTEM_TASKS][SYSTEM_OPS]; /* of the last execution */
    tally *tally;
} trial;

/* One execution: who is called first, how late jobs are, what blocks take. */
typedef struct settled {
    int order[SYSTEM_TASKS];
    int64_t late[SYSTEM_TASKS][TRIAL_JOBS];
    bool by_block; /* durations as in `extra`, the same for all jobs; else as the options say */
    system_extra extra;
    gcast_durations durations;
    uint64_t seed;
} settled;

void trial_analyze(trial *t, uint64_t max_states);
void trial_execute(trial *t, const settled *e);
/* Is everything seen within what the analysis says? Counts where it is the same. */
bool trial_holds(trial *t);
void trial_show(const trial *t);
void trial_free(trial *t);

settled settled_plain(void);
void settled_draw(settled *e, const system_spec *s, support_random *r);
/* Some of it drawn again. */
void settled_change(settled *e, const system_spec *s, support_random *r);

/* The system of a seed against some executions, or, if it is small, against all. */
typedef bool trial_fn(trial *t, uint64_t seed, const system_kind *kind);
trial_fn trial_random, trial_all;
/* As many seeds; fails at the first that does not hold. */
void trial_each(trial_fn *one, uint64_t runs, const char *what, const system_kind *kinds, size_t kind_count);
/* That of `PROGRAM all SEED` or `PROGRAM drawn SEED`, and shows it. */
bool trial_one(char **argv, const system_kind *small, size_t small_count, const system_kind *kinds, size_t kind_count);
uint64_t trial_runs(void); /* GRIDCAST_PROPERTY_RUNS, or 1500 */

void tally_print(const tally *t, const char *what, size_t kind);

#endif
