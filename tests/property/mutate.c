/* Ways to spoil a run. Each breaks a rule of docs/model.md for certain, whatever
 * else it may break on the way. */
#include "property/mutate.h"

#include <string.h>

void specimen_take(specimen *s, const generated *g, const oracle_result *r)
{
    memset(s, 0, sizeof *s);
    size_t total = r->op_count + r->child_count;
    s->ops = arena_copy(&s->memory, r->ops, total * sizeof *s->ops);
    s->children = arena_copy(&s->memory, r->children, r->child_count * sizeof *s->children);
    s->blocks = arena_alloc_array(&s->memory, total + 1, sizeof *s->blocks);
    assert_true(s->ops && s->blocks && (s->children || !r->child_count));
    s->sums = r->stats;
    for (size_t i = 0; i < total; i++) {
        s->blocks[i] = arena_copy(&s->memory, r->ops[i].blocks, r->ops[i].block_count * sizeof **s->blocks);
        s->ops[i].blocks = r->ops[i].blocks ? s->blocks[i] : NULL;
    }
    s->run = (gcast_run){.source = "simulated",
                         .workload = g->workload,
                         .gpu = r->gpu,
                         .ops = s->ops,
                         .op_count = r->op_count,
                         .child_count = r->child_count,
                         .children = s->children,
                         .launches = &s->sums,
                         .spawn_overridden = g->options.override_spawn,
                         .spawn_policy = g->options.spawn_policy,
                         .spawn_threshold = g->options.spawn_threshold,
                         .connections = r->connections,
                         .horizon_ns = r->horizon_ns,
                         .end_ns = r->end_ns,
                         .hang = r->hangs ? &r->hang : NULL,
                         .noise_ns = g->options.noise_ns,
                         .scatter = g->options.scatter,
                         .wake_ns = g->options.as_measured ? r->gpu->wake_ns : 0,
                         .blocks_recorded = true};
}

void specimen_free(specimen *s)
{
    arena_free(&s->memory);
}

static const gcast_op *op_of(const specimen *s, size_t i)
{
    return &s->run.workload->ops[s->ops[i].op];
}

static bool is_kernel(const specimen *s, size_t i)
{
    return !s->ops[i].skipped && op_of(s, i)->kind == GCAST_KIND_KERNEL;
}

static bool is_copy(const specimen *s, size_t i)
{
    return !s->ops[i].skipped && s->ops[i].engine >= 0;
}

static bool has_plan(const specimen *s, size_t i)
{
    return is_kernel(s, i) && op_of(s, i)->policy != GCAST_POLICY_HARDWARE;
}

/* Others may pass a kernel with clusters. */
static bool has_clusters(const specimen *s, size_t i)
{
    return is_kernel(s, i) && op_of(s, i)->cluster[0] * op_of(s, i)->cluster[1] > 1;
}

static bool on_gpu(const specimen *s, size_t i)
{
    return is_kernel(s, i) || is_copy(s, i);
}

static int level_of(const specimen *s, size_t i)
{
    while (i >= s->run.op_count && s->children[i - s->run.op_count].is_rest)
        i = s->children[i - s->run.op_count].parent;
    if (i >= s->run.op_count && s->run.gpu->child_level)
        return s->run.gpu->child_level == 1 ? s->run.gpu->priority_levels - 1 : 0;
    int level = -s->run.workload->streams[op_of(s, i)->stream].priority, levels = s->run.gpu->priority_levels;
    if (op_of(s, i)->cooperative)
        return levels - 1;
    return level < 0 ? 0 : level >= levels ? levels - 1 : level;
}

static void move_block(gcast_block *b, int64_t start)
{
    b->end_ns += start - b->start_ns;
    b->start_ns = start;
}

static bool longer_block_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i) || op_of(s, i)->block_ns || op_of(s, i)->min_ns != op_of(s, i)->max_ns ||
        (op_of(s, i)->launches && s->run.gpu->child_refused_ns)) /* it may be longer by launches that were refused */
        return false;
    const gcast_gpu *gpu = s->run.gpu;
    gcast_block *b = &s->blocks[i][0];
    b->end_ns += 1 + s->run.noise_ns;
    if (s->run.wake_ns)
        b->end_ns +=
            s->run.wake_ns + (gpu->reach_ns ? gpu->reach_ns[b->sm] : 0) + gpu->limits.blocks_per_sm * gpu->look_step_ns;
    return true;
}

