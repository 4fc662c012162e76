/* Follows a run in launch order, keeps the operations that still matter and what the GPU remembers, and writes both as
 * a list of numbers. */
#include "analyze/exact/sweep.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"

#define LATER INT64_MAX /* as a time: not yet */
#define MAX_OPEN 100000 /* open operations; a longer backlog hardly repeats, so it has no state */

static const gcast_op *op_of(const exact_sweep *s, uint32_t i)
{
    return &s->run->workload->ops[s->run->ops[i].op];
}

static int level_of(const exact_sweep *s, uint32_t i)
{
    return level_of_priority(s->run->gpu, s->run->workload->streams[op_of(s, i)->stream].priority);
}

static bool list_launches(exact_sweep *s)
{
    const gcast_run *run = s->run;
    s->launches = malloc((run->op_count + 1) * sizeof *s->launches);
    if (!s->launches)
        return false;
    for (size_t i = 0; i < run->op_count; i++)
        s->launches[i] = UINT32_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped)
            s->launches[run->ops[i].launch] = (uint32_t)i;
    for (size_t i = 0; i < run->op_count; i++)
        if (s->launches[i] != UINT32_MAX)
            s->launches[s->launch_count++] = s->launches[i];
    return true;
}

bool exact_sweep_init(exact_sweep *s, const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    const gcast_gpu *gpu = run->gpu;
    *s = (exact_sweep){.run = run, .once_settled_ns = -1, .last_call_ns = -1, .last_start = {-1}};
    s->has_carveouts = carveout_matters(gpu, w);
    s->settle_ns = max_i64(max_i64(gpu->handover_ns, gpu->switch_ns), max_i64(gpu->stream_gap_ns, gpu->copy_gap_ns));
    if (dependencies_exist(w))
        s->settle_ns = max_i64(s->settle_ns, event_gap_of(gpu));
    s->connections = calloc((size_t)run->connections + 1, sizeof *s->connections);
    s->stream_connection = malloc((w->stream_count + 1) * sizeof *s->stream_connection);
    s->quarter_steps = calloc(w->op_count + 1, sizeof *s->quarter_steps);
    s->next_quarter = calloc((size_t)gpu->sms, sizeof *s->next_quarter);
    s->channels = calloc(COPY_ENGINES * (size_t)gpu->copy_channels + 1, sizeof *s->channels);
    s->stream_channel = malloc((COPY_ENGINES * w->stream_count + 1) * sizeof *s->stream_channel);
    if (!s->connections || !s->stream_connection || !s->quarter_steps || !s->next_quarter || !s->channels ||
        !s->stream_channel || !list_launches(s))
        return false;
    for (size_t i = 0; i < w->stream_count; i++)
        s->stream_connection[i] = -1;
    for (size_t i = 0; i < COPY_ENGINES * w->stream_count; i++)
        s->stream_channel[i] = -1;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        sm_demand d = sm_demand_of(gpu, &w->ops[i]);
        s->quarter_steps[i] = d.quarter_step;
        s->quarters_matter = s->quarters_matter || !d.fills_quarters;
    }
    for (size_t i = 0; i < w->once_count; i++)
        if (!run->ops[i].skipped)
            s->once_settled_ns =
                max_i64(s->once_settled_ns, max_i64(run->ops[i].end_ns, run->ops[i].return_ns) + s->settle_ns);
    return true;
}

void exact_sweep_free(exact_sweep *s)
{
    free(s->launches);
    free(s->connections);
    free(s->stream_connection);
    free(s->channels);
    free(s->stream_channel);
    free(s->quarter_steps);
    free(s->next_quarter);
    vec_free(&s->open);
    vec_free(&s->state);
}

/* Notes who joined a connection or channel last, which it remembers even when it is empty. */
static void note_joins(exact_sweep *s, uint32_t i)
{
    const gcast_run_op *r = &s->run->ops[i];
    int stream = op_of(s, i)->stream;
    exact_join join = {s->next_launch + 1, stream};
    if (r->connection >= 0) {
        s->connections[r->connection] = join;
        s->stream_connection[stream] = r->connection;
    }
    if (r->channel >= 0) {
        s->channels[r->engine * s->run->gpu->copy_channels + r->channel] = join;
        s->stream_channel[(size_t)r->engine * s->run->workload->stream_count + (size_t)stream] = r->channel;
    }
}

/* Adds the operations called before t to s->open; false without memory. */
static bool open_called(exact_sweep *s, int64_t t)
{
    for (; s->next_launch < s->launch_count && s->run->ops[s->launches[s->next_launch]].call_ns < t; s->next_launch++) {
        uint32_t i = s->launches[s->next_launch];
        int64_t call_ns = s->run->ops[i].call_ns;
        bool is_after_idle = s->last_call_ns < 0 || call_ns - s->last_call_ns >= s->run->gpu->copy_idle_ns;
        s->last_call_ns = call_ns;
        if (!gcast_kind_on_gpu(op_of(s, i)->kind))
            continue;
        note_joins(s, i);
        if (!vec_push(&s->open, ((exact_open){.op = i, .is_after_idle = is_after_idle})))
            return false;
    }
    return true;
}

