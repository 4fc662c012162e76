/* Runs that break one rule, for the checker to find. */
#ifndef PROPERTY_MUTATE_H
#define PROPERTY_MUTATE_H

#include "property/generate.h"
#include "property/oracle.h"

/* A run of the oracle as the checker takes it, to be spoilt. */
typedef struct specimen {
    gcast_run run;           /* the run */
    gcast_run_op *ops;       /* run.ops */
    gcast_block **blocks;    /* ops[i].blocks */
    gcast_child *children;   /* run.children */
    gcast_launch_stats sums; /* run.launches */
    arena memory;            /* holds all of it */
} specimen;

void specimen_take(specimen *s, const generated *g, const oracle_result *r);
void specimen_free(specimen *s);

/* A way to change a run so that a rule is certainly broken, in one of these forms. Each is false where the run, the
 * operation or the pair of operations offers no place for it. */
typedef struct mutation {
    const char *name; /* of the broken invariant, and how */
    bool (*of_run)(specimen *s);
    bool (*of_op)(specimen *s, size_t i);
    bool (*of_pair)(specimen *s, size_t i, size_t j);
} mutation;

/* All operations, with children. */
static inline size_t specimen_total(const specimen *s)
{
    return s->run.op_count + s->run.child_count;
}

/* Who called an operation. */
typedef enum { MUTATE_HOST, MUTATE_CHILD, MUTATE_REST } mutate_caller;

static inline mutate_caller mutate_kind(const specimen *s, size_t i)
{
    return i < s->run.op_count ? MUTATE_HOST : s->children[i - s->run.op_count].is_rest ? MUTATE_REST : MUTATE_CHILD;
}

/* mutate_graphs.c: of the operation i. */
bool mutate_early_node(specimen *s, size_t i);
bool mutate_late_node(specimen *s, size_t i);
bool mutate_node_alone(specimen *s, size_t i);

/* mutate_children.c: of the operation i, which may be a child, or of two. */
bool mutate_early_in_stream(specimen *s, size_t i);
bool mutate_late_in_stream(specimen *s, size_t i);
bool mutate_early_head(specimen *s, size_t i);
bool mutate_late_head(specimen *s, size_t i);
bool mutate_early_from_line(specimen *s, size_t i);
bool mutate_late_from_line(specimen *s, size_t i);
bool mutate_early_child(specimen *s, size_t i);
bool mutate_other_queue(specimen *s, size_t i);
bool mutate_more_items(specimen *s, size_t i);
bool mutate_other_launcher(specimen *s, size_t i);
bool mutate_other_place(specimen *s, size_t i);
bool mutate_other_parent(specimen *s, size_t i);
bool mutate_early_call(specimen *s, size_t i);
bool mutate_impatient_parent(specimen *s, size_t i);
bool mutate_late_rest(specimen *s, size_t i);
bool mutate_no_rest(specimen *s, size_t i);
bool mutate_shorter_parent_block(specimen *s, size_t i);
bool mutate_wrong_blocks_end(specimen *s, size_t i);
bool mutate_launcher_of_two(specimen *s, size_t i, size_t j);
bool mutate_swapped_in_line(specimen *s, size_t i, size_t j);
bool mutate_swapped_at_one_time(specimen *s, size_t i, size_t j);
/* Of the whole run. */
bool mutate_flat_with_children(specimen *s);
bool mutate_always_without_child(specimen *s);
bool mutate_wrong_sums(specimen *s);
bool mutate_larger_pool(specimen *s);
bool mutate_smaller_pool(specimen *s);

/* mutate_clusters.c: of the operation i, which may have clusters. */
bool mutate_split_cluster(specimen *s, size_t i);
bool mutate_cluster_of_two_gpcs(specimen *s, size_t i);
bool mutate_crowded_cluster(specimen *s, size_t i);
bool mutate_lazy_cluster(specimen *s, size_t i);

/* mutate_jobs.c: of the operation i, which may have a plan. */
bool mutate_job_elsewhere(specimen *s, size_t i);
bool mutate_swapped_jobs(specimen *s, size_t i);
bool mutate_one_worker_more(specimen *s, size_t i);
bool mutate_paused_segment(specimen *s, size_t i);
bool mutate_wrong_workers(specimen *s, size_t i);
bool mutate_repaired_for_nothing(specimen *s, size_t i);

/* Spoils the run at the first place that it has for this. */
bool mutation_spoil(const mutation *m, specimen *s);

extern const mutation mutations[];
extern const size_t mutation_count;

#endif