static bool block_before_entry_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i))
        return false;
    move_block(&s->blocks[i][0], s->ops[i].enter_ns - 1);
    return true;
}

static bool lost_block_at(specimen *s, size_t i)
{
    return is_kernel(s, i) && s->ops[i].block_count-- > 1;
}

static bool no_such_sm_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i))
        return false;
    s->blocks[i][0].sm = (uint32_t)s->run.gpu->sms;
    return true;
}

static bool outside_mask_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i) || op_of(s, i)->mask == GCAST_ALL_SMS)
        return false;
    for (int sm = 0; sm < s->run.gpu->sms; sm++)
        if (!(s->run.workload->masks[op_of(s, i)->mask].word[0] >> sm & 1)) {
            s->blocks[i][0].sm = (uint32_t)sm;
            return true;
        }
    return false;
}

/* All that runs when kernel i's first block starts goes to SM 0. */
static bool crowded_sm_at(specimen *s, size_t i)
{
    int64_t blocks = 0, threads = 0, t = s->ops[i].start_ns;
    for (int move = 0; is_kernel(s, i) && move < 2; move++) {
        for (size_t j = 0; j < specimen_total(s); j++)
            for (uint64_t b = 0; is_kernel(s, j) && b < s->ops[j].block_count; b++) {
                gcast_block *x = &s->blocks[j][b];
                if (x->start_ns > t || x->end_ns <= t)
                    continue;
                blocks++;
                threads += op_of(s, j)->shape.threads;
                if (move)
                    x->sm = 0;
            }
        if (blocks <= s->run.gpu->limits.blocks_per_sm && threads <= s->run.gpu->limits.threads_per_sm)
            return false;
    }
    return is_kernel(s, i);
}

static bool wrong_end_at(specimen *s, size_t i)
{
    return is_kernel(s, i) && !has_plan(s, i) && s->ops[i].end_ns++ >= 0; /* the last worker may be one that retreats */
}

static bool head_before_arrival_at(specimen *s, size_t i)
{
    return on_gpu(s, i) && s->ops[i].head_ns-- == s->ops[i].arrive_ns;
}

static bool swapped_entries_at(specimen *s, size_t i, size_t j)
{
    if (!on_gpu(s, i) || !on_gpu(s, j) || s->ops[i].enter_ns == s->ops[j].enter_ns)
        return false;
    uint64_t entry = s->ops[i].entry;
    s->ops[i].entry = s->ops[j].entry;
    s->ops[j].entry = entry;
    return true;
}

static bool swapped_launches_at(specimen *s, size_t i, size_t j)
{
    if (s->ops[i].skipped || s->ops[j].skipped || s->ops[i].call_ns == s->ops[j].call_ns ||
        mutate_kind(s, i) != mutate_kind(s, j) || mutate_kind(s, i) == MUTATE_REST)
        return false;
    uint64_t launch = s->ops[i].launch;
    s->ops[i].launch = s->ops[j].launch;
    s->ops[j].launch = launch;
    return true;
}

/* j is called before the call of i, just before it on its host, returns. */
static bool impatient_host_at(specimen *s, size_t i, size_t j)
{
    if (i > j || j >= s->run.op_count || s->ops[j].skipped || op_of(s, i)->host == GCAST_NO_HOST ||
        op_of(s, i)->host != op_of(s, j)->host || s->ops[i].return_ns == s->ops[i].call_ns)
        return false;
    s->ops[j].call_ns = s->ops[i].return_ns - 1;
    return true;
}

static bool copies_overlap_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_copy(s, i) || !is_copy(s, j) || x->engine != y->engine || y->start_ns < x->end_ns)
        return false;
    y->end_ns -= y->start_ns - (x->end_ns - 1);
    y->start_ns = y->dispatched_ns = x->end_ns - 1;
    return true;
}