/* Notes the last block start. Of blocks that start at one time, the last one is of the kernel that is not fully
 * dispatched then, else of the lowest level, and there of the kernel that entered last. */
static void note_start(exact_sweep *s, uint32_t i, const gcast_block *b)
{
    const gcast_run_op *r = &s->run->ops[i];
    const int64_t key[4] = {b->start_ns, r->dispatched_ns > b->start_ns, level_of(s, i), (int64_t)r->entry};
    int k = 0;
    while (k < 3 && key[k] == s->last_start[k])
        k++;
    if (key[k] < s->last_start[k])
        return;
    for (k = 0; k < 4; k++)
        s->last_start[k] = key[k];
    s->last_start_sm = b->sm;
}

/* Counts the blocks that have started and ended before t. */
static void note_blocks(exact_sweep *s, exact_open *x, int64_t t)
{
    const gcast_run_op *r = &s->run->ops[x->op];
    int64_t handover = s->run->gpu->handover_ns;
    if (!r->blocks)
        return;
    for (; x->started_count < r->block_count && r->blocks[x->started_count].start_ns < t; x->started_count++) {
        const gcast_block *b = &r->blocks[x->started_count];
        s->next_quarter[b->sm] = (s->next_quarter[b->sm] + s->quarter_steps[r->op]) % GCAST_QUARTERS;
        note_start(s, x->op, b);
    }
    while (x->ended_count < x->started_count && r->blocks[x->ended_count].end_ns + handover < t)
        x->ended_count++;
}

/* The earliest start of a running copy, or t. Operations that ran since then are kept, as the progress of a copy
 * depends on copies in the other direction. */
static int64_t oldest_needed(const exact_sweep *s, int64_t t)
{
    int64_t oldest = t;
    for (size_t i = 0; i < s->open.count; i++) {
        const gcast_run_op *r = &s->run->ops[s->open.at[i].op];
        if (op_of(s, s->open.at[i].op)->kind != GCAST_KIND_KERNEL && r->end_ns >= t && r->start_ns < oldest)
            oldest = r->start_ns;
    }
    return oldest;
}

/* Updates everything to t, and drops operations that no longer matter. */
static void note_progress(exact_sweep *s, int64_t t)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->open.count; i++) {
        note_blocks(s, &s->open.at[i], t);
        const gcast_run_op *r = &s->run->ops[s->open.at[i].op];
        if (r->enter_ns < t)
            s->entered_count = max_u64(s->entered_count, r->entry + 1);
        if (r->engine >= 0 && r->start_ns < t && r->start_ns >= s->last_copy_ns[r->engine]) {
            s->last_copy_ns[r->engine] = r->start_ns;
            s->last_copy_channel[r->engine] = r->channel;
        }
    }
    int64_t oldest = oldest_needed(s, t);
    for (size_t i = 0; i < s->open.count; i++)
        if (s->run->ops[s->open.at[i].op].end_ns + s->settle_ns >= oldest)
            s->open.at[kept++] = s->open.at[i];
    s->open.count = kept;
}

static bool put(exact_sweep *s, int64_t v)
{
    return vec_push(&s->state, v);
}

static bool put_time(exact_sweep *s, int64_t time, int64_t t)
{
    return put(s, time < t ? time - t : LATER);
}

/* A copy engine may take a copy to the host some time before it starts. */
static bool put_taken(exact_sweep *s, const gcast_run_op *r, int64_t t)
{
    bool may_be_taken = r->engine == 1 && r->start_ns >= t && r->start_ns - t < s->run->gpu->d2h_start_ns;
    return put(s, may_be_taken ? r->start_ns - t : LATER);
}

/* A kernel may get its turn some time before it enters. */
static bool put_turn(exact_sweep *s, const gcast_run_op *r, int64_t t)
{
    bool may_have_turn = s->run->gpu->turn_ns && r->connection >= 0 && r->head_ns < t && r->enter_ns >= t &&
                         (r->enter_ns - t) / s->run->gpu->turn_ns <= s->run->connections;
    return put(s, may_have_turn ? r->enter_ns - t : LATER);
}

/* The index of an operation in s->open, which is in launch order; -1: it is no longer there. */
static int64_t place_of(const exact_sweep *s, uint32_t op)
{
    size_t low = 0, high = s->open.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->run->ops[s->open.at[middle].op].launch < s->run->ops[op].launch)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->open.count && s->open.at[low].op == op ? (int64_t)low : -1;
}

