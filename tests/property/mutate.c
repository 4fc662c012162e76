/* Ways to spoil a run. Each breaks a rule of docs/model.md for certain, whatever
 * else it may break on the way. */
#include "property/mutate.h"

#include <string.h>

void specimen_take(specimen *s, const generated *g, const oracle_result *r)
{
    memset(s, 0, sizeof *s);
    s->ops = arena_copy(&s->memory, r->ops, r->op_count * sizeof *s->ops);
    s->blocks = arena_alloc_array(&s->memory, r->op_count + 1, sizeof *s->blocks);
    assert_true(s->ops && s->blocks);
    for (size_t i = 0; i < r->op_count; i++) {
        s->blocks[i] = arena_copy(&s->memory, r->ops[i].blocks, r->ops[i].block_count * sizeof **s->blocks);
        s->ops[i].blocks = r->ops[i].blocks ? s->blocks[i] : NULL;
    }
    s->run = (gcast_run){.source = "simulated",
                         .workload = g->workload,
                         .gpu = r->gpu,
                         .ops = s->ops,
                         .op_count = r->op_count,
                         .connections = r->connections,
                         .horizon_ns = r->horizon_ns,
                         .end_ns = r->end_ns,
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

static bool on_gpu(const specimen *s, size_t i)
{
    return is_kernel(s, i) || is_copy(s, i);
}

static int level_of(const specimen *s, size_t i)
{
    int level = -s->run.workload->streams[op_of(s, i)->stream].priority, levels = s->run.gpu->priority_levels;
    return level < 0 ? 0 : level >= levels ? levels - 1 : level;
}

static void move_block(gcast_block *b, int64_t start)
{
    b->end_ns += start - b->start_ns;
    b->start_ns = start;
}

static bool each_op(specimen *s, bool (*spoil)(specimen *, size_t))
{
    for (size_t i = 0; i < s->run.op_count; i++)
        if (spoil(s, i))
            return true;
    return false;
}

static bool each_pair(specimen *s, bool (*spoil)(specimen *, size_t, size_t))
{
    for (size_t i = 0; i < s->run.op_count; i++)
        for (size_t j = 0; j < s->run.op_count; j++)
            if (i != j && spoil(s, i, j))
                return true;
    return false;
}

#define EACH(name)                                                                                                     \
    static bool name(specimen *s)                                                                                      \
    {                                                                                                                  \
        return each_op(s, name##_at);                                                                                  \
    }

#define EACH_PAIR(name)                                                                                                \
    static bool name(specimen *s)                                                                                      \
    {                                                                                                                  \
        return each_pair(s, name##_at);                                                                                \
    }

static bool longer_block_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i) || op_of(s, i)->block_ns || op_of(s, i)->min_ns != op_of(s, i)->max_ns)
        return false;
    const gcast_gpu *gpu = s->run.gpu;
    gcast_block *b = &s->blocks[i][0];
    b->end_ns += 1 + s->run.noise_ns;
    if (s->run.wake_ns)
        b->end_ns +=
            s->run.wake_ns + (gpu->reach_ns ? gpu->reach_ns[b->sm] : 0) + gpu->limits.blocks_per_sm * gpu->look_step_ns;
    return true;
}
EACH(longer_block)

static bool block_before_entry_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i))
        return false;
    move_block(&s->blocks[i][0], s->ops[i].enter_ns - 1);
    return true;
}
EACH(block_before_entry)

static bool lost_block_at(specimen *s, size_t i)
{
    return is_kernel(s, i) && s->ops[i].block_count-- > 1;
}
EACH(lost_block)

static bool no_such_sm_at(specimen *s, size_t i)
{
    if (!is_kernel(s, i))
        return false;
    s->blocks[i][0].sm = (uint32_t)s->run.gpu->sms;
    return true;
}
EACH(no_such_sm)

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
EACH(outside_mask)

/* All that runs when kernel i's first block starts goes to SM 0. */
static bool crowded_sm_at(specimen *s, size_t i)
{
    int64_t blocks = 0, threads = 0, t = s->ops[i].start_ns;
    for (int move = 0; is_kernel(s, i) && move < 2; move++) {
        for (size_t j = 0; j < s->run.op_count; j++)
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
EACH(crowded_sm)

static bool wrong_end_at(specimen *s, size_t i)
{
    return is_kernel(s, i) && !has_plan(s, i) && s->ops[i].end_ns++ >= 0; /* the last worker may be one that retreats */
}
EACH(wrong_end)

static bool head_before_arrival_at(specimen *s, size_t i)
{
    return on_gpu(s, i) && s->ops[i].head_ns-- == s->ops[i].arrive_ns;
}
EACH(head_before_arrival)

static bool swapped_entries_at(specimen *s, size_t i, size_t j)
{
    if (!on_gpu(s, i) || !on_gpu(s, j) || s->ops[i].enter_ns == s->ops[j].enter_ns)
        return false;
    uint64_t entry = s->ops[i].entry;
    s->ops[i].entry = s->ops[j].entry;
    s->ops[j].entry = entry;
    return true;
}
EACH_PAIR(swapped_entries)

static bool swapped_launches_at(specimen *s, size_t i, size_t j)
{
    if (s->ops[i].skipped || s->ops[j].skipped || s->ops[i].call_ns == s->ops[j].call_ns)
        return false;
    uint64_t launch = s->ops[i].launch;
    s->ops[i].launch = s->ops[j].launch;
    s->ops[j].launch = launch;
    return true;
}
EACH_PAIR(swapped_launches)

/* j is called before the call of i, just before it on its host, returns. */
static bool impatient_host_at(specimen *s, size_t i, size_t j)
{
    if (i > j || s->ops[j].skipped || op_of(s, i)->host == GCAST_NO_HOST || op_of(s, i)->host != op_of(s, j)->host ||
        s->ops[i].return_ns == s->ops[i].call_ns)
        return false;
    s->ops[j].call_ns = s->ops[i].return_ns - 1;
    return true;
}
EACH_PAIR(impatient_host)

static bool copies_overlap_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_copy(s, i) || !is_copy(s, j) || x->engine != y->engine || y->start_ns < x->end_ns)
        return false;
    y->end_ns -= y->start_ns - (x->end_ns - 1);
    y->start_ns = y->dispatched_ns = x->end_ns - 1;
    return true;
}
EACH_PAIR(copies_overlap)