/* j of the same stream enters before i has left it. */
static bool stream_overlap_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    int64_t early = x->end_ns + s->run.gpu->stream_gap_ns - 1;
    if (i >= s->run.op_count || j >= s->run.op_count || !on_gpu(s, i) || !on_gpu(s, j) ||
        op_of(s, i)->stream != op_of(s, j)->stream || x->launch > y->launch || y->arrive_ns > early)
        return false;
    if (op_of(s, j)->programmatic ||
        (op_of(s, i)->graph != GCAST_NO_GRAPH && op_of(s, i)->graph == op_of(s, j)->graph && x->job == y->job))
        return false; /* it may overlap; nodes of one launch */
    y->head_ns = y->enter_ns = early;
    return true;
}

/* A kernel or copy that N1 or N2 holds enters as soon as it is the head. */
static bool null_ignored_at(specimen *s, size_t i)
{
    if (!on_gpu(s, i) || s->ops[i].connection >= 0 || (is_kernel(s, i) && s->run.connections) ||
        s->ops[i].enter_ns == s->ops[i].head_ns)
        return false;
    s->ops[i].enter_ns = s->ops[i].head_ns;
    return true;
}

/* An operation enters as soon as it is the head, whatever it is after. */
static bool after_ignored_at(specimen *s, size_t i, size_t j)
{
    const gcast_gpu *gpu = s->run.gpu;
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    bool is_after = false;
    if (i >= s->run.op_count || j >= s->run.op_count || !on_gpu(s, i) || !on_gpu(s, j) || x->job != y->job ||
        x->launch < y->launch || op_of(s, i)->stream == op_of(s, j)->stream)
        return false;
    for (size_t k = 0; k < op_of(s, i)->after_count; k++)
        is_after = is_after || op_of(s, i)->after[k] == y->op;
    if (!is_after || x->head_ns >= y->end_ns + (gpu->event_gap_ns ? gpu->event_gap_ns : gpu->stream_gap_ns))
        return false;
    x->enter_ns = x->head_ns;
    return true;
}

/* j, which entered after i, starts a block before the last one of i. */
static bool jumped_queue_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_kernel(s, i) || !is_kernel(s, j) || level_of(s, i) != level_of(s, j) || x->entry > y->entry ||
        y->enter_ns >= x->dispatched_ns || has_clusters(s, i))
        return false;
    move_block(&s->blocks[j][0], x->dispatched_ns - 1);
    y->start_ns = x->dispatched_ns - 1;
    return true;
}

/* i, of a lower level, starts its last block while j of a higher one waits. */
static bool jumped_priority_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_kernel(s, i) || has_plan(s, i) || !is_kernel(s, j) || level_of(s, i) >= level_of(s, j) ||
        y->enter_ns == y->dispatched_ns || x->enter_ns > y->enter_ns || x->dispatched_ns < y->dispatched_ns ||
        x->block_count < 2 || s->run.gpu->limits.resident_grids || has_clusters(s, j))
        return false;
    move_block(&s->blocks[i][x->block_count - 1], y->dispatched_ns - 1);
    return true;
}

/* A kernel that finds the GPU empty starts 1 ns later than it could. */
static bool lazy_start_at(specimen *s, size_t i)
{
    gcast_run_op *x = &s->ops[i];
    const gcast_gpu *gpu = s->run.gpu;
    if (!is_kernel(s, i))
        return false;
    for (size_t j = 0; j < specimen_total(s); j++) {
        const gcast_run_op *y = &s->ops[j];
        if (i != j && !y->skipped &&
            (y->repaired || y->return_ns > x->start_ns ||
             y->end_ns + gpu->stream_gap_ns + gpu->handover_ns > x->start_ns))
            return false;
    }
    for (uint64_t b = 0; b < x->block_count; b++)
        move_block(&s->blocks[i][b], s->blocks[i][b].start_ns + 1);
    x->return_ns += x->return_ns == x->end_ns;
    x->start_ns++;
    x->dispatched_ns++;
    x->end_ns++;
    s->run.end_ns++;
    return true;
}