/* Writes the dependencies of x that may still matter. */
static bool put_after(exact_sweep *s, const exact_open *x)
{
    const gcast_op *op = op_of(s, x->op);
    bool ok = true;
    for (size_t k = 0; k < op->after_count && ok; k++)
        ok = put(s, place_of(s, (uint32_t)dependencies_operation(x->op, s->run->ops[x->op].op, op->after[k])));
    return ok;
}

static bool put_open(exact_sweep *s, const exact_open *x, int64_t t)
{
    const gcast_run_op *r = &s->run->ops[x->op];
    int64_t handover = s->run->gpu->handover_ns;
    bool ok = put(s, r->op) && (s->without_waiting || put_time(s, r->call_ns, t)) && put_time(s, r->head_ns, t) &&
              put_time(s, r->enter_ns, t) && put_time(s, r->start_ns, t) && put_time(s, r->dispatched_ns, t) &&
              put_time(s, r->end_ns, t) && put(s, r->enter_ns < t ? (int64_t)(s->entered_count - r->entry) : 0) &&
              put(s, r->connection) && put(s, r->channel) && put(s, x->is_after_idle) && put_taken(s, r, t) &&
              put_turn(s, r, t) && put_after(s, x) && put(s, (int64_t)x->started_count);
    for (uint64_t b = x->ended_count; b < x->started_count && ok; b++) {
        const gcast_block *block = &r->blocks[b];
        if (block->end_ns + handover >= t)
            ok = put(s, block->end_ns - t) && put(s, block->sm) && put(s, s->quarters_matter ? block->quarter : 0);
    }
    return ok && put(s, LATER);
}

/* Writes the order of the last joins of connections or channels, and their streams. */
static bool put_joins(exact_sweep *s, const exact_join *list, int n)
{
    bool ok = true;
    for (int c = 0; c < n && ok; c++) {
        int64_t later_count = 0;
        for (int other = 0; other < n && list[c].number; other++)
            later_count += list[other].number > list[c].number;
        ok = put(s, list[c].number ? later_count : LATER) && put(s, list[c].stream);
    }
    return ok;
}

/* Writes what the GPU remembers even when idle. */
static bool put_memory(exact_sweep *s, int64_t t)
{
    int64_t idle = s->run->gpu->copy_idle_ns;
    size_t streams = s->run->workload->stream_count;
    int channels = s->run->gpu->copy_channels;
    bool ok = put(s, s->last_call_ns >= 0 ? min_i64(t - s->last_call_ns, idle) : idle) &&
              put_joins(s, s->connections, s->run->connections);
    for (int e = 0; e < COPY_ENGINES && channels && ok; e++)
        ok = put_joins(s, s->channels + e * channels, channels) && put(s, s->last_copy_channel[e]);
    for (size_t i = 0; i < streams && ok; i++)
        ok = put(s, s->stream_connection[i]);
    for (size_t i = 0; i < COPY_ENGINES * streams && channels && ok; i++)
        ok = put(s, s->stream_channel[i]);
    for (int sm = 0; sm < s->run->gpu->sms && s->quarters_matter && ok; sm++)
        ok = put(s, s->next_quarter[sm]);
    if (ok && s->run->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        ok = put(s, s->last_start[0] < 0 ? LATER : (int64_t)s->last_start_sm);
    return ok;
}

/* Can the state be derived from the records? Blocks must be recorded if they matter, and SMs with blocks must have
 * equal shared memory sizes. */
static bool is_known(const exact_sweep *s, int64_t t)
{
    const gcast_run *run = s->run;
    if (t <= s->once_settled_ns || s->open.count > MAX_OPEN)
        return false;
    if (run->blocks_recorded && !s->has_carveouts)
        return true;
    bool blocks_matter = s->quarters_matter || (run->gpu->placement == GCAST_PLACE_ROUND_ROBIN && run->gpu->sms > 1);
    if (blocks_matter && !run->blocks_recorded)
        return false;
    for (size_t i = 0; i < s->open.count; i++) {
        const gcast_run_op *r = &run->ops[s->open.at[i].op];
        if (op_of(s, s->open.at[i].op)->kind == GCAST_KIND_KERNEL && r->start_ns < t &&
            r->end_ns + run->gpu->handover_ns >= t)
            return false;
    }
    return true;
}

exact_answer exact_sweep_to(exact_sweep *s, int64_t t)
{
    if (!open_called(s, t))
        return EXACT_NO_MEMORY;
    note_progress(s, t);
    if (!is_known(s, t))
        return EXACT_UNKNOWN;
    s->state.count = 0;
    bool ok = put(s, s->without_waiting ? 0 : (int64_t)s->open.count);
    for (size_t i = 0; i < s->open.count && ok; i++)
        if (!s->without_waiting || s->run->ops[s->open.at[i].op].head_ns < t)
            ok = put_open(s, &s->open.at[i], t);
    return ok && put_memory(s, t) ? EXACT_STATE : EXACT_NO_MEMORY;
}