/* j of the same stream enters before i has left it. */
static bool stream_overlap_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    int64_t early = x->end_ns + s->run.gpu->stream_gap_ns - 1;
    if (!on_gpu(s, i) || !on_gpu(s, j) || op_of(s, i)->stream != op_of(s, j)->stream || x->launch > y->launch ||
        y->arrive_ns > early)
        return false;
    y->head_ns = y->enter_ns = early;
    return true;
}
EACH_PAIR(stream_overlap)

/* A kernel or copy that N1 or N2 holds enters as soon as it is the head. */
static bool null_ignored_at(specimen *s, size_t i)
{
    if (!on_gpu(s, i) || (is_kernel(s, i) && s->run.connections) || s->ops[i].enter_ns == s->ops[i].head_ns)
        return false;
    s->ops[i].enter_ns = s->ops[i].head_ns;
    return true;
}
EACH(null_ignored)

/* j, which entered after i, starts a block before the last one of i. */
static bool jumped_queue_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_kernel(s, i) || !is_kernel(s, j) || level_of(s, i) != level_of(s, j) || x->entry > y->entry ||
        y->enter_ns >= x->dispatched_ns)
        return false;
    move_block(&s->blocks[j][0], x->dispatched_ns - 1);
    y->start_ns = x->dispatched_ns - 1;
    return true;
}
EACH_PAIR(jumped_queue)

/* i, of a lower level, starts its last block while j of a higher one waits. */
static bool jumped_priority_at(specimen *s, size_t i, size_t j)
{
    gcast_run_op *x = &s->ops[i], *y = &s->ops[j];
    if (!is_kernel(s, i) || has_plan(s, i) || !is_kernel(s, j) || level_of(s, i) >= level_of(s, j) ||
        y->enter_ns == y->dispatched_ns || x->enter_ns > y->enter_ns || x->dispatched_ns < y->dispatched_ns ||
        x->block_count < 2 || s->run.gpu->limits.resident_grids)
        return false;
    move_block(&s->blocks[i][x->block_count - 1], y->dispatched_ns - 1);
    return true;
}
EACH_PAIR(jumped_priority)

/* A kernel that finds the GPU empty starts 1 ns later than it could. */
static bool lazy_start_at(specimen *s, size_t i)
{
    gcast_run_op *x = &s->ops[i];
    const gcast_gpu *gpu = s->run.gpu;
    if (!is_kernel(s, i))
        return false;
    for (size_t j = 0; j < s->run.op_count; j++) {
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
EACH(lazy_start)

#define EACH_JOB(name)                                                                                                 \
    static bool name(specimen *s)                                                                                      \
    {                                                                                                                  \
        return each_op(s, mutate_##name);                                                                              \
    }
EACH_JOB(job_elsewhere)
EACH_JOB(swapped_jobs)
EACH_JOB(one_worker_more)
EACH_JOB(paused_segment)
EACH_JOB(wrong_workers)
EACH_JOB(repaired_for_nothing)

#define NAMED(name)                                                                                                    \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
const mutation mutations[] = {
    NAMED(longer_block),     NAMED(block_before_entry),   NAMED(lost_block),
    NAMED(no_such_sm),       NAMED(outside_mask),         NAMED(crowded_sm),
    NAMED(wrong_end),        NAMED(head_before_arrival),  NAMED(swapped_entries),
    NAMED(swapped_launches), NAMED(impatient_host),       NAMED(copies_overlap),
    NAMED(stream_overlap),   NAMED(null_ignored),         NAMED(jumped_queue),
    NAMED(jumped_priority),  NAMED(lazy_start),           NAMED(job_elsewhere),
    NAMED(swapped_jobs),     NAMED(one_worker_more),      NAMED(paused_segment),
    NAMED(wrong_workers),    NAMED(repaired_for_nothing),
};
const size_t mutation_count = sizeof mutations / sizeof *mutations;