bool mutation_spoil(const mutation *m, specimen *s)
{
    if (m->of_run)
        return m->of_run(s);
    for (size_t i = 0; i < specimen_total(s); i++) {
        if (m->of_op && m->of_op(s, i))
            return true;
        for (size_t j = 0; m->of_pair && j < specimen_total(s); j++)
            if (i != j && m->of_pair(s, i, j))
                return true;
    }
    return false;
}

const mutation mutations[] = {
    {"longer_block", .of_op = longer_block_at},
    {"block_before_entry", .of_op = block_before_entry_at},
    {"lost_block", .of_op = lost_block_at},
    {"no_such_sm", .of_op = no_such_sm_at},
    {"outside_mask", .of_op = outside_mask_at},
    {"crowded_sm", .of_op = crowded_sm_at},
    {"wrong_end", .of_op = wrong_end_at},
    {"head_before_arrival", .of_op = head_before_arrival_at},
    {"swapped_entries", .of_pair = swapped_entries_at},
    {"swapped_launches", .of_pair = swapped_launches_at},
    {"impatient_host", .of_pair = impatient_host_at},
    {"copies_overlap", .of_pair = copies_overlap_at},
    {"stream_overlap", .of_pair = stream_overlap_at},
    {"null_ignored", .of_op = null_ignored_at},
    {"after_ignored", .of_pair = after_ignored_at},
    {"jumped_queue", .of_pair = jumped_queue_at},
    {"jumped_priority", .of_pair = jumped_priority_at},
    {"lazy_start", .of_op = lazy_start_at},
    {"split_cluster", .of_op = mutate_split_cluster},
    {"cluster_of_two_gpcs", .of_op = mutate_cluster_of_two_gpcs},
    {"crowded_cluster", .of_op = mutate_crowded_cluster},
    {"lazy_cluster", .of_op = mutate_lazy_cluster},
    {"job_elsewhere", .of_op = mutate_job_elsewhere},
    {"swapped_jobs", .of_op = mutate_swapped_jobs},
    {"one_worker_more", .of_op = mutate_one_worker_more},
    {"paused_segment", .of_op = mutate_paused_segment},
    {"wrong_workers", .of_op = mutate_wrong_workers},
    {"repaired_for_nothing", .of_op = mutate_repaired_for_nothing},
    {"early_in_stream", .of_op = mutate_early_in_stream},
    {"late_in_stream", .of_op = mutate_late_in_stream},
    {"early_head", .of_op = mutate_early_head},
    {"late_head", .of_op = mutate_late_head},
    {"early_from_line", .of_op = mutate_early_from_line},
    {"late_from_line", .of_op = mutate_late_from_line},
    {"early_child", .of_op = mutate_early_child},
    {"other_queue", .of_op = mutate_other_queue},
    {"more_items", .of_op = mutate_more_items},
    {"other_launcher", .of_op = mutate_other_launcher},
    {"other_place", .of_op = mutate_other_place},
    {"other_parent", .of_op = mutate_other_parent},
    {"early_call", .of_op = mutate_early_call},
    {"impatient_parent", .of_op = mutate_impatient_parent},
    {"late_rest", .of_op = mutate_late_rest},
    {"no_rest", .of_op = mutate_no_rest},
    {"shorter_parent_block", .of_op = mutate_shorter_parent_block},
    {"wrong_blocks_end", .of_op = mutate_wrong_blocks_end},
    {"launcher_of_two", .of_pair = mutate_launcher_of_two},
    {"swapped_in_line", .of_pair = mutate_swapped_in_line},
    {"swapped_at_one_time", .of_pair = mutate_swapped_at_one_time},
    {"early_node", .of_op = mutate_early_node},
    {"late_node", .of_op = mutate_late_node},
    {"node_alone", .of_op = mutate_node_alone},
    {"flat_with_children", .of_run = mutate_flat_with_children},
    {"always_without_child", .of_run = mutate_always_without_child},
    {"wrong_sums", .of_run = mutate_wrong_sums},
    {"larger_pool", .of_run = mutate_larger_pool},
    {"smaller_pool", .of_run = mutate_smaller_pool},
};
const size_t mutation_count = sizeof mutations / sizeof *mutations;
